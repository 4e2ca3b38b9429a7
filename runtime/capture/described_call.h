//===- runtime/capture/described_call.h - what a descriptor says of a call ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads descriptors as they stand in programs, where the description is packed, without memory of
// its own: the first call of a region looks at it. Everything here is async-signal-safe.
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

/// The innermost iterations of a call: trip counts multiplied along nests, siblings added. 0:
/// unknown.
double iterationsOf(const specrt_region &Region, const uint64_t *Packed);

/// The number of bytes that a call may access, counted once for each access that the description of
/// \p Region lists. Pointers in \p Packed are not used. Nothing when some number is unknown.
struct AccessedBytes {
  uint64_t All = 0, Written = 0;
};
std::optional<AccessedBytes> accessedBytes(const specrt_region &Region, const uint64_t *Packed);

/// The bytes that a call may access by the description of \p Region, which does not list accesses
/// whose base it cannot name.
struct Footprint {
  std::array<CapturedSegment, CapturedCall::MaxSegments> Segments; ///< only Begin, End and flags
  uint32_t Count = 0;
  AccessedBytes Bytes = {}; ///< each counted once
};
/// Nothing when some range is unknown, or there are too many.
std::optional<Footprint> footprintOf(const specrt_region &Region, const uint64_t *Packed);

} // namespace specrt

#endif
