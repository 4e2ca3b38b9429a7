//===- instrument/select/exclusive_pointers.h - who else reaches an object ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which inputs of a region may be called "noalias" there. What the region accesses it reaches
// through its inputs, through globals, and through pointers that it loads or gets from calls: all
// of them must be known to lead elsewhere.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_SELECT_EXCLUSIVE_POINTERS_H
#define SPECRT_INSTRUMENT_SELECT_EXCLUSIVE_POINTERS_H

#include "llvm/ADT/SetVector.h"

namespace llvm {
class Value;
} // namespace llvm

namespace specrt {

/// True when a region with \p Inputs reaches the object behind \p Pointer, one of them, only by
/// addresses computed from it. False when that is not proved.
bool isExclusivePointer(const llvm::Value &Pointer, const llvm::SetVector<llvm::Value *> &Inputs);

} // namespace specrt

#endif
