//===- specializer/module/callees.h - links code of other files into a region's module -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_MODULE_CALLEES_H
#define SPECRT_SPECIALIZER_MODULE_CALLEES_H

#include "specrt/abi.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace llvm {
class Module;
}

namespace specrt {

/// Reads and verifies bitcode with the given hash.
using BitcodeReader = llvm::function_ref<llvm::Expected<std::unique_ptr<llvm::Module>>(
    const void *Bitcode, uint64_t Size, const uint64_t (&Hash)[2])>;
/// Prepares a module with the settings of its own file's compiler.
using ModulePreparation = llvm::function_ref<llvm::Error(llvm::Module &)>;

/// Defines the functions of other files that \p Region calls in its module \p M, as
/// available_externally. Returns an error if one of them is missing or has another type.
llvm::Error linkCallees(llvm::Module &M, const specrt_region &Region, BitcodeReader Read,
                        ModulePreparation Prepare);

} // namespace specrt

#endif
