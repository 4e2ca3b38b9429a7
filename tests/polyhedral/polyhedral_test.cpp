//===- tests/polyhedral/polyhedral_test.cpp - causes, schedules and identical results ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/polyhedral/nest_operands.h"
#include <gmock/gmock.h>

using namespace llvm;
using namespace specrt;

namespace {

/// One function of nests.c.
struct Compiler : NestCompiler {
  explicit Compiler(const char *Name) : NestCompiler(SPECRT_NESTS_IR, Name) {}
};

/// For caches so small that small arrays have several tiles of each kind and ragged edges. Several
/// threads: with parallel loops.
PolyhedralOptions onSmallCaches(StrategyId Schedule, unsigned Threads = 1) {
  PolyhedralOptions Options;
  Options.Schedule = findStrategy(Schedule);
  Options.Parallel = Threads > 1;
  Options.Target.VectorBytes = 32;
  Options.Target.L1Bytes = 2048;
  Options.Target.L2Bytes = 8192;
  Options.Target.Threads = Threads;
  return Options;
}

/// On small caches.
constexpr Sizes SeveralTiles = {96, 120, 72};

PolyhedralResult specialized(const char *Nest, StrategyId Schedule, unsigned Threads = 1) {
  return Compiler(Nest).specialize(SeveralTiles, onSmallCaches(Schedule, Threads));
}

std::vector<std::string> kinds(const std::vector<RejectionCause> &Causes) {
  std::vector<std::string> Kinds;
  for (const RejectionCause &Cause : Causes)
    Kinds.push_back(Cause.Kind + ":" + std::to_string(Cause.Line) +
                    (Cause.Speculative ? "?" : "!"));
  return Kinds;
}

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

TEST(Causes, SpeculativePollyFigure2aIsAliasing) {
  EXPECT_THAT(kinds(Compiler("figure2a").causes()), ElementsAre("alias:4?"));
}
TEST(Causes, SpeculativePollyFigure2bIsANonAffineAccess) {
  EXPECT_THAT(kinds(Compiler("figure2b").causes()), Contains("non-affine access:9?"));
}
TEST(Causes, AGuardMayKnowTheLengthOfARowInMemory) {
  std::vector<std::string> Kinds = kinds(Compiler("row_in_memory").causes());
  EXPECT_THAT(Kinds,
              Contains(testing::AllOf(StartsWith("non-affine access:"), testing::EndsWith("?"))));
  EXPECT_THAT(Kinds, testing::Not(Contains(testing::AllOf(StartsWith("non-affine access:"),
                                                          testing::EndsWith("!")))));
}
TEST(Causes, NoGuardMakesAnIndexFromAnArrayAffine) {
  std::vector<std::string> Kinds = kinds(Compiler("gathered").causes());
  EXPECT_THAT(Kinds,
              Contains(testing::AllOf(StartsWith("non-affine access:"), testing::EndsWith("!"))));
}
TEST(Causes, QuadraticBound) {
  EXPECT_THAT(kinds(Compiler("quadratic_bound").causes()), Contains("non-affine bound:12?"));
}
TEST(Causes, BoundInAStructField) {
  std::vector<std::string> Kinds = kinds(Compiler("field_bound").causes());
  EXPECT_THAT(Kinds,
              Contains(testing::AnyOf(StartsWith("non-affine bound:19"), StartsWith("alias:"))));
}
TEST(Causes, AnAffineNestHasNone) { EXPECT_THAT(Compiler("affine").causes(), IsEmpty()); }

struct Case {
  const char *Nest;
  StrategyId Schedule;
  bool Parallel;
};
class Identical : public testing::TestWithParam<Case> {};

TEST_P(Identical, ToTheOriginalOnOddSizes) {
  const Case &C = GetParam();
  for (const Sizes &S : {Sizes{37, 53, 29}, {64, 96, 32}, {3, 100, 7}, {1, 1, 1}}) {
    Compiler Reference(C.Nest), Candidate(C.Nest);
    Candidate.specialize(S, onSmallCaches(C.Schedule, C.Parallel ? 2 : 1));
    EXPECT_TRUE(haveSameResults(Reference.compile(), Candidate.compile(), S))
        << S[0] << "x" << S[1] << "x" << S[2];
  }
}

std::vector<Case> allCases() {
  std::vector<Case> Cases;
  for (const char *Nest : {"product", "scaled_product", "transposed_product", "triangular_product",
                           "in_place_seidel", "stencil", "row_filter", "backward_filter",
                           "column_filter", "columns", "long_filter", "shortest_paths"})
    for (StrategyId P : {StrategyId::SourceOrder, StrategyId::IslSchedule, StrategyId::Contraction,
                         StrategyId::TimeTiles, StrategyId::OuterVectors})
      for (bool Parallel : {false, true})
        Cases.push_back({Nest, P, Parallel});
  return Cases;
}
std::string caseName(const testing::TestParamInfo<Case> &Info) {
  const char *Policies[] = {"constants", "tiled", "time_tiled", "pipeline",
                            "vector",    "polly", "original"};
  return std::string(Info.param.Nest) + "_" + Policies[int(Info.param.Schedule)] +
         (Info.param.Parallel ? "_parallel" : "");
}
INSTANTIATE_TEST_SUITE_P(Nests, Identical, testing::ValuesIn(allCases()), caseName);

struct StencilCase {
  const char *Nest;
  Sizes S;
};
class TimeTiled : public testing::TestWithParam<StencilCase> {};

/// Tiles the stencil in time, compares its results, and returns what was noted.
std::string timeTiled(const StencilCase &C, bool Parallel, bool KnownSteps = true) {
  Compiler Reference(C.Nest), Candidate(C.Nest);
  PolyhedralOptions Options = onSmallCaches(StrategyId::TimeTiles, Parallel ? 4 : 1);
  Options.Target.L2Bytes = 32768;
  PolyhedralResult Result = Candidate.specialize(C.S, Options, KnownSteps ? 3 : 2);
  EXPECT_EQ(Result.NumGenerated, 1u) << Result.Notes;
  EXPECT_EQ(Result.NumParallel, Parallel ? 1u : 0u) << Result.Notes;
  EXPECT_TRUE(haveSameResults(Reference.compile(), Candidate.compile(), C.S));
  return Result.Notes;
}

TEST_P(TimeTiled, TilesOfSeveralStepsGiveTheSameBits) {
  EXPECT_THAT(timeTiled(GetParam(), /*Parallel=*/false), testing::HasSubstr("steps"));
}
TEST_P(TimeTiled, TilesOfAWaveAreIndependent) {
  EXPECT_THAT(timeTiled(GetParam(), /*Parallel=*/true), testing::HasSubstr("points"));
}

constexpr StencilCase StencilCases[] = {
    {"jacobi_1d", {3001, 3, 37}},      {"jacobi_2d", {61, 83, 23}},
    {"jacobi_2d", {400, 7, 5}},        {"copied_back", {70, 50, 19}},
    {"three_fields", {53, 47, 21}},    {"heat_3d", {40, 19, 11}},
    {"in_place_seidel", {64, 90, 20}}, {"copied_rows", {70, 50, 19}},
    {"copied_grid", {70, 50, 19}},
};
INSTANTIATE_TEST_SUITE_P(Stencils, TimeTiled, testing::ValuesIn(StencilCases),
                         [](const testing::TestParamInfo<StencilCase> &Info) {
                           return Info.param.Nest + ("_" + std::to_string(Info.param.S[0]));
                         });

TEST(TimeTiled, WhereverIslGivesUpTheCodeIsKept) {
  unsigned NumTiled = 0, NumKept = 0;
  for (const char *Nest : {"jacobi_2d", "in_place_seidel"})
    for (unsigned long Limit = 1; Limit < 100'000; Limit += 1 + Limit / 3) {
      PolyhedralOptions Options = onSmallCaches(StrategyId::TimeTiles, 4);
      Options.MaxTilingOperations = Limit;
      bool Tiled = Compiler(Nest).specialize({64, 90, 20}, Options).NumGenerated == 1;
      ++(Tiled ? NumTiled : NumKept);
    }
  EXPECT_GE(NumTiled, 2u);
  EXPECT_GE(NumKept, 20u);
}
TEST(TimeTiled, TheNumberOfStepsMayBeUnknown) {
  for (const char *Nest : {"jacobi_2d", "in_place_seidel"})
    for (bool Parallel : {false, true})
      EXPECT_THAT(timeTiled({Nest, {64, 90, 21}}, Parallel, /*KnownSteps=*/false),
                  testing::HasSubstr("points"));
}
TEST(TimeTiled, NestsThatAreNoStencilKeepTheirCode) {
  auto Notes = [](const char *Nest) {
    PolyhedralResult Result = specialized(Nest, StrategyId::TimeTiles);
    EXPECT_EQ(Result.NumGenerated, 0u) << Nest;
    return Result.Notes;
  };
  EXPECT_THAT(Notes("stencil"), testing::HasSubstr("the steps do not depend on each other"));
  EXPECT_THAT(Notes("product"), testing::HasSubstr("the steps do not depend on each other"));
  EXPECT_THAT(Notes("far_neighbours"), testing::HasSubstr("spans too many points"));
}
TEST(TimeTiled, AGridInTheCacheIsLeftAlone) {
  PolyhedralOptions Options;
  Options.Schedule = findStrategy(StrategyId::TimeTiles);
  PolyhedralResult Result = Compiler("jacobi_2d").specialize({20, 20, 100}, Options);
  EXPECT_EQ(Result.NumGenerated, 0u);
  EXPECT_THAT(Result.Notes, testing::HasSubstr("fits the cache"));
}

TEST(Tiled, ContractionsInEveryLoopOrderGetRegisterTiles) {
  for (const char *Nest : {"product", "scaled_product", "transposed_product"}) {
    PolyhedralResult Result = specialized(Nest, StrategyId::Contraction);
    EXPECT_EQ(Result.NumGenerated, 1u) << Nest << ": " << Result.Notes;
  }
}
TEST(Tiled, NestsWithoutAContractionKeepTheirCode) {
  for (const char *Nest : {"in_place_seidel", "stencil"}) {
    PolyhedralResult Result = specialized(Nest, StrategyId::Contraction);
    EXPECT_EQ(Result.NumGenerated, 0u) << Nest;
    EXPECT_THAT(Result.Notes, testing::HasSubstr("no contraction"));
  }
}

TEST(Vector, RowsOfRecurrencesRunSideBySide) {
  for (const char *Nest : {"row_filter", "backward_filter", "column_filter"}) {
    PolyhedralResult Result = specialized(Nest, StrategyId::OuterVectors);
    EXPECT_EQ(Result.NumGenerated, 1u) << Nest << ": " << Result.Notes;
  }
}
TEST(Vector, ColumnsBecomeTheInnermostLoop) {
  PolyhedralResult Result = specialized("columns", StrategyId::OuterVectors);
  EXPECT_EQ(Result.NumGenerated, 1u) << Result.Notes;
}
TEST(Vector, LoopsAreSplitWhereTheyReadWhatTheyWrite) {
  PolyhedralResult Result = specialized("shortest_paths", StrategyId::OuterVectors);
  EXPECT_EQ(Result.NumGenerated, 1u) << Result.Notes;
}
TEST(Vector, RowsThatDependOnEachOtherKeepTheirOrder) {
  for (const char *Nest : {"long_filter", "in_place_seidel"})
    EXPECT_THAT(specialized(Nest, StrategyId::OuterVectors).Notes,
                testing::HasSubstr("innermost loops stay as they are"))
        << Nest;
}
TEST(Vector, IndependentInnermostLoopsAreLeftToTheVectorizer) {
  for (const char *Nest : {"stencil", "jacobi_2d", "neighbours"})
    EXPECT_EQ(specialized(Nest, StrategyId::OuterVectors).NumGenerated, 0u) << Nest;
}

/// Tries the policies on shared models; compares results with the original.
PolyhedralResult firstOf(ArrayRef<StrategyId> Policies, const char *Nest) {
  const Sizes S = SeveralTiles;
  Compiler Reference(Nest), Candidate(Nest);
  PolyhedralOptions Options = onSmallCaches(Policies.front());
  SmallVector<const SchedulePolicy *> Otherwise;
  for (StrategyId Id : Policies.drop_front())
    Otherwise.push_back(findStrategy(Id));
  Options.Otherwise = Otherwise;
  PolyhedralResult Result = Candidate.specialize(S, Options);
  EXPECT_TRUE(haveSameResults(Reference.compile(), Candidate.compile(), S)) << Nest;
  return Result;
}

TEST(Shared, TheFirstPolicyThatFindsSomethingIsApplied) {
  constexpr StrategyId All[] = {StrategyId::Contraction, StrategyId::OuterVectors,
                                StrategyId::TimeTiles, StrategyId::IslSchedule,
                                StrategyId::SourceOrder};
  PolyhedralResult Result = firstOf(All, "product");
  EXPECT_EQ(Result.NumKernels, 1u);
  EXPECT_THAT(Result.Passed, IsEmpty());
  Result = firstOf(All, "row_filter");
  EXPECT_EQ(Result.NumGenerated, 1u);
  ASSERT_EQ(Result.Passed.size(), 1u);
  EXPECT_THAT(Result.Passed[0].Notes, testing::HasSubstr("no contraction"));
  Result = firstOf(All, "stencil");
  EXPECT_EQ(Result.NumGenerated, 1u);
  EXPECT_GE(Result.Passed.size(), 3u);
}
TEST(Shared, TilesInTimeNeedNoModelOfTheirOwn) {
  PolyhedralResult Result =
      firstOf({StrategyId::Contraction, StrategyId::TimeTiles}, "in_place_seidel");
  EXPECT_EQ(Result.NumGenerated, 1u) << Result.Notes;
  EXPECT_EQ(Result.Passed.size(), 1u);
}
TEST(Shared, PoliciesThatNeedOtherModelsAreLeftToAnotherCall) {
  // The order of the source wants storage as it was.
  PolyhedralResult Result =
      firstOf({StrategyId::Contraction, StrategyId::SourceOrder}, "row_filter");
  EXPECT_EQ(Result.NumGenerated, 0u);
  EXPECT_THAT(Result.Passed, IsEmpty());
}

TEST(Parallel, OutermostLoopWithoutDependencesBecomesAParallelLoop) {
  EXPECT_EQ(specialized("product", StrategyId::Contraction, 2).NumParallel, 1u);
  PolyhedralOptions Options;
  Options.Parallel = true;
  EXPECT_EQ(Compiler("in_place_seidel").specialize({20, 20, 4}, Options).NumParallel, 0u);
}
TEST(Parallel, GeneratedCodeCallsTheEntryPoints) {
  const Sizes S = {64, 64, 64};
  Compiler Candidate("product");
  PolyhedralOptions Options;
  Options.Parallel = true;
  Candidate.specialize(S, Options);
  Operands Data = Operands::filledFor(S);
  int Before = LoopEntries::numReversed();
  Data.run(Candidate.compile(), S);
  EXPECT_EQ(LoopEntries::numReversed(), Before + 1);
}
TEST(Budget, AnExpiredBudgetLeavesTheFunctionAsItWas) {
  auto Expired = [] { return true; };
  PolyhedralOptions Options;
  Options.Schedule = findStrategy(StrategyId::IslSchedule);
  Options.Expired = Expired;
  PolyhedralResult Result = Compiler("product").specialize({64, 64, 64}, Options);
  EXPECT_EQ(Result.NumGenerated, 0u);
}

} // namespace
