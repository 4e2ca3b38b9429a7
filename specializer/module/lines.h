//===- specializer/module/lines.h - source lines of generated code ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Line tables for profilers and debuggers, and nothing but line tables: no types, no variables, no
// inlined frames. A line is that of the source statement an instruction came from, whatever
// function it was inlined from. Instructions that no statement explains (loops that Polly made,
// code that LLVM merged or moved) get the line of a statement beside them, or that of the region.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_MODULE_LINES_H
#define SPECRT_SPECIALIZER_MODULE_LINES_H

#include "specrt/abi.h"

namespace llvm {
class Module;
}

namespace specrt {

/// Gives every instruction of \p M a line, for code generation to write a line table; the functions
/// must have their final names. Files keep the names they had for the compiler, without a folder.
/// Without any known line the module loses its debug info instead.
void giveLines(llvm::Module &M, const specrt_region &Region);

} // namespace specrt

#endif
