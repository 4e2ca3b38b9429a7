//===- tests/polyhedral/ragged/ragged_results_test.cpp - nests over ragged arrays ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every policy on nests over packed triangles and the like, for several processors. Arrays end, or
// begin, where accessible memory does: a row that is placed wrongly faults or differs.
//
//===----------------------------------------------------------------------===//
#include "tests/polyhedral/nest_operands.h"
#include "llvm/Support/ErrorHandling.h"
#include <gmock/gmock.h>

using namespace llvm;
using namespace specrt;

namespace {

struct RowCase {
  const char *Nest;
  bool HasRows = true;
  bool HasKernels = false; ///< as a contraction, when it is large enough
};

void PrintTo(const RowCase &C, std::ostream *OS) { *OS << C.Nest; }

class RowResults : public testing::TestWithParam<RowCase> {
protected:
  static Operands operands(const Sizes &S, Side At) {
    const long Square = S[0] * S[0], Rest = (S[0] + S[1] + S[2]) * (S[0] + S[1] + S[2]);
    // Exactly as many as there are.
    const bool IsTriangle = GetParam().HasRows && !StringRef(GetParam().Nest).contains("squares");
    return Operands::dense({IsTriangle ? S[0] * (S[0] + 1) / 2 : Square + S[0], Rest, Rest},
                           Element::Float64, At);
  }

  static PolyhedralResult check(const Sizes &S, const PolyhedralOptions &Options) {
    const char *Name = GetParam().Nest;
    NestCompiler Compiler(SPECRT_RAGGED_NESTS_IR, Name);
    PolyhedralResult Result = Compiler.specialize(S, Options);
    Nest *Code = Compiler.compile(), *Original = originalNest(SPECRT_RAGGED_NESTS_IR, Name);
    for (Side At : {Side::Begin, Side::End}) {
      Operands Expected = operands(S, At), Actual = operands(S, At);
      Expected.fill(Values::Ordinary);
      Actual.copyFrom(Expected);
      Expected.run(Original, S);
      Actual.run(Code, S);
      EXPECT_EQ(Actual.differences(Expected), 0u) << Name << ", n = " << S[0] << "\n"
                                                  << Result.Notes;
    }
    return Result;
  }
};

constexpr StrategyId Policies[] = {StrategyId::Contraction, StrategyId::TimeTiles,
                                   StrategyId::OuterVectors, StrategyId::IslSchedule,
                                   StrategyId::SourceOrder};

TEST_P(RowResults, AreTheSameUnderEveryPolicy) {
  unsigned NumModelled = 0;
  for (StrategyId Policy : Policies)
    for (unsigned Threads : {1U, 3U}) {
      PolyhedralOptions Options;
      Options.Schedule = findStrategy(Policy);
      Options.Parallel = Threads > 1;
      Options.Target.VectorBytes = 32;
      Options.Target.L1Bytes = 2048;
      Options.Target.L2Bytes = 8192;
      Options.Target.Threads = Threads;
      for (const Sizes &S : {Sizes{96, 70, 33}, Sizes{45, 19, 7}, Sizes{5, 3, 2}})
        NumModelled += check(S, Options).NumGenerated;
    }
  EXPECT_EQ(NumModelled > 0, GetParam().HasRows);
}

TEST_P(RowResults, AreTheSameInWideVectors) {
  unsigned NumKernels = 0;
  for (bool Parallel : {false, true}) {
    NestCompiler Host(SPECRT_RAGGED_NESTS_IR, GetParam().Nest);
    PolyhedralOptions Options;
    Options.Schedule = findStrategy(StrategyId::Contraction);
    Options.Parallel = Parallel;
    Options.Target = describeHost(Host.costs(), Parallel ? 2 : 1);
    for (const Sizes &S : {Sizes{150, 131, 40}, Sizes{61, 64, 9}})
      NumKernels += check(S, Options).NumKernels;
  }
  EXPECT_EQ(NumKernels > 0, GetParam().HasKernels);
}

constexpr RowCase Cases[] = {
    {"lower_times", true, true},
    {"lower_times_int", true, true},
    {"upper_times", true, true},
    {"transposed_times", true, true},
    {"both_halves", true, true},
    {"from_the_right", true, true},
    {"times_vector", true, true},
    {"rank_update", true, true},
    {"factorisation", true, true},
    {"solve", true, true},
    {"triangle_of_numbers"},
    {"steps_in_a_triangle"},
    {"squares"},
    {"rows_of_squares"},
    {"gathered_squares", true, true},
    {"running_offset", true, true},
    {"some_of_them"},
    {"backwards", true, true},
    {"every_other_row"},
    {"next_row"},
    {"overlapping_rows", false},
    {"two_functions", false},
    {"also_flat", false},
};
INSTANTIATE_TEST_SUITE_P(, RowResults, testing::ValuesIn(Cases),
                         [](const testing::TestParamInfo<RowCase> &Info) {
                           return std::string(Info.param.Nest);
                         });

} // namespace
