//===- tests/polyhedral/distribution/vector_parts_test.cpp - parts of loops for vectors ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/distribution/vector_parts.h"
#include "tests/polyhedral/nest_compiler.h"
#include "tests/polyhedral/nest_operands.h"
#include "llvm/IR/Verifier.h"
#include "gtest/gtest.h"

using namespace specrt;

namespace {

struct Made : ComparedRun {
  unsigned Split = 0; ///< loops
};

Made make(const char *Name, const Sizes &S, unsigned NumKnown) {
  NestCompiler Compiler(SPECRT_DISTRIBUTED_NESTS_IR, Name);
  llvm::Function &F = Compiler.withSizes(S, NumKnown);
  Made All;
  All.Split = splitForVectors(F, Compiler.functions(), [] { return false; });
  EXPECT_FALSE(verifyFunction(F, &llvm::errs()));
  static_cast<ComparedRun &>(All) =
      compareRun(originalNest(SPECRT_DISTRIBUTED_NESTS_IR, Name), Compiler.compile(), S);
  return All;
}

class SplitNests : public testing::TestWithParam<const char *> {};

TEST_P(SplitNests, KeepTheOrderOfUpdates) {
  for (const Sizes &S : {Sizes{40, 12, 9}, Sizes{900, 3, 2}})
    for (const unsigned NumKnown : {3U, 0U}) {
      SCOPED_TRACE(NumKnown);
      const Made All = make(GetParam(), S, NumKnown);
      EXPECT_EQ(All.Split, 1u);
      EXPECT_TRUE(All.IsRight);
    }
}

INSTANTIATE_TEST_SUITE_P(, SplitNests,
                         testing::Values("energy_of_points", "energy_of_rows",
                                         "distances_of_pairs"),
                         [](const auto &Info) { return std::string(Info.param); });

TEST(VectorParts, AreSplitOffOnlyWhereTheyHelp) {
  for (const char *Name : {"without_order", "chain_of_terms", "chained", "cheap_terms"}) {
    SCOPED_TRACE(Name);
    const Made All = make(Name, {40, 12, 9}, 3);
    EXPECT_EQ(All.Split, 0u);
    EXPECT_TRUE(All.IsRight);
  }
}

} // namespace
