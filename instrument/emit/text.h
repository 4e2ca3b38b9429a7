//===- instrument/emit/text.h - emits string constants --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_INSTRUMENT_EMIT_TEXT_H
#define SPECRT_INSTRUMENT_EMIT_TEXT_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Constant;
class Module;
} // namespace llvm

namespace specrt {

/// Returns a zero-terminated constant in \p M that the linker may merge with equal ones.
llvm::Constant *addText(llvm::Module &M, llvm::StringRef Text);

} // namespace specrt

#endif
