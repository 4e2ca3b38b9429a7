//===- tests/polyhedral/contraction_fuzz_test.cpp - random contractions, bit by bit ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FUZZ_SEEDS=<first>-<last> runs other seeds than the default one, of 30 nests each.
//
//===----------------------------------------------------------------------===//
#include "tests/fuzz/contraction_generator.h"
#include "tests/fuzz/seeds.h"
#include "tests/polyhedral/generated_nests.h"
#include "tests/polyhedral/nest_operands.h"
#include "llvm/ADT/StringSwitch.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace specrt;

namespace {

constexpr unsigned KernelsPerSeed = 30;
/// Above the tile size of contractions that are cut.
constexpr unsigned Pitch = 112;
/// What generateContraction promises about subscripts.
constexpr size_t Before = 8, Behind = 2 * (Pitch + 8) * (Pitch + 1);

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

void run(Kernel *F, Operands &On, const Sizes &S) {
  auto First = [&](const GuardedArray &Array) {
    return static_cast<char *>(Array.data()) + Before * bytesOf(On.Type);
  };
  F(First(On.A), First(On.B), First(On.C), int(S[0]), int(S[1]), int(S[2]));
}

class RandomContractions : public testing::TestWithParam<unsigned> {};

TEST_P(RandomContractions, GiveTheSameBits) {
  std::mt19937 Random(GetParam());
  std::vector<fuzz::GeneratedKernel> Kernels;
  std::string Source = "#include <stdint.h>\n";
  for (unsigned K = 0; K < KernelsPerSeed; ++K) {
    Kernels.push_back(fuzz::generateContraction(Random, "kernel" + std::to_string(K), Pitch));
    Source += Kernels.back().Text;
  }
  GeneratedNests Nests;
  const std::string IR = Nests.compile(Source);
  ASSERT_FALSE(IR.empty());
  unsigned NumContractions = 0;
  for (unsigned K = 0; K < KernelsPerSeed; ++K) {
    auto Size = [&] { return long(Random() % 3 ? 49 + Random() % 62 : Random() % 20); };
    const Sizes S = {Size(), Size(), Size()};
    std::string Name = "kernel" + std::to_string(K);
    NestCompiler Compiler(IR, Name);
    PolyhedralOptions Options;
    Options.Schedule = SchedulePolicy::Tiled;
    Options.Parallel = Random() % 3 == 0;
    Options.Target = describeHost(Compiler.costs(), Options.Parallel ? 2 : 1);
    if (Random() % 2) {
      Options.Target.L1Bytes = 1024;
      Options.Target.L2Bytes = 8192;
    }
    PolyhedralResult Result = Compiler.specialize(S, Options);
    NumContractions += StringRef(Result.Notes).contains("contraction kernels");
    Kernel *Candidate = asKernel(Compiler.compile());
    Kernel *Original = asKernel(originalNest(IR, Name));
    auto Make = [&] {
      constexpr long All = Before + Behind;
      return Operands::dense({All, All, All}, elementOf(Kernels[K].Type), Side::End);
    };
    Operands Expected = Make(), Actual = Make();
    Expected.fill(Values::Ordinary);
    Actual.copyFrom(Expected);
    run(Original, Expected, S);
    run(Candidate, Actual, S);
    EXPECT_EQ(Actual.differences(Expected), 0u)
        << "seed " << GetParam() << ", sizes " << S[0] << ", " << S[1] << ", " << S[2] << "\n"
        << Kernels[K].Text << Result.Notes;
  }
  EXPECT_GE(NumContractions, KernelsPerSeed / 5);
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomContractions, testing::ValuesIn(fuzz::seeds(1, 1)),
                         testing::PrintToStringParamName());

} // namespace
