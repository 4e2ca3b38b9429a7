//===- tests/polyhedral/random_nests_test.cpp - random nests, bit by bit ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contractions and arbitrary nests under every policy, for processors with random caches and
// registers, from which tiles and register blocks follow: what a program would hardly ever meet.
// FUZZ_SEEDS=<first>-<last> runs other seeds than the default one.
//
//===----------------------------------------------------------------------===//
#include "tests/fuzz/condition_generator.h"
#include "tests/fuzz/nest_generator.h"
#include "tests/fuzz/scatter_generator.h"
#include "tests/fuzz/seeds.h"
#include "tests/fuzz/sweep_generator.h"
#include "tests/fuzz/triangle_generator.h"
#include "tests/polyhedral/generated_nests.h"
#include "tests/polyhedral/nest_operands.h"
#include "llvm/ADT/StringSwitch.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace specrt;

namespace {

using Kernel = void(void *, void *, void *, int, int, int);

/// Kernels have an order of parameters of their own.
Kernel *asKernel(Nest *F) { return nestAs<Kernel>(F); }

Element elementOf(StringRef Type) {
  return StringSwitch<Element>(Type)
      .Case("double", Element::Float64)
      .Case("float", Element::Float32)
      .Case("uint64_t", Element::Int64)
      .Case("uint32_t", Element::Int32);
}

/// Kernels of one generator and one seed, and what they are called with.
class RandomKernels {
public:
  using Generator = fuzz::GeneratedKernel(std::mt19937 &, const std::string &, unsigned);

  RandomKernels(unsigned Seed, Generator *Generate, unsigned Count, unsigned Pitch)
      : Seed(Seed), Random(Seed), Pitch(Pitch) {
    std::string Source = "#include <math.h>\n#include <stdint.h>\n";
    for (unsigned K = 0; K < Count; ++K) {
      Kernels.push_back(Generate(Random, "kernel" + std::to_string(K), Pitch));
      Source += Kernels.back().Text;
    }
    IR = Files.compile(Source);
  }

  bool areCompiled() const { return !IR.empty(); }
  unsigned below(unsigned Bound) { return unsigned(Random() % Bound); }

  /// Above the size of tiles, or small.
  Sizes sizes() {
    auto Size = [&] { return long(below(3) ? Pitch / 2 + below(Pitch / 2) : below(20) % Pitch); };
    long N = Size(), M = Size(), P = Size();
    return {N, M, P};
  }

  TilingTarget target(const TargetTransformInfo &Host, unsigned Threads) {
    TilingTarget Target = describeHost(Host, Threads);
    if (below(3) == 0)
      return Target;
    Target.VectorBytes = 16U << below(3);
    Target.NumVectorRegisters = 8U << below(3);
    Target.L1Bytes = 256U << below(8);
    Target.L2Bytes = Target.L1Bytes << (1 + below(4));
    Target.L3Bytes = static_cast<unsigned long>(Target.L2Bytes) << below(4);
    return Target;
  }

  /// Specialises kernel \p K for \p S and compares it with the original.
  PolyhedralResult check(unsigned K, const Sizes &S, StrategyId Policy, bool Parallel) {
    NestCompiler Compiler(IR, nameOf(K));
    PolyhedralOptions Options;
    Options.Schedule = findStrategy(Policy);
    Options.Parallel = Parallel;
    Options.Target = target(Compiler.costs(), Parallel ? 2 : 1);
    PolyhedralResult Result = Compiler.specialize(S, Options);
    compare(K, S, Compiler,
            "policy " + std::to_string(int(Policy)) + (Parallel ? ", parallel" : "") +
                ", registers " + std::to_string(Options.Target.NumVectorRegisters) + " of " +
                std::to_string(Options.Target.VectorBytes) + " bytes, caches " +
                std::to_string(Options.Target.L1Bytes) + ", " +
                std::to_string(Options.Target.L2Bytes) + "\n" + Result.Notes);
    return Result;
  }

  /// Checks kernel \p K with loops that threads share and \p NumKnown constant sizes. Returns the
  /// number of these loops.
  unsigned checkShared(unsigned K, const Sizes &S, unsigned NumKnown) {
    return checkShared(K, S, NumKnown, /*Threads=*/2).All;
  }
  /// The same for loops that \p Threads threads share.
  SharedLoops checkShared(unsigned K, const Sizes &S, unsigned NumKnown, unsigned Threads) {
    NestCompiler Compiler(IR, nameOf(K));
    const SharingOutcome Result = Compiler.share(S, NumKnown, /*NsPerCall=*/1e9, Threads);
    compare(K, S, Compiler,
            std::to_string(Result.Shared.All) + " shared loops, " +
                std::to_string(Result.Shared.Collapsed) + " of them collapsed");
    return Result.Shared;
  }

