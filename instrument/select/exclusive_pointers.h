//===- instrument/select/exclusive_pointers.h - inputs that may be noalias ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which inputs of a region may be "noalias" there. A region reaches memory through its
// inputs, through globals, and through pointers that it loads or that calls return. All of these
// must be known to point to other objects.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_SELECT_EXCLUSIVE_POINTERS_H
#define SPECRT_INSTRUMENT_SELECT_EXCLUSIVE_POINTERS_H

#include "llvm/ADT/SetVector.h"

namespace llvm {
class Value;
} // namespace llvm

namespace specrt {

/// Returns true if a region with \p Inputs provably reaches the object behind \p Pointer, which is
/// one of them, only by addresses computed from it.
bool isExclusivePointer(const llvm::Value &Pointer, const llvm::SetVector<llvm::Value *> &Inputs);

} // namespace specrt

#endif
