//===- instrument/emit/functions.h - code for nests in other files --------===//
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

/// Emits the records of \p Functions (specrt_function) with their bitcode, of which the file has
/// one for all. Returns what must be kept alive. Before any of them is changed by us.
/// \p HasOneSection: see InstrumentPass.
llvm::SmallVector<llvm::GlobalValue *> emitFunctions(llvm::Module &M,
                                                     llvm::ArrayRef<llvm::Function *> Functions,
                                                     llvm::FunctionAnalysisManager &FAM,
                                                     bool HasOneSection);

/// Emits the constructor and destructor that register the image's functions, once per image.
void emitFunctionRegistration(llvm::Module &M);

} // namespace specrt

#endif
