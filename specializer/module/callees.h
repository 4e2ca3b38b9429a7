//===- specializer/module/callees.h - code of other files for a region ----===//
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

/// Reads verified bitcode whose hash is known.
using BitcodeReader = llvm::function_ref<llvm::Expected<std::unique_ptr<llvm::Module>>(
    const void *Bitcode, uint64_t Size, const uint64_t (&Hash)[2])>;
/// Prepares a module as its own file's compiler would have.
using ModulePreparation = llvm::function_ref<llvm::Error(llvm::Module &)>;

/// Defines the functions of other files that \p Region calls in its module \p M, as
/// available_externally. Fails when one of them is not there or is not what \p M calls.
llvm::Error linkCallees(llvm::Module &M, const specrt_region &Region, BitcodeReader Read,
                        ModulePreparation Prepare);

} // namespace specrt

#endif
