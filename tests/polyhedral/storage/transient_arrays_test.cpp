//===- tests/polyhedral/storage/transient_arrays_test.cpp - arrays for a short time ---===//
//---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each nest leaves in all arrays is compared with the original, byte by byte, beyond the
// arrays as well. Parallel loops run in reversed order.
//
//===----------------------------------------------------------------------===//
#include "specializer/polyhedral/storage/transient_arrays.h"
#include "tests/polyhedral/nest_compiler.h"
#include "tests/polyhedral/nest_operands.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <gmock/gmock.h>

using namespace llvm;
using namespace specrt;
using testing::HasSubstr;
using testing::Not;

namespace {

struct Made {
  PolyhedralResult Result;
  bool IsRight = false;
};

Made make(const char *Name, const Sizes &S, unsigned Threads,
          StrategyId Policy = StrategyId::OuterVectors) {
  NestCompiler Compiler(SPECRT_TRANSIENT_NESTS_IR, Name);
  PolyhedralOptions Options;
  Options.Schedule = findStrategy(Policy);
  Options.Parallel = Threads > 1;
  Options.Target = describeHost(Compiler.costs(), Threads);
  Options.Target.ParallelWorkNs = 0;
  Options.Dump = std::getenv("DUMP") ? &errs() : nullptr;
  Made All;
  All.Result = Compiler.specialize(S, Options);
  All.IsRight =
      haveSameResults(originalNest(SPECRT_TRANSIENT_NESTS_IR, Name), Compiler.compile(), S);
  return All;
}

class TransientArray : public testing::TestWithParam<const char *> {};

TEST_P(TransientArray, GetsAsMuchMemoryAsItHoldsAtATime) {
  const Made All = make(GetParam(), {100, 100, 9}, 1);
  EXPECT_THAT(All.Result.Notes, HasSubstr(" -> "));
  EXPECT_TRUE(All.IsRight) << All.Result.Notes;
}

INSTANTIATE_TEST_SUITE_P(, TransientArray,
                         testing::Values("line_solver", "two_directions", "shorter_second_sweep",
                                         "shrinking_lines"));

} // namespace
