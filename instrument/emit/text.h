//===- instrument/emit/text.h - texts in the program ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_INSTRUMENT_EMIT_TEXT_H
#define SPECRT_INSTRUMENT_EMIT_TEXT_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Constant;
class Module;
} // namespace llvm

namespace specrt {

/// A zero-terminated text in \p M, which everything in the program may share.
llvm::Constant *addText(llvm::Module &M, llvm::StringRef Text);

} // namespace specrt

#endif
