//===- runtime/capture/described_call.h - what a call does by its region's descriptor ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These functions evaluate the descriptor's trip counts and access ranges for the arguments of one
// call. They read packed descriptors, as programs contain them, without unpacking them into memory.
// All are async-signal-safe.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_CAPTURE_DESCRIBED_CALL_H
#define SPECRT_RUNTIME_CAPTURE_DESCRIBED_CALL_H

#include "runtime/capture/captured_call.h"
#include "specrt/abi.h"
#include <array>
#include <cstdint>
#include <optional>

namespace specrt {

/// Returns about how many innermost iterations a call does: trip counts are multiplied along nests,
/// and sibling loops added. Returns 0 when a trip count is unknown.
double workOf(const specrt_region &Region, const uint64_t *Packed);

/// Returns the time that a call of \p Ticks would take for a fixed amount of work; \p Ticks when
/// its work is unknown.
uint64_t ticksPerWork(const specrt_region &Region, const uint64_t *Packed, uint64_t Ticks);

/// Numbers of bytes that a call may access.
struct AccessedBytes {
  uint64_t All = 0, Written = 0;
};

/// Returns the sums of the sizes of all access ranges, which may overlap. Does not use the pointers
/// in \p Packed. Returns nothing when the size of a range is unknown.
std::optional<AccessedBytes> accessedBytes(const specrt_region &Region, const uint64_t *Packed);

/// The memory that a call may access through the bases that its descriptor lists.
struct CallFootprint {
  std::array<CapturedSegment, CapturedCall::MaxSegments> Segments; ///< offsets are not set
  uint32_t Count = 0;
  AccessedBytes Bytes = {}; ///< each byte is counted once
};

/// Returns nothing when a range is unknown, a pointer cannot be read without waiting, or there are
/// more than CapturedCall::MaxSegments ranges.
std::optional<CallFootprint> footprintOf(const specrt_region &Region, const uint64_t *Packed);

} // namespace specrt

#endif
