//===- specializer/module/user_module.h - modules from the command line ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_MODULE_USER_MODULE_H
#define SPECRT_SPECIALIZER_MODULE_USER_MODULE_H

#include "specializer/module/optimize.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace specrt {

/// Returns the module in \p File, bitcode or an object that embeds it. Errors are sentences about
/// the file.
llvm::Expected<std::unique_ptr<llvm::Module>> readUserModule(llvm::MemoryBufferRef File,
                                                             const llvm::TargetMachine &TM,
                                                             llvm::LLVMContext &Context);

/// Brings the functions of \p M into the form that Polly expects.
void canonicalizeUserModule(llvm::Module &M, Optimizer &Passes);

} // namespace specrt

#endif
