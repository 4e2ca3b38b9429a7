//===- tests/jit/rows/entries_test.cpp - loops over entries that name their rows ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/jit/rows/kernel.h"

extern "C" {
void entries(long, const int *, const int *, const double *, const double *, double *);
void elements(long, const int *, const int *, const double *, const double *, double *);
void long_entries(const long *, const long *, const long *, const float *, const float *, float *);
}

using namespace specrt;

namespace {

constexpr int Cases = 500; // of each candidate

/// Each entry names its row, mostly in order.
template <typename Index, typename Value> struct Listed : Sparse<Index, Index, Value> {
  std::vector<Index> Row;

  Listed(const Pattern &Rows, size_t Columns, Random &Engine)
      : Sparse<Index, Index, Value>(Rows, Columns, Engine) {
    name(Engine);
  }
  void assign(const Pattern &Rows, size_t Columns, Random &Engine) {
    Sparse<Index, Index, Value>::assign(Rows, Columns, Engine);
    name(Engine);
  }

private:
  void name(Random &Engine) {
    Row.clear();
    for (size_t I = 0; I + 1 < this->Ptr.size(); ++I)
      Row.insert(Row.end(), size_t(this->Ptr[I + 1] - this->Ptr[I]), Index(I));
    if (!Row.empty() && upTo(Engine, 7) == 0)
      std::swap(Row.front(), Row[size_t(upTo(Engine, int(Row.size()) - 1))]);
    if (upTo(Engine, 15) == 0)
      std::shuffle(Row.begin(), Row.end(), Engine);
  }
};

template <typename Kernel> void compareMany(Kernel Of) {
  Of.File = SPECRT_LINEAR_KERNELS;
  Of.compareMany(Cases);
}

TEST(Entries, AddUpInTheirOrder) {
  using Matrix = Listed<int, double>;
  compareMany(rowKernel<Matrix>("entries", &entries, [](auto *F, Matrix &A) {
    F(long(A.Row.size()), A.Row.data(), A.Col.data(), A.Val.data(), A.X.data(), A.Y.data());
  }));
}

TEST(Entries, OfOtherTypes) {
  using Matrix = Listed<long, float>;
  compareMany(rowKernel<Matrix>("long_entries", &long_entries, [](auto *F, Matrix &A) {
    F(A.Row.data(), A.Row.data() + A.Row.size(), A.Col.data(), A.Val.data(), A.X.data(),
      A.Y.data());
  }));
}

TEST(Entries, OfARowThatIsOneStayTogether) {
  constexpr long Elements = 200;
  Random Engine(9);
  std::vector<int> Row, Col;
  for (int I = 0; I < 8 * Elements; ++I) {
    Row.push_back(I);
    Col.push_back(I / 2);
  }
  const std::vector<double> Val = someNumbers<double>(Row.size(), Engine),
                            X = someNumbers<double>(Row.size(), Engine);
  const auto Run = [&](decltype(&elements) F) {
    std::vector<double> Y(Row.size(), 0.5);
    F(Elements, Row.data(), Col.data(), Val.data(), X.data(), Y.data());
    return Y;
  };
  const RowVersions Versions(
      "elements", [&](void *Body) { Run(reinterpret_cast<decltype(&elements)>(Body)); },
      SPECRT_LINEAR_KERNELS);
  ASSERT_FALSE(Versions.all().empty()) << lastLog();
  for (const RowVersion &V : Versions.all()) {
    V.begin();
    EXPECT_TRUE(same(Run(reinterpret_cast<decltype(&elements)>(V.Body)), Run(&elements)));
    EXPECT_EQ(V.figures().Rows, uint64_t{Elements}) << V.figures().Problem;
    EXPECT_EQ(V.figures().Calls, 1U);
  }
}

} // namespace
