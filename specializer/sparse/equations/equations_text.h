//===- specializer/sparse/equations/equations_text.h - equations of zeros for people ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_EQUATIONS_EQUATIONS_TEXT_H
#define SPECRT_SPECIALIZER_SPARSE_EQUATIONS_EQUATIONS_TEXT_H

#include "specializer/sparse/equations/scop_equations.h"

namespace specrt {

/// Lines: for each statement what it does, where that may be nonzero in words, its equation, and
/// the solution where that differs; then the relations that letters stand for. \p Of has a program.
/// "" when isl takes more than \p MaxOperations or is interrupted; 0: it has all the time.
std::string equationsText(const ScopEquations &Of, unsigned long MaxOperations = 0);

} // namespace specrt

#endif
