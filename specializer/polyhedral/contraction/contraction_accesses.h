//===- specializer/polyhedral/contraction/contraction_accesses.h - their memory -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_CONTRACTION_CONTRACTION_ACCESSES_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_CONTRACTION_CONTRACTION_ACCESSES_H

#include "specializer/polyhedral/contraction/contraction.h"

namespace specrt {

/// Sets the members of \p C about the memory of \p Stmt: Result, Copies, Stored, Element, Before
/// and Loads, by dimensions of the statement's domain. Returns false if the statement has accesses
/// that a contraction cannot have: without a linear address, writes of several values, or a result
/// that is not read.
bool collectAccesses(polly::ScopStmt &Stmt, Contraction &C);

} // namespace specrt

#endif
