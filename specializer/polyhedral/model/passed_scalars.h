//===- specializer/polyhedral/model/passed_scalars.h - values outside of arrays ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_PASSED_SCALARS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_PASSED_SCALARS_H

#include "polly/ScopInfo.h"

namespace specrt {

/// Returns whether statements pass values to each other outside of arrays.
inline bool passesScalars(const polly::Scop &S) {
  return llvm::any_of(S, [](const polly::ScopStmt &Stmt) {
    return llvm::any_of(
        Stmt, [](const polly::MemoryAccess *Access) { return Access->isLatestScalarKind(); });
  });
}

} // namespace specrt

#endif