  /// The same for \p Count kernels and random sizes, with so many constant sizes in turn.
  unsigned checkAllShared(unsigned Count, ArrayRef<unsigned> NumKnown) {
    if (!areCompiled()) {
      ADD_FAILURE() << "clang does not compile the kernels";
      return 0;
    }
    unsigned NumShared = 0;
    for (unsigned K = 0; K < Count; ++K)
      for (const unsigned Known : NumKnown)
        NumShared += checkShared(K, sizes(), Known);
    return NumShared;
  }

private:
  /// What the generators promise about subscripts.
  static constexpr size_t Before = 8;

  static std::string nameOf(unsigned K) { return "kernel" + std::to_string(K); }

  void compare(unsigned K, const Sizes &S, NestCompiler &Compiler, const std::string &How) {
    Operands Expected = operands(K), Actual = operands(K);
    Expected.fill(Values::Ordinary);
    Actual.copyFrom(Expected);
    run(asKernel(originalNest(IR, nameOf(K))), Expected, S);
    run(asKernel(Compiler.compile()), Actual, S);
    EXPECT_EQ(Actual.differences(Expected), 0u)
        << How << ", seed " << Seed << ", sizes " << S[0] << ", " << S[1] << ", " << S[2] << "\n"
        << Kernels[K].Text;
  }

  Operands operands(unsigned K) const {
    const long All = long(Before + 2 * (Pitch + 8) * (Pitch + 1));
    return Operands::dense({All, All, All}, elementOf(Kernels[K].Type), Side::End);
  }

  static void run(Kernel *F, Operands &On, const Sizes &S) {
    auto First = [&](const GuardedArray &Array) {
      return static_cast<char *>(Array.data()) + Before * bytesOf(On.Type);
    };
    F(First(On.A), First(On.B), First(On.C), int(S[0]), int(S[1]), int(S[2]));
  }

