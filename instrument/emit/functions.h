//===- instrument/emit/functions.h - emits functions that nests in other files may inline -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_INSTRUMENT_EMIT_FUNCTIONS_H
#define SPECRT_INSTRUMENT_EMIT_FUNCTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
class GlobalValue;
class Module;
} // namespace llvm

namespace specrt {

/// Emits one specrt_function record for each of \p Functions, and one bitcode module that all of
/// them share. Must run before the pass changes any of the functions. Returns the globals that the
/// caller must keep alive. \p HasOneSection: see InstrumentPass.
llvm::SmallVector<llvm::GlobalValue *> emitFunctions(llvm::Module &M,
                                                     llvm::ArrayRef<llvm::Function *> Functions,
                                                     llvm::FunctionAnalysisManager &FAM,
                                                     bool HasOneSection);

/// Emits the constructor and destructor that register the image's functions, once per image.
void emitFunctionRegistration(llvm::Module &M);

} // namespace specrt

#endif
