//===- specializer/sparse/equations/equations_text.h - prints equations of zeros -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_EQUATIONS_EQUATIONS_TEXT_H
#define SPECRT_SPECIALIZER_SPARSE_EQUATIONS_EQUATIONS_TEXT_H

#include "specializer/sparse/equations/scop_equations.h"

namespace specrt {

/// Returns lines for people: for each statement its text, where its value may be nonzero, its
/// equation, and the solution if it differs; then the relations that letters stand for. \p Of must
/// have a program. Returns "" if isl needs more than \p MaxOperations (0: no limit) or is
/// interrupted.
std::string equationsText(const ScopEquations &Of, unsigned long MaxOperations = 0);

} // namespace specrt

#endif
