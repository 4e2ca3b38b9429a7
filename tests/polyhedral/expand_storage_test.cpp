//===- tests/polyhedral/expand_storage_test.cpp - what gets a place for every value ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which storage is expanded, by the model that the phases print. That the results are right:
// contraction_test.cpp.
//
//===----------------------------------------------------------------------===//
#include "specializer/polyhedral/storage/expand_storage.h"
#include "tests/polyhedral/nest_compiler.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"
#include <gmock/gmock.h>
#include <regex>
#include <set>

using namespace llvm;
using namespace specrt;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

struct Expanded {
  std::set<std::string> Scalars, Arrays; ///< dimensions of the new arrays, such as "[20][30]"
};

Expanded expanded(const char *Nest, const Sizes &S, unsigned long MaxOperations = 3'000'000) {
  NestCompiler Compiler(SPECRT_CONTRACTIONS_IR, Nest);
  std::string Trace;
  raw_string_ostream Stream(Trace);
  PolyhedralOptions Options;
  Options.Schedule = findStrategy(StrategyId::Contraction);
  Options.MaxTilingOperations = MaxOperations;
  Options.Dump = &Stream;
  Compiler.specialize(S, Options);
  Expanded Result;
  std::regex New("(MemRef\\w+?)_expanded[0-9]*((\\[[0-9]+\\])+);");
  for (std::sregex_iterator I(Trace.begin(), Trace.end(), New), End; I != End; ++I) {
    bool IsArray = StringRef(Trace).contains((*I)[1].str() + "[*];");
    (IsArray ? Result.Arrays : Result.Scalars).insert((*I)[2]);
  }
  return Result;
}

TEST(ExpandStorage, AScalarGetsAllLoopsThatItsValuesStayIn) {
  EXPECT_THAT(expanded("symm", {60, 50, 1}).Scalars,
              testing::IsSupersetOf({"[59][50]", "[60][50]"}));
}
TEST(ExpandStorage, ARowOfSumsGetsColumns) {
  EXPECT_THAT(expanded("row_of_sums", {13, 97, 61}).Arrays, ElementsAre("[97][61]"));
}
TEST(ExpandStorage, ValuesThatComeFromBeforeForbidIt) {
  EXPECT_THAT(expanded("carried_row", {5, 30, 20}).Arrays, IsEmpty());
  EXPECT_THAT(expanded("half_a_row", {5, 30, 20}).Arrays, IsEmpty());
}
TEST(ExpandStorage, MatricesWithRowsStayAsTheyAre) {
  for (const char *Nest : {"copied_result", "order_ijk"})
    EXPECT_THAT(expanded(Nest, {50, 40, 30}).Arrays, IsEmpty()) << Nest;
}
TEST(ExpandStorage, TooMuchMemoryForbidsItOrLeavesOuterLoopsOut) {
  static_assert(MaxExpandedBytes == 64L * 1024 * 1024);
  EXPECT_THAT(expanded("row_of_sums", {2, 1'200'000, 8}).Arrays, IsEmpty());
  EXPECT_THAT(expanded("symm", {3000, 3000, 1}).Scalars,
              testing::AllOf(testing::Not(IsEmpty()),
                             testing::Each(testing::MatchesRegex("\\[[0-9]+\\]"))));
}
TEST(ExpandStorage, TooFewOperationsForbidIt) {
  EXPECT_THAT(expanded("row_of_sums", {5, 30, 20}).Arrays, ElementsAre("[30][20]"));
  EXPECT_THAT(expanded("row_of_sums", {5, 30, 20}, 100).Arrays, IsEmpty());
}

void setAlignment(Function &F, Align A) {
  for (Instruction &I : instructions(F))
    if (auto *Load = dyn_cast<LoadInst>(&I))
      Load->setAlignment(A);
    else if (auto *Store = dyn_cast<StoreInst>(&I))
      Store->setAlignment(A);
}

/// Rows of 25 elements begin anywhere.
TEST(ExpandStorage, AccessesPromiseNoAlignmentInTheirNewPlace) {
  NestCompiler Compiler(SPECRT_CONTRACTIONS_IR, "smoothed_row");
  Function &F = Compiler.withSizes({5, 70, 25});
  setAlignment(F, Align(64));
  PolyhedralOptions Options;
  Options.Schedule = findStrategy(StrategyId::OuterVectors);
  Options.Target = describeHost(Compiler.costs(), 1);
  PolyhedralResult Result = optimizeScops(F, Compiler.functions(), Options);
  ASSERT_EQ(Result.NumGenerated, 1u) << Result.Notes;
  unsigned InScratch = 0;
  for (Instruction &I : instructions(F))
    if (isa<LoadInst, StoreInst>(I) &&
        isa<CallInst>(getUnderlyingObject(getLoadStorePointerOperand(&I), 100))) {
      ++InScratch;
      EXPECT_LE(getLoadStoreAlignment(&I), Align(8));
    }
  EXPECT_GT(InScratch, 0u) << "nothing was expanded";
}

/// Members of packed structures get no values from elsewhere, because those come aligned.
TEST(ExpandStorage, ArraysBelowTheAlignmentOfTheirTypeForbidIt) {
  auto NumExpanded = [](Align A) {
    NestCompiler Compiler(SPECRT_CONTRACTIONS_IR, "symm");
    Function &F = Compiler.withSizes({60, 50, 1});
    setAlignment(F, A);
    PolyhedralOptions Options;
    Options.Schedule = findStrategy(StrategyId::OuterVectors);
    std::string Trace;
    raw_string_ostream Stream(Trace);
    Options.Dump = &Stream;
    optimizeScops(F, Compiler.functions(), Options);
    return StringRef(Trace).count("_expanded[");
  };
  EXPECT_GT(NumExpanded(Align(8)), 0u);
  EXPECT_EQ(NumExpanded(Align(4)), 0u);
}

} // namespace
