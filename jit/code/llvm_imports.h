//===- jit/code/llvm_imports.h - what libLLVM calls in other libraries ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A few functions of the C library must do something else when libLLVM calls them in a compile.
// Only libLLVM's own slot for such a function is changed: the program and its other libraries,
// which may use the same libLLVM, call what they always did, and nothing of the process (a handler,
// a disposition of a signal) has to change for the time of a compile.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_JIT_CODE_LLVM_IMPORTS_H
#define SPECRT_JIT_CODE_LLVM_IMPORTS_H

namespace specrt {

/// From now on libLLVM calls \p Replacement, a function of the same type, instead of the imported
/// function \p Name. False when the library's relocations do not have the expected form; then
/// nothing has changed.
bool replaceImportOfLLVM(const char *Name, void *Replacement);

} // namespace specrt

#endif
