//===- analysis/kinds.h - LLVM types and the kinds of descriptors ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_ANALYSIS_KINDS_H
#define SPECRT_ANALYSIS_KINDS_H

#include "specrt/abi.h"
#include <cstdint>
#include <optional>

namespace llvm {
class LLVMContext;
class Type;
} // namespace llvm

namespace specrt {

/// Returns the specrt_kind of an argument or result of type \p T; none if descriptors cannot
/// express it.
std::optional<uint8_t> kindOf(const llvm::Type *T);

/// Returns the type of \p Kind, the inverse of kindOf; null if the number is no kind.
llvm::Type *typeOf(unsigned Kind, llvm::LLVMContext &Context);

} // namespace specrt

#endif
