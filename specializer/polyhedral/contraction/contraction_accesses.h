//===- specializer/polyhedral/contraction/contraction_accesses.h - their memory -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_CONTRACTION_CONTRACTION_ACCESSES_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_CONTRACTION_CONTRACTION_ACCESSES_H

#include "specializer/polyhedral/contraction/contraction.h"

namespace specrt {

/// Fills in what \p C tells about the memory of \p Stmt: Result, Copies, Stored, Element, Before
/// and Loads, by dimensions of the statement's domain. False when the statement has accesses that
/// no contraction has: those without a linear address, several values that it writes, or a result
/// that it does not read.
bool collectAccesses(polly::ScopStmt &Stmt, Contraction &C);

} // namespace specrt

#endif
