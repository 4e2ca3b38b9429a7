//===- specializer/module/region_module.h - a region's code as an LLVM module ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_MODULE_REGION_MODULE_H
#define SPECRT_SPECIALIZER_MODULE_REGION_MODULE_H

#include "specrt/abi.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>

namespace llvm {
class TargetMachine;
}

namespace specrt {

/// Returns a context that drops diagnostics: LLVM's default handler prints to the host program's
/// standard error and ends the process after an error.
std::unique_ptr<llvm::LLVMContext> createQuietContext();

/// Returns the type of a region's function, from the descriptor; an error for an unknown kind.
llvm::Expected<llvm::FunctionType *> regionType(const specrt_region &Region,
                                                llvm::LLVMContext &Context);

/// Reads and verifies the embedded bitcode, prepares it for \p TM and numbers the accesses of the
/// region's function (access_numbers.h). Compares the bitcode with its hash first, so that damaged
/// bytes never reach LLVM's reader.
llvm::Expected<std::unique_ptr<llvm::Module>>
loadRegion(const specrt_region &Region, const llvm::TargetMachine &TM, llvm::LLVMContext &Context);

/// Returns the region's function in a module made by loadRegion, or in a clone of it.
llvm::Function &regionFunction(llvm::Module &M, const specrt_region &Region);

/// Returns the position of a global in the descriptor's symbol table.
std::optional<unsigned> symbolNumber(const specrt_region &Region, const llvm::GlobalValue &GV);

} // namespace specrt

#endif
