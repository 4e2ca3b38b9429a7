//===- analysis/memory/enumerated_range.h - least and largest offset, by enumeration -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_ANALYSIS_MEMORY_ENUMERATED_RANGE_H
#define SPECRT_ANALYSIS_MEMORY_ENUMERATED_RANGE_H

#include <cstdint>
#include <optional>

namespace llvm {
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace specrt {

struct OffsetRange {
  int64_t Least, Largest;
};

/// Returns the range of an offset into an array: the sum of an affine expression and of arbitrary
/// functions of at most two loop counters. Nothing if a loop has no constant bounds.
std::optional<OffsetRange> enumeratedRange(const llvm::SCEV *Offset, llvm::ScalarEvolution &SE);

} // namespace specrt

#endif
