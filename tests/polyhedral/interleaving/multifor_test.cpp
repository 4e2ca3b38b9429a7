//===- tests/polyhedral/interleaving/multifor_test.cpp - the examples of the paper ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Multifor for multicore" (IMPACT 2013), with the numbers that its text gets wrong corrected:
// referential domains end at the last iteration, and the offsets of its red-black relaxation are
// illegal.
//
//===----------------------------------------------------------------------===//
#include "specializer/polyhedral/interleaving/nest_positions.h"
#include "isl/ctx.h"
#include "isl/options.h"
#include "isl/set.h"
#include <gmock/gmock.h>
#include <string>
#include <vector>

using namespace specrt;
using testing::ElementsAre;

namespace {

class Multifor : public testing::Test {
protected:
  Multifor() { isl_options_set_on_error(Context, ISL_ON_ERROR_CONTINUE); }
  ~Multifor() override {
    Nests.clear();
    isl_ctx_free(Context);
  }

  /// Adds a nest whose statement has the iterations \p Domain, "S[i,j] : ...", counted from 0.
  void add(const std::string &Domain, std::vector<LoopPosition> Positions) {
    const isl::ctx Ctx(Context);
    PlacedNest Nest{isl::union_set(Ctx, "{ " + Domain + " }"), {}};
    const std::string Tuple = Domain.substr(0, Domain.find(']') + 1);
    for (unsigned D = 0; D < Positions.size(); ++D) {
      const char Counter = char('i' + D);
      Nest.Loops.push_back(
          isl::union_pw_aff(Ctx, "{ " + Tuple + " -> [(" + std::string(1, Counter) + ")] }"));
    }
    Nest.Positions.assign(Positions.begin(), Positions.end());
    Nests.push_back(Nest);
  }
  isl::union_map orders(const char *Text) const { return isl::union_map(isl::ctx(Context), Text); }

  /// The part of the referential domain that a nest uses.
  static isl::set domainOf(const PlacedNest &Nest) {
    return isl::set(Nest.positions().range()).coalesce();
  }
  static long points(const isl::set &Set) {
    return isl::manage(isl_set_count_val(Set.get())).get_num_si();
  }
  /// Positions at which some nest has an iteration.
  long total() const {
    isl::set All = domainOf(Nests.front());
    for (const PlacedNest &Nest : Nests)
      All = All.unite(domainOf(Nest));
    return points(All);
  }
  /// Positions at which all nests have one.
  isl::set common() const {
    isl::set All = domainOf(Nests.front());
    for (const PlacedNest &Nest : Nests)
      All = All.intersect(domainOf(Nest));
    return All;
  }
  long shared() const { return points(common()); }
  std::vector<int64_t> offsets(unsigned Depth) const {
    std::vector<int64_t> All;
    for (const PlacedNest &Nest : Nests)
      All.push_back(Nest.Positions[Depth].Offset);
    return All;
  }

