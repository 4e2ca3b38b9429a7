//===- specializer/module/lines.h - source lines of generated code ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Line tables for profilers and debuggers, without types, variables or inlined frames. The line of
// an instruction is that of its source statement, also if it was inlined. Instructions without a
// statement (loops created by Polly, code that LLVM merged or moved) get the line of a nearby
// statement, or that of the region.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_MODULE_LINES_H
#define SPECRT_SPECIALIZER_MODULE_LINES_H

#include "specrt/abi.h"

namespace llvm {
class Module;
}

namespace specrt {

/// Gives every instruction of \p M a line, so that code generation writes a line table. Functions
/// must have their final names. Files keep the names they had for the compiler, without a folder.
/// If no line is known, strips the debug info of the module instead.
void giveLines(llvm::Module &M, const specrt_region &Region);

} // namespace specrt

#endif
