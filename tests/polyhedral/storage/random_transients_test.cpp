//===- tests/polyhedral/storage/random_transients_test.cpp - random arrays for a short time ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random steps with one to three sweeps over lines, or over a table whose rows depend on each
// other. Arrays hold coefficients of a line; ranges differ from sweep to sweep, get shorter from
// step to step or from line to line, and some values are used in other lines. Whatever shares
// memory must give the bits of the source. FUZZ_SEEDS=<first>-<last> runs other seeds than the
// default ones.
//
//===----------------------------------------------------------------------===//
#include "specializer/strategies/strategy.h"
#include "tests/fuzz/seeds.h"
#include "tests/polyhedral/generated_nests.h"
#include "tests/polyhedral/nest_operands.h"
#include <gtest/gtest.h>
#include <random>

using namespace specrt;

namespace {

class RandomSteps {
public:
  explicit RandomSteps(unsigned Seed) : Random(Seed) {}

  std::string source() {
    NumSteps = between(4, 19);
    std::string Body;
    for (long S = 0, NumSweeps = between(1, 3); S < NumSweeps; ++S)
      Body += between(0, 3) ? lines() : table();
    return "void nest(long n, long m, long p, double *restrict A, double *restrict B,\n"
           "          double *restrict C) {\n"
           "  for (long t = 0; t < " +
           std::to_string(NumSteps) + "; t++) {\n" + Body + "  }\n}\n";
  }

  long between(long Low, long High) {
    return std::uniform_int_distribution<long>(Low, High)(Random);
  }

  static constexpr long Extent = 40; ///< of lines, and their number

private:
  std::string at(const char *Array, const std::string &I, const std::string &J) const {
    const std::string Size = std::to_string(Extent);
    return Array + (IsAcross ? "[(" + J + ") * " + Size + " + " + I + "]"
                             : "[(" + I + ") * " + Size + " + " + J + "]");
  }

  /// An end of a loop that is not beyond Extent - 1.
  std::string end(bool MayDependOnLine) {
    const std::string Last = std::to_string(Extent - 1 - between(0, 5));
    switch (between(0, 5)) {
    case 0:
      return Last + " - t";
    case 1:
      return MayDependOnLine ? Last + " - i / 2" : Last;
    default:
      return Last;
    }
  }

  std::string lines() {
    IsAcross = between(0, 3) == 0;
    const std::string Begin = std::to_string(between(0, 2)), End = end(true);
    const bool IsLater = between(0, 4) == 0; // uses another line
    std::string Text = "    for (long i = 1; i < " + end(false) + "; i++) {\n";
    Text += "      " + at("B", "i", Begin) + " = 0.25;\n";
    Text += "      for (long j = 1 + " + Begin + "; j < " + End + "; j++)\n        " +
            at("B", "i", "j") + " = A[i * " + std::to_string(Extent) + " + j] / (3 - " +
            at("B", "i", "j - 1") + ");\n";
    if (between(0, 2) == 0)
      Text += "      for (long j = " + Begin + "; j < " + End + "; j++)\n        " +
              at("B", "i", "j") + " = 0.5 * " + at("B", "i", "j") + " + A[j * " +
              std::to_string(Extent) + " + i];\n";
    IsAcross ^= between(0, 1) != 0;
    const std::string Out = at("C", "i", "j"), Next = at("C", "i", "j + 1");
    Text += "      for (long j = " + End + " - 1; j >= " + Begin + "; j--)\n        " + Out +
            " = 0.5 * " + Next + " + ";
    Text += use(IsLater) + ";\n    }\n";
    return Text;
  }

  std::string use(bool IsLater) const {
    const std::string Size = std::to_string(Extent);
    return std::string("B[(i") + (IsLater ? " - 1" : "") + ") * " + Size + " + j]";
  }

  std::string table() {
    IsAcross = false;
    const std::string Rows = end(false), Columns = end(false);
    const long Reach = between(1, 2);
    std::string Text = "    for (long i = 0; i < " + std::to_string(Reach) + "; i++)\n" +
                       "      for (long j = 0; j < " + Columns + "; j++)\n        " +
                       at("B", "i", "j") + " = A[t * " + std::to_string(Extent) + " + j];\n";
    Text += "    for (long i = " + std::to_string(Reach) + "; i < " + Rows + "; i++) {\n";
    Text += "      " + at("B", "i", "0") + " = 0.5;\n";
    Text += "      for (long j = 1; j < " + Columns + "; j++)\n        " + at("B", "i", "j") +
            " = 0.5 * " + at("B", "i - " + std::to_string(Reach), "j - 1") + " + 0.25 * " +
            at("B", "i", "j - 1") + " + A[t * " + std::to_string(Extent) + " + j];\n    }\n";
    if (between(0, 1))
      Text += "    C[t] = " + at("B", Rows + " - 1", Columns + " - 1") + ";\n";
    return Text;
  }

  std::mt19937 Random;
  long NumSteps = 0;
  bool IsAcross = false; ///< lines lie across the rows of the arrays
};

TEST(RandomTransients, GiveTheSameBits) {
  constexpr int NumNests = 6;
  constexpr Sizes S = {RandomSteps::Extent, RandomSteps::Extent, RandomSteps::Extent};
  const GeneratedNests Files;
  unsigned NumCompact = 0;
  for (const unsigned Seed : fuzz::seeds(1, 4)) {
    RandomSteps Steps(Seed);
    for (int N = 0; N < NumNests; ++N) {
      const std::string Source = Steps.source(), IR = Files.compile(Source);
      ASSERT_NE(IR, "") << Source;
      for (const bool IsParallel : {false, true}) {
        NestCompiler Reference(IR, "nest"), Compiler(IR, "nest");
        PolyhedralOptions Options;
        Options.Schedule = findStrategy(StrategyId::OuterVectors);
        Options.Parallel = IsParallel;
        Options.Target = describeHost(Compiler.costs(), IsParallel ? 2 : 1);
        Options.Target.L1Bytes = 256U << Steps.between(0, 4);
        Options.Target.VectorBytes = 16U << Steps.between(0, 2);
        const PolyhedralResult Result = Compiler.specialize(S, Options);
        NumCompact += unsigned(Result.Storage.size());
        EXPECT_TRUE(haveSameResults(Reference.compile(), Compiler.compile(), S))
            << "seed " << Seed << ": " << Result.Notes << Source;
      }
    }
  }
  EXPECT_GT(NumCompact, 0u);
}

} // namespace
