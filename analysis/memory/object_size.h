//===- analysis/memory/object_size.h - sizes of variables -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The type of a definition determines a variable's size, that of a declaration does not: `extern
// double a[];`, or a structure that ends with an array without length. In a region's bitcode all
// variables of the program are declarations, so an attribute distinguishes the two.
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

/// Marks \p Declaration, which has the type of \p Original, so that objectBytes() gives the same
/// result.
void keepObjectBytes(const llvm::GlobalVariable &Original, llvm::GlobalVariable &Declaration);

} // namespace specrt

#endif
