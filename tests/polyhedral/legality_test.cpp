//===- tests/polyhedral/legality_test.cpp - which schedules are accepted ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/schedule/legality.h"
#include "isl/ctx.h"
#include "isl/options.h"
#include "isl/schedule_node.h"
#include <gtest/gtest.h>

using namespace specrt;

namespace {

class Legality : public testing::Test {
protected:
  Legality() { isl_options_set_on_error(Context, ISL_ON_ERROR_CONTINUE); }
  ~Legality() override { isl_ctx_free(Context); }

  /// Is one loop, in which the statements run as \p Function says, a valid order?
  bool isValid(const char *Function) const {
    isl::ctx Ctx(Context);
    isl::union_set Domain(Ctx, "{ A[i] : 0 <= i < 10; B[i] : 0 <= i < 10 }");
    isl::union_map Validity(Ctx, "{ A[i] -> B[i + 1] : 0 <= i < 9 }");
    isl::schedule_node Leaf = isl::schedule::from_domain(Domain).get_root().first_child();
    isl::multi_union_pw_aff Loop(Ctx, Function);
    return respects(Leaf.insert_partial_schedule(Loop).get_schedule(), Validity);
  }

  isl_ctx *Context = isl_ctx_alloc();
};

TEST_F(Legality, KeepsTheOrderOfAllPairs) {
  EXPECT_TRUE(isValid("[{ A[i] -> [(i)]; B[i] -> [(i)] }]"));
  EXPECT_TRUE(isValid("[{ A[i] -> [(i)]; B[i] -> [(i + 5)] }]"));
  EXPECT_FALSE(isValid("[{ A[i] -> [(i)]; B[i] -> [(i - 1)] }]")) << "at the same time";
  EXPECT_FALSE(isValid("[{ A[i] -> [(-i)]; B[i] -> [(-i)] }]"));
}

TEST_F(Legality, IterationsWithoutAPlaceAreNone) {
  EXPECT_FALSE(isValid("[{ A[i] -> [(i)] }]"));
  EXPECT_FALSE(isValid("[{ A[i] -> [(i)]; B[i] -> [(i)] : i > 5 }]"));
}

TEST_F(Legality, NoScheduleIsNotValid) { EXPECT_FALSE(respects({}, {})); }

} // namespace
