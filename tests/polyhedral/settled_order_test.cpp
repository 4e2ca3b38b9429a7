//===- tests/polyhedral/settled_order_test.cpp - nests that no other order helps ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/schedule/settled_order.h"
#include "tests/polyhedral/nest_compiler.h"
#include <gmock/gmock.h>

using namespace specrt;
using testing::HasSubstr;
using testing::Not;

namespace {

/// Returns the notes of an optimization of the nest by isl's scheduler. They contain
/// SettledOrderNote if the scheduler was not called.
std::string notesOf(const char *Nest, const Sizes &S, unsigned CacheBytes = 4096) {
  NestCompiler Compiler(SPECRT_NESTS_IR, Nest);
  PolyhedralOptions Options;
  Options.Schedule = findStrategy(StrategyId::IslSchedule);
  Options.Target = describeHost(Compiler.costs(), 1);
  Options.Target.L2Bytes = CacheBytes;
  return Compiler.specialize(S, Options).Notes;
}

TEST(SettledOrder, NothingIsUsedAgain) {
  EXPECT_THAT(notesOf("scaled_sum", {100, 120, 1}), HasSubstr(SettledOrderNote));
}

TEST(SettledOrder, IterationsThatWaitForEachOther) {
  EXPECT_THAT(notesOf("row_buffer", {100, 120, 1}), Not(HasSubstr(SettledOrderNote)));
}

TEST(SettledOrder, AlongColumns) {
  for (const unsigned CacheBytes : {4096, 1 << 20})
    EXPECT_THAT(notesOf("scaled_columns", {100, 120, 1}, CacheBytes),
                Not(HasSubstr(SettledOrderNote)));
}

TEST(SettledOrder, WhatIsUsedAgainFitsTheCache) {
  EXPECT_THAT(notesOf("row_added_to_all", {100, 120, 1}, 4096), HasSubstr(SettledOrderNote));
  EXPECT_THAT(notesOf("row_added_to_all", {100, 120, 1}, 512), Not(HasSubstr(SettledOrderNote)));
}

} // namespace
