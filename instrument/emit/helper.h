//===- instrument/emit/helper.h - small functions beside a region ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_INSTRUMENT_EMIT_HELPER_H
#define SPECRT_INSTRUMENT_EMIT_HELPER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
class Type;
} // namespace llvm

namespace specrt {

/// An internal function without code, "<region>.<Suffix>", that takes the arguments of a region's
/// function \p Body and \p More, and lies apart from code that runs often. \p Parent contains the
/// region: where it goes, the helper goes.
llvm::Function *addHelper(const llvm::Function &Body, const llvm::Function &Parent,
                          llvm::Type *Result, llvm::ArrayRef<llvm::Type *> More,
                          llvm::StringRef Suffix);

} // namespace specrt

#endif