  const unsigned Seed;
  std::mt19937 Random;
  unsigned Pitch;
  std::vector<fuzz::GeneratedKernel> Kernels;
  GeneratedNests Files;
  std::string IR;
};

class RandomContractions : public testing::TestWithParam<unsigned> {};

TEST_P(RandomContractions, GiveTheSameBits) {
  constexpr unsigned Count = 30;
  // Above the tile size of contractions that are cut.
  RandomKernels Kernels(GetParam(), fuzz::generateContraction, Count, 112);
  ASSERT_TRUE(Kernels.areCompiled());
  unsigned NumContractions = 0;
  for (unsigned K = 0; K < Count; ++K) {
    const Sizes S = Kernels.sizes();
    PolyhedralResult Result =
        Kernels.check(K, S, StrategyId::Contraction, /*Parallel=*/Kernels.below(3) == 0);
    NumContractions += StringRef(Result.Notes).contains("contraction kernels");
  }
  EXPECT_GE(NumContractions, Count / 5);
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomContractions, testing::ValuesIn(fuzz::seeds(1, 1)),
                         testing::PrintToStringParamName());

class RandomNests : public testing::TestWithParam<unsigned> {};

TEST_P(RandomNests, GiveTheSameBitsUnderEveryPolicy) {
  constexpr unsigned Count = 16;
  RandomKernels Kernels(GetParam(), fuzz::generateNest, Count, 32);
  ASSERT_TRUE(Kernels.areCompiled());
  unsigned NumGenerated = 0;
  for (unsigned K = 0; K < Count; ++K)
    for (StrategyId Policy :
         {StrategyId::SourceOrder, StrategyId::IslSchedule, StrategyId::OuterVectors,
          StrategyId::Contraction, StrategyId::TimeTiles}) {
      const Sizes S = Kernels.sizes();
      NumGenerated += Kernels.check(K, S, Policy, Kernels.below(2) == 0).NumGenerated > 0;
    }
  EXPECT_GE(NumGenerated, Count / 2);
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomNests, testing::ValuesIn(fuzz::seeds(1, 1)),
                         testing::PrintToStringParamName());

class RandomSharedLoops : public testing::TestWithParam<unsigned> {};

TEST_P(RandomSharedLoops, GiveTheSameBitsInAnyOrder) {
  constexpr unsigned Count = 40;
  RandomKernels Kernels(GetParam(), fuzz::generateNest, Count, 32);
  EXPECT_GE(Kernels.checkAllShared(Count, {0U, 3U}), 1u);
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomSharedLoops, testing::ValuesIn(fuzz::seeds(1, 1)),
                         testing::PrintToStringParamName());

class RandomWorkArrays : public testing::TestWithParam<unsigned> {};

TEST_P(RandomWorkArrays, GiveTheSameBitsInParallel) {
  constexpr unsigned Count = 24;
  RandomKernels Kernels(GetParam(), fuzz::generateWorkArray, Count, 40);
  ASSERT_TRUE(Kernels.areCompiled());
  unsigned NumPrivate = 0, NumShared = 0;
  for (unsigned K = 0; K < Count; ++K) {
    for (const StrategyId Policy : {StrategyId::SourceOrder, StrategyId::OuterVectors}) {
      const PolyhedralResult Result = Kernels.check(K, Kernels.sizes(), Policy, /*Parallel=*/true);
      NumPrivate += StringRef(Result.Notes).contains("private arrays");
    }
    NumShared += Kernels.checkShared(K, Kernels.sizes(), /*NumKnown=*/3);
  }
  EXPECT_GE(NumShared, 1u);
  EXPECT_GE(NumPrivate, 1u);
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomWorkArrays, testing::ValuesIn(fuzz::seeds(1, 1)),
                         testing::PrintToStringParamName());

class RandomConditions : public testing::TestWithParam<unsigned> {};

TEST_P(RandomConditions, GiveTheSameBitsInAnyOrder) {
  constexpr unsigned Count = 60;
  RandomKernels Kernels(GetParam(), fuzz::generateConditions, Count, 32);
  ASSERT_TRUE(Kernels.areCompiled());
  unsigned NumShared = 0, NumGuarded = 0;
  const int Before = LoopEntries::numReversed();
  for (unsigned K = 0; K < Count; ++K) {
    const SharedLoops Shared = Kernels.checkShared(K, Kernels.sizes(), /*NumKnown=*/3, 2);
    NumShared += Shared.All;
    NumGuarded += !Shared.Guards.empty();
  }
  EXPECT_GE(NumShared, Count);
  EXPECT_GE(NumGuarded, 1u);
  EXPECT_GE(LoopEntries::numReversed() - Before, int(10 * Count)) << "loops that ran in parallel";
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomConditions, testing::ValuesIn(fuzz::seeds(1, 2)),
                         testing::PrintToStringParamName());

class RandomSweeps : public testing::TestWithParam<unsigned> {};

TEST_P(RandomSweeps, GiveTheSameBitsColumnByColumn) {
  constexpr unsigned Count = 60;
  RandomKernels Kernels(GetParam(), fuzz::generateSweep, Count, 40);
  EXPECT_GE(Kernels.checkAllShared(Count, {3U}), Count / 10);
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomSweeps, testing::ValuesIn(fuzz::seeds(1, 1)),
                         testing::PrintToStringParamName());

class RandomScatters : public testing::TestWithParam<unsigned> {};

TEST_P(RandomScatters, GiveTheSameBitsInTwoLoops) {
  constexpr unsigned Count = 60;
  RandomKernels Kernels(GetParam(), fuzz::generateScatter, Count, 40);
  ASSERT_TRUE(Kernels.areCompiled());
  unsigned NumDistributed = 0;
  const int Before = LoopEntries::numReversed();
  for (unsigned K = 0; K < Count; ++K)
    for (const unsigned NumKnown : {0U, 3U})
      NumDistributed +=
          Kernels.checkShared(K, Kernels.sizes(), NumKnown, /*Threads=*/2).Distributed;
  EXPECT_GE(NumDistributed, Count / 3);
  EXPECT_GE(LoopEntries::numReversed() - Before, int(Count / 4)) << "loops that ran in parallel";
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomScatters, testing::ValuesIn(fuzz::seeds(1, 1)),
                         testing::PrintToStringParamName());

class RandomTriangles : public testing::TestWithParam<unsigned> {};

TEST_P(RandomTriangles, GiveTheSameBitsInPartsOfRows) {
  constexpr unsigned Count = 60;
  RandomKernels Kernels(GetParam(), fuzz::generateTriangle, Count, 40);
  ASSERT_TRUE(Kernels.areCompiled());
  unsigned NumCollapsed = 0, NumWhole = 0;
  const int Before = LoopEntries::numPartsOfRows();
  for (unsigned K = 0; K < Count; ++K)
    for (const unsigned NumKnown : {0U, 3U}) {
      const SharedLoops Shared = Kernels.checkShared(K, Kernels.sizes(), NumKnown, /*Threads=*/16);
      NumCollapsed += Shared.Collapsed;
      NumWhole += Shared.All - Shared.Collapsed;
    }
  EXPECT_GE(NumCollapsed, Count / 4);
  EXPECT_GE(NumWhole, Count / 20);
  EXPECT_GE(LoopEntries::numPartsOfRows() - Before, int(10 * Count));
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomTriangles, testing::ValuesIn(fuzz::seeds(1, 1)),
                         testing::PrintToStringParamName());

} // namespace
