//===- tests/polyhedral/contraction/contraction_test.cpp - bits of kernels ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every nest of contractions.c is specialised for several sizes and processors and runs on arrays
// that touch pages without access, so that a kernel that reads or writes beyond an array faults.
// Everything on the accessible pages must be the same afterwards, and operands may not be written.
//
// SPECRT_TEST_SIZES=N tries N random sizes of each nest instead of a few.
//
//===----------------------------------------------------------------------===//
#include "tests/polyhedral/contraction/contraction_run.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <cstdlib>
#include <gmock/gmock.h>
#include <random>

using namespace llvm;
using namespace specrt;
using testing::Conditional;
using testing::HasSubstr;
using testing::Not;

namespace {

class Contraction : public testing::TestWithParam<ContractionCase> {};

TEST_P(Contraction, BecomesAKernelWithTheSameBits) {
  const ContractionCase &Of = GetParam();
  for (bool SmallCaches : {false, true}) {
    std::string Notes = expectSame(Of, {131, 97, 61}, {{}, SmallCaches, false});
    if (Of.HasKernel)
      EXPECT_THAT(Notes, HasKernels());
    bool Unpacked = !SmallCaches && Of.isBox() && !Of.isUsedOnce();
    if (!Of.isOfOwnResults())
      EXPECT_THAT(Notes, Conditional(Unpacked, IsUnpacked(), Not(IsUnpacked())));
  }
}

TEST_P(Contraction, BecomesAKernelInParallelLoops) {
  const ContractionCase &Of = GetParam();
  std::string Notes = expectSame(Of, {131, 97, 61}, {{}, false, true});
  if (Of.HasKernel)
    EXPECT_THAT(Notes, HasKernels());
}

TEST_P(Contraction, BecomesAKernelForOtherMachines) {
  const ContractionCase &Of = GetParam();
  for (const Machine &For : {Avx2, Sse2}) {
    std::string Notes = expectSame(Of, {115, 47, 49}, {For, true, false});
    if (Of.HasKernel)
      EXPECT_THAT(Notes, HasKernels());
  }
}

TEST_P(Contraction, IsNotPackedWhenItIsSmall) {
  const ContractionCase &Of = GetParam();
  // Full and ragged vectors, with and without a loop over k, one row.
  struct {
    Machine For;
    Sizes S;
  } Runs[] = {{{}, {33, 29, 23}},
              {Avx2, {33, 29, 23}},
              {Sse2, {17, 11, 26}},
              {{}, {7, 13, 5}},
              {{}, {1, 64, 40}}};
  for (const auto &[For, S] : Runs) {
    std::string Notes = expectSame(Of, S, {For, false, false});
    if (Of.isBox() && !Of.isUsedOnce() && S[0] > 1)
      EXPECT_THAT(Notes, IsUnpacked());
  }
}

TEST_P(Contraction, HasTheSameBitsForAnySize) {
  constexpr long Some[] = {0, 1, 2, 3, 7, 8, 9, 23, 24, 25, 47, 48, 49, 50, 97, 200};
  const ContractionCase &Of = GetParam();
  const char *Wanted = std::getenv("SPECRT_TEST_SIZES");
  int Count = Wanted ? std::atoi(Wanted) : 2;
  std::string Name = Of.Nest;
  std::seed_seq Seed(Name.begin(), Name.end());
  std::mt19937 Random(Seed);
  for (int I = 0; I < Count; ++I) {
    Sizes S;
    for (long &Size : S)
      Size = Some[Random() % std::size(Some)];
    expectSame(Of, S, {{}, Random() % 2 == 0, Random() % 2 == 0});
    if (HasFailure())
      return;
  }
}

std::string caseName(const testing::TestParamInfo<ContractionCase> &Info) {
  return Info.param.Nest;
}
INSTANTIATE_TEST_SUITE_P(Nests, Contraction, testing::ValuesIn(contractionCases()), caseName);

TEST(Contractions, WhatIsLeftOfATileIsCutOnceMore) {
  NestCompiler Compiler(SPECRT_CONTRACTIONS_IR, "cholesky", {});
  PolyhedralResult Result = specialize(Compiler, {400, 1, 1}, {});
  EXPECT_EQ(Result.NumKernels, 2u) << Result.Notes;
}

TEST(Contractions, PiecesOfATriangleBeginWithTheLargest) {
  std::string Text;
  raw_string_ostream Dump(Text);
  NestCompiler Compiler(SPECRT_CONTRACTIONS_IR, "lower", {});
  Setting With;
  With.Parallel = true;
  With.Dump = &Dump;
  specialize(Compiler, {131, 97, 61}, With);
  // Two for each of three workers; rows become longer.
  EXPECT_THAT(Text, HasSubstr("for (int c0 = -5; c0 <= 0; c0 += 1)"));
}

TEST(Contractions, OfTheirOwnResultsForEverySize) {
  // Around the edges of tiles; SPECRT_TEST_SIZES: all.
  bool All = std::getenv("SPECRT_TEST_SIZES");
  for (const char *Nest : {"folding", "folding_sum", "matrix_chain"})
    for (long Size = 0; Size <= 70; Size += All || Size % 24 < 2 || Size % 24 == 23 ? 1 : 7) {
      expectSame(contractionCase(Nest), {Size, 1, 1}, {{}, false, Size % 2 == 1});
      if (HasFailure())
        return;
    }
}

TEST(Contractions, OfTheirOwnResultsByRows) {
  for (const char *Nest : {"folding", "folding_xor", "folding_sum", "matrix_chain"})
    for (long Size : {0, 1, 2, 3, 17, 60, 101}) {
      std::string Notes = expectSame(contractionCase(Nest), {Size, 1, 1},
                                     {{}, false, false, 0, StrategyId::OuterVectors});
      if (Size >= 17)
        EXPECT_THAT(Notes, HasSubstr("code generated")) << Nest;
    }
  // The order of floating-point operations stays.
  EXPECT_THAT(expectSame(contractionCase("folding_single"), {101, 1, 1},
                         {{}, false, false, 0, StrategyId::OuterVectors}),
              HasSubstr("innermost loops stay as they are"));
}

TEST(Contractions, OfTheirOwnResultsOnSeveralWorkers) {
  for (const char *Nest : {"folding", "folding_sum", "matrix_chain"}) {
    const Sizes S = {230, 1, 1};
    std::string Notes = expectSame(contractionCase(Nest), S, {{}, false, true});
    EXPECT_THAT(Notes, HasKernels()) << Nest;
    NestCompiler Compiler(SPECRT_CONTRACTIONS_IR, Nest);
    EXPECT_GT(specialize(Compiler, S, {{}, false, true}).NumParallel, 0u) << Nest;
  }
}

TEST(Contractions, ManyBlocksOfEveryKind) {
  for (const Sizes &S : {Sizes{5, 2150, 40}, Sizes{1100, 9, 150}, Sizes{3, 5, 1500}})
    for (const char *Nest : {"order_ikj", "transposed_b", "single", "two_bounds"}) {
      std::string Notes = expectSame(contractionCase(Nest), S, {{}, true, false});
      EXPECT_THAT(Notes, HasKernels()) << Nest;
    }
}

TEST(Contractions, ErrnoIsThatOfTheOriginal) {
  const ContractionCase &Of = contractionCase("cholesky");
  const Sizes S = {100, 1, 1};
  NestCompiler Compiler(SPECRT_CONTRACTIONS_IR, Of.Nest);
  EXPECT_THAT(specialize(Compiler, S, {}).Notes, HasKernels());
  Nest *Candidate = Compiler.compile();
  Nest *Original = originalNest(SPECRT_CONTRACTIONS_IR, Of.Nest);
  // Where no pivot is negative, one in the middle, and the first.
  for (long Negative : {-1L, 57L, 0L}) {
    Operands Expected = Of.operands(S, Side::End), Actual = Of.operands(S, Side::End);
    Expected.fill(Values::Dominant, S[0]);
    if (Negative >= 0)
      static_cast<double *>(Expected.C.data())[Negative * S[0] + Negative] = -3;
    Actual.copyFrom(Expected);
    errno = 0;
    Expected.run(Original, S);
    EXPECT_EQ(std::exchange(errno, 0), Negative < 0 ? 0 : EDOM);
    Actual.run(Candidate, S);
    EXPECT_EQ(errno, Negative < 0 ? 0 : EDOM);
    EXPECT_EQ(Actual.differences(Expected), 0u) << Negative;
  }
}

/// Factors that are no constants: values of the whole nest, or computed in the model from such.
TEST(Contractions, FactorsAreTheSameInAllIterations) {
  using ScaledNest = void(long, long, long, void *, void *, void *, double);
  auto Scaled = [](Nest *F) { return nestAs<ScaledNest>(F); };
  const Sizes S = {67, 45, 39};
  for (const char *Name : {"scaled_between", "scaled_both"}) {
    ScaledNest *Original = Scaled(originalNest(SPECRT_CONTRACTIONS_IR, Name));
    NestCompiler Compiler(SPECRT_CONTRACTIONS_IR, Name);
    PolyhedralResult Result = specialize(Compiler, S, {});
    EXPECT_EQ(Result.NumKernels, 1u) << Name << ": " << Result.Notes;
    ScaledNest *Candidate = Scaled(Compiler.compile());
    const ContractionCase Of = {Name, Element::Float64, product};
    Operands Expected = Of.operands(S, Side::End), Actual = Of.operands(S, Side::End);
    Expected.fill(Values::Ordinary);
    Actual.copyFrom(Expected);
    auto Run = [&](ScaledNest *F, Operands &On) {
      F(S[0], S[1], S[2], On.A.data(), On.B.data(), On.C.data(), 0.7);
    };
    Run(Original, Expected);
    Run(Candidate, Actual);
    EXPECT_EQ(Actual.differences(Expected), 0u) << Name;
  }
}

TEST(Quota, NeverEndsTheProcess) {
  // Wherever isl gives up, the nest keeps its code or is computed right.
  for (const char *Nest : {"order_ijk", "cholesky", "ludcmp", "folding"}) {
    const ContractionCase &Of = contractionCase(Nest);
    const Sizes S = {131, 9, 8};
    bool IsFound = false;
    for (unsigned long Most = 50; !IsFound && Most < 3'000'000; Most = Most * 5 / 3) {
      NestCompiler Compiler(SPECRT_CONTRACTIONS_IR, Of.Nest);
      PolyhedralOptions Options;
      Options.Schedule = findStrategy(StrategyId::Contraction);
      Options.MaxTilingOperations = Most;
      PolyhedralResult Result = Compiler.specialize(S, Options);
      IsFound = StringRef(Result.Notes).contains("contraction kernels");
      EXPECT_EQ(IsFound, Result.NumGenerated > 0) << Result.Notes;
      expectSame(originalNest(SPECRT_CONTRACTIONS_IR, Of.Nest), Compiler.compile(), Of, S,
                 Side::End, Of.Fill);
      if (HasFailure())
        return;
    }
    EXPECT_TRUE(IsFound) << Nest;
  }
}

} // namespace