  isl_ctx *Context = isl_ctx_alloc();
  std::vector<PlacedNest> Nests;
};

/// Not 11 positions: the last iteration of the first loop is at 9.
TEST_F(Multifor, Section22OffsetsDelay) {
  add("S[i] : 0 <= i < 10", {{1, 0}});
  add("T[i] : 0 <= i < 5", {{1, 2}});
  EXPECT_EQ(total(), 10);
  EXPECT_EQ(shared(), 5);
  EXPECT_EQ(common().dim_min_val(0).get_num_si(), 2);
  EXPECT_EQ(common().dim_max_val(0).get_num_si(), 6);
}

TEST_F(Multifor, Section22GrainsSpreadIterations) {
  add("S[i] : 0 <= i < 10", {{1, 0}});
  add("T[i] : 0 <= i < 5", {{4, 0}});
  EXPECT_EQ(shared(), 3) << "0, 4, 8";
  EXPECT_EQ(total(), 12) << "and 12, 16";
}

TEST_F(Multifor, Section22NestedOffsets) {
  add("S[i,j] : 0 <= i < 10 and 0 <= j < 10", {{1, 0}, {1, 0}});
  add("T[i,j] : 0 <= i < 5 and 0 <= j < 5", {{1, 2}, {1, 2}});
  EXPECT_EQ(total(), 100);
  EXPECT_EQ(shared(), 25);
}

TEST_F(Multifor, Section22NestedGrains) {
  add("S[i,j] : 0 <= i < 10 and 0 <= j < 10", {{1, 0}, {1, 0}});
  add("T[i,j] : 0 <= i < 3 and 0 <= j < 3", {{4, 0}, {4, 0}});
  EXPECT_EQ(total(), 100);
  EXPECT_EQ(shared(), 9);
}

TEST_F(Multifor, Section22Triangle) {
  add("S[i,j] : 0 <= i < 6 and 0 <= j < 6 - i", {{1, 0}, {1, 0}});
  add("T[i,j] : 0 <= i < 6 and 0 <= j < 6", {{1, 1}, {1, 0}});
  EXPECT_EQ(total(), 42);
  EXPECT_EQ(shared(), 15);
}

TEST_F(Multifor, Section4Sobel) {
  add("Read[i,j] : 0 <= i < 8 and 0 <= j < 8", {{1, 0}, {1, 0}});
  add("Edge[i,j] : 0 <= i < 6 and 0 <= j < 6", {{1, 3}, {1, 3}});
  EXPECT_EQ(total(), 75);
  EXPECT_EQ(shared(), 25);
  const isl::union_map Neighbours =
      orders("{ Read[i,j] -> Edge[k,l] : k <= i <= k + 2 and l <= j <= l + 2 and 0 <= k < 6 and "
             "0 <= l < 6 }");
  EXPECT_TRUE(violatedOrders(Nests, Neighbours).is_empty().is_true());
  for (const unsigned Depth : {0U, 1U}) {
    ASSERT_TRUE(placeNests(Nests, Depth, Neighbours));
    EXPECT_THAT(offsets(Depth), ElementsAre(0, 2));
  }
}

/// Rows 1, 3, ... and 2, 4, ... of both colours, every other element.
class RedBlack : public Multifor {
protected:
  explicit RedBlack() {
    const std::vector<std::vector<LoopPosition>> Printed = {
        {{2, 0}, {2, 0}}, {{2, 1}, {2, 1}}, {{2, 0}, {2, 1}}, {{2, 1}, {2, 0}}};
    for (unsigned I = 0; I < Printed.size(); ++I)
      add("S" + std::to_string(I) + "[i,j] : 0 <= i < 4 and 0 <= j < 4", Printed[I]);
  }
  /// S0[i,j] is at row 1 + 2 i and column 1 + 2 j, S1 at 2 + 2 i and 2 + 2 j, S2 at 1 + 2 i and
  /// 2 + 2 j, S3 at 2 + 2 i and 1 + 2 j. Black elements have red ones around them.
  isl::union_map neighbours() const {
    return orders("{ S0[i,j] -> S2[i,l] : j - 1 <= l <= j; S1[i,j] -> S2[k,j] : i <= k <= i + 1; "
                  "S0[i,j] -> S3[k,j] : i - 1 <= k <= i; S1[i,j] -> S3[i,l] : j <= l <= j + 1 }")
        .intersect_domain(all())
        .intersect_range(all());
  }
  isl::union_set all() const {
    isl::union_set All = Nests.front().Domain;
    for (const PlacedNest &Nest : Nests)
      All = All.unite(Nest.Domain);
    return All;
  }
};

TEST_F(RedBlack, Section4OffsetsOfFigure5AreIllegal) {
  EXPECT_TRUE(violatedOrders(Nests, neighbours()).is_empty().is_false());
}

TEST_F(RedBlack, Section4LeastOffsets) {
  for (unsigned I : {0U, 1U})
    for (LoopPosition &At : Nests[I].Positions)
      At.IsOffsetGiven = true;
  ASSERT_TRUE(placeLexicographically(Nests, neighbours()));
  EXPECT_THAT(offsets(0), ElementsAre(0, 1, 1, 2));
  EXPECT_THAT(offsets(1), ElementsAre(0, 1, 1, 0));
  EXPECT_TRUE(violatedOrders(Nests, neighbours()).is_empty().is_true());
}

/// Four products of blocks at each of n/2 x n/2 x n points.
TEST_F(Multifor, Section4BlockProducts) {
  for (unsigned I = 0; I < 4; ++I)
    add("S" + std::to_string(I) + "[i,j,k] : 0 <= i < 4 and 0 <= j < 4 and 0 <= k < 8",
        {{1, 0}, {1, 0}, {1, 0}});
  EXPECT_EQ(total(), 4 * 4 * 8);
  EXPECT_EQ(shared(), total());
}

/// One text is encrypted while the one before is decrypted.
TEST_F(Multifor, Section4Cryptosystem) {
  constexpr long NumTexts = 12;
  add("Encrypt[i] : 0 <= i < 12", {{1, 0}});
  add("Decrypt[i] : 0 <= i < 12", {{1, 1}});
  EXPECT_EQ(total(), NumTexts + 1) << "instead of twice as many";
}

} // namespace
