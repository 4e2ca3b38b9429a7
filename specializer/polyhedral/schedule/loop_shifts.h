//===- specializer/polyhedral/schedule/loop_shifts.h - what isl must not merge -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// isl runs { A[i] -> 2i; B[i] -> 2i + 1 } as one loop with a step of 2, shifting B by 1. It finds
// such distances by comparing every statement with a first one, in equal iterations of the loops
// outside, and takes it that all others are as far apart as follows from that (isl_ast_codegen.c,
// generate_component). Where two of them meet in iterations that the first one does not have, they
// may not be, and run in the wrong order:
//
//     { A[0,i] -> [0,4i]; B[t,i] -> [t,4i+3]; C[1,i] -> [1,4i+1] }
//
// A never meets C, so B alone is shifted, by 3, and C runs after B. isl does that in the version
// that LLVM 22 contains (0.25), and still in 2026.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_LOOP_SHIFTS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_LOOP_SHIFTS_H

#include "isl/isl-noexceptions.h"

namespace specrt {

/// The same order as \p Schedule, in a form for which isl does not shift loops of more than two
/// statements. Null when isl gave up.
isl::schedule forbidShifts(const isl::schedule &Schedule);

} // namespace specrt

#endif
