//===- tests/jit/rows/refused_loops_test.cpp - why a loop is none over rows ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/jit/rows/row_versions.h"

#include <gmock/gmock.h>

using namespace specrt;
using testing::HasSubstr;

namespace {

struct Refused {
  const char *Kernel;
  specrt_note_code About;
  const char *Text;
  const char *File = SPECRT_ROWS_KERNELS;
};

void PrintTo(const Refused &R, std::ostream *Out) { *Out << R.Kernel; }

class RefusedLoops : public testing::TestWithParam<Refused> {};

TEST_P(RefusedLoops, SayWhy) {
  const auto Region = TestRegion::fromBitcode(GetParam().File, GetParam().Kernel);
  const specrt_jit_result *Result = rowsCompiler().compile(Region->request());
  ASSERT_EQ(Result->error, nullptr) << Result->error;
  std::string Found;
  for (uint32_t I = 0; I < Result->num_notes; ++I)
    if (Result->notes[I].code == GetParam().About)
      Found += std::string(Result->notes[I].text) + "\n";
  EXPECT_THAT(Found, HasSubstr("no loop over rows in line "));
  EXPECT_THAT(Found, HasSubstr(GetParam().Text));
  for (uint32_t I = 0; I < Result->num_candidates; ++I)
    rowsCompiler().release(Result->candidates[I].handle);
  delete CompileResult::from(Result);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, RefusedLoops,
    testing::Values(
        Refused{"half_noted", SPECRT_NOTE_ROWS_WRITE, "it writes what decides"},
        Refused{"linked_notes", SPECRT_NOTE_ROWS_WRITE, "leads on to where it reads"},
        Refused{"moved_view", SPECRT_NOTE_ROWS_POINTERS, "it writes pointers to what it accesses"},
        Refused{"pointed_dense", SPECRT_NOTE_ROWS_POINTERS, "it reads pointers to what it accesses",
                SPECRT_POINTER_KERNELS},
        Refused{"pointed_heads", SPECRT_NOTE_ROWS_WRITE, "leads on to where it reads",
                SPECRT_POINTER_KERNELS},
        Refused{"one_of_two", SPECRT_NOTE_ROWS_POINTERS, "it computes pointers to what it accesses",
                SPECRT_POINTER_KERNELS},
        Refused{"first_above", SPECRT_NOTE_ROWS_EXIT, "it can be left early"},
        Refused{"summed", SPECRT_NOTE_ROWS_CARRY, "it computes a value that is used after it"},
        Refused{"pointed_scale", SPECRT_NOTE_ROWS_CARRY,
                "it computes a value that is used after it", SPECRT_POINTER_KERNELS}),
    [](const auto &Of) { return std::string(Of.param.Kernel); });

} // namespace
