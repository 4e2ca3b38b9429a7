//===- specializer/polyhedral/schedule/loop_shifts.h - works around wrong loop shifts of isl -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// isl runs { A[i] -> 2i; B[i] -> 2i + 1 } as one loop with a step of 2, shifting B by 1. It
// determines such distances by comparing every statement with a first one, in equal iterations of
// the outer loops, and assumes that all other distances follow from these (isl_ast_codegen.c,
// generate_component). If two statements meet in iterations that the first one does not have, this
// may be wrong, and they run in the wrong order:
//
//     { A[0,i] -> [0,4i]; B[t,i] -> [t,4i+3]; C[1,i] -> [1,4i+1] }
//
// A never meets C, so only B is shifted, by 3, and C runs after B. The version in LLVM 22 (0.25)
// does that, as do later ones until 2026.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_LOOP_SHIFTS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_LOOP_SHIFTS_H

#include "isl/isl-noexceptions.h"

namespace specrt {

/// Returns an order equal to \p Schedule, in a form for which isl does not shift loops of more than
/// two statements. Null if isl gave up.
isl::schedule forbidShifts(const isl::schedule &Schedule);

} // namespace specrt

#endif
