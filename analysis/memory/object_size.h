//===- analysis/memory/object_size.h - how large a variable is ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The type of a definition says how many bytes a variable has, that of a declaration does not:
// `extern double a[];`, a structure that ends with an array without length. In the bitcode of a
// region all variables of the program are declarations, so an attribute tells them apart.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_ANALYSIS_MEMORY_OBJECT_SIZE_H
#define SPECRT_ANALYSIS_MEMORY_OBJECT_SIZE_H

#include <cstdint>
#include <optional>

namespace llvm {
class GlobalVariable;
}

namespace specrt {

/// Returns the bytes that accesses through \p Variable stay within; nothing if that is not known.
std::optional<uint64_t> objectBytes(const llvm::GlobalVariable &Variable);

/// Keeps that knowledge of \p Original for \p Declaration, which has the same type.
void keepObjectBytes(const llvm::GlobalVariable &Original, llvm::GlobalVariable &Declaration);

} // namespace specrt

#endif
