//===- analysis/module_bytes.h - writes a region's module as bitcode ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_ANALYSIS_MODULE_BYTES_H
#define SPECRT_ANALYSIS_MODULE_BYTES_H

#include "llvm/ADT/SmallVector.h"
#include <array>
#include <cstdint>

namespace llvm {
class Module;
}

namespace specrt {

/// Writes \p M as bitcode to \p Bytes, which must be empty, and returns their XXH3-128, low and
/// high: the hash that a region's descriptor has (specrt/abi.h).
std::array<uint64_t, 2> writeModule(const llvm::Module &M, llvm::SmallVectorImpl<char> &Bytes);

} // namespace specrt

#endif
