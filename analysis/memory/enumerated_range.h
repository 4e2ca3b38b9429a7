//===- analysis/memory/enumerated_range.h - least and largest offset, by trying all -----------===//
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

/// Of an offset into an array that is the sum of something affine and of an arbitrary function of
/// at most two loop counters, where loops have constant bounds.
std::optional<OffsetRange> enumeratedRange(const llvm::SCEV *Offset, llvm::ScalarEvolution &SE);

} // namespace specrt

#endif
