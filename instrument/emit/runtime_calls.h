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

#include "llvm/IR/Attributes.h"
#include "llvm/IR/DerivedTypes.h"

namespace llvm {
class Module;
} // namespace llvm

namespace specrt {

llvm::FunctionCallee endNestFunction(llvm::Module &M);
llvm::FunctionCallee endHandedOverFunction(llvm::Module &M);
llvm::FunctionCallee continueFunction(llvm::Module &M);
/// Calls differ in type from the declaration, because each passes the arguments of its region.
llvm::Value *pollNestFunction(llvm::Module &M);

/// The attribute of an argument that is passed in the register of the static chain.
llvm::Attribute staticChain(llvm::LLVMContext &Context);

} // namespace specrt

#endif
