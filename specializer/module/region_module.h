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

/// A context whose diagnostics go nowhere: LLVM's default handler prints to the host program's
/// standard error and ends it after an error.
std::unique_ptr<llvm::LLVMContext> createQuietContext();

/// The type of a region's function, from the descriptor. Fails for a kind it does not know.
llvm::Expected<llvm::FunctionType *> regionType(const specrt_region &Region,
                                                llvm::LLVMContext &Context);

/// Reads and verifies the embedded bitcode and prepares it for \p TM; the accesses of the region's
/// function get their numbers (access_numbers.h). The bitcode is compared with its hash first, so
/// that damaged bytes never reach LLVM's reader.
llvm::Expected<std::unique_ptr<llvm::Module>>
loadRegion(const specrt_region &Region, const llvm::TargetMachine &TM, llvm::LLVMContext &Context);

/// The region's function in a module made by loadRegion, or in a clone of it.
llvm::Function &regionFunction(llvm::Module &M, const specrt_region &Region);

/// Position of a global in the descriptor's symbol table.
std::optional<unsigned> symbolNumber(const specrt_region &Region, const llvm::GlobalValue &GV);

} // namespace specrt

#endif
