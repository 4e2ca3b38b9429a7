//===- instrument/emit/runtime_calls.h - what regions call in libspecrt ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of specrt/abi.h. They are bound when the program is loaded, not at their first
// call: binding takes 4 KB of stack and the loader's lock, and a region may be called in a thread
// with little stack and in a signal handler.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_EMIT_RUNTIME_CALLS_H
#define SPECRT_INSTRUMENT_EMIT_RUNTIME_CALLS_H

#include "llvm/IR/DerivedTypes.h"

namespace llvm {
class Module;
} // namespace llvm

namespace specrt {

llvm::FunctionCallee enterFunction(llvm::Module &M);
llvm::FunctionCallee leaveFunction(llvm::Module &M);
llvm::FunctionCallee leaveNestFunction(llvm::Module &M);
llvm::FunctionCallee pollFunction(llvm::Module &M);

} // namespace specrt

#endif
