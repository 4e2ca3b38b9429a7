//===- runtime/capture/capture.h - keeps one call for replays -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a run makes fewer calls of a region than there are candidates, no trial can tell which of
// them is best. So one call is captured (captured_call.h), and the compile server replays the
// candidates on it. Before the call the bytes that it may write are copied; behind it, when it is
// known to have been long enough, what it only reads is copied, too, and what it has written is
// hashed. A clone of the process does that on another processor, unless the clone costs more.
// Memory is copied by the kernel, for which a page that is gone is an error and no signal.
//
// By a model whose numbers are rather too high, a capture costs at most CaptureShare of the time
// that the region took in this run and earlier ones.
//
// All functions may be called by any thread and in signal handlers, do not allocate, and preserve
// errno.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_CAPTURE_CAPTURE_H
#define SPECRT_RUNTIME_CAPTURE_CAPTURE_H

#include "specrt/abi.h"
#include <cstdint>

namespace specrt {

class Capture;

inline constexpr double CaptureShare = 0.04;

/// How long a call takes that is yet to be made, by the trip counts of its loops, in nanoseconds;
/// 0: unknown. Rather too little.
double predictedNs(const specrt_region &Region, const uint64_t *Packed);

/// Returns what capturing a call takes, in nanoseconds; infinity when it cannot be captured.
/// Pointers in \p Packed are not used.
double captureNs(const specrt_region &Region, const uint64_t *Packed);

/// Begins to capture a call. \p Key tells the region from others. \p RegionNs is what the region
/// will have taken when the call is over, in this run and earlier ones. Returns null when the call
/// is not captured: the region has a capture already, its accesses are not known, or it would take
/// too long or too much memory.
Capture *beginCapture(const void *Key, const specrt_region &Region, const uint64_t *Packed,
                      double RegionNs);

/// Ends it: the call has taken \p Nanoseconds in the original.
void endCapture(Capture &Of, uint64_t Nanoseconds);

/// The call did not end, or did not run as written.
void abandonCapture(Capture &Of);

/// Returns whether a complete capture of a call is kept.
bool hasCapture(const void *Key);

/// Returns the file with the captured call, which the caller closes; negative: there is none. A
/// clone may still be writing to it (CapturedCall::IsComplete). Whoever gets the file empties it
/// when it is done: taken by a thread with descriptors of its own, it stays open in the program.
int takeCapture(const void *Key);

/// Gives up what is kept for the region.
void dropCapture(const void *Key);

/// Returns whether captures are kept.
bool anyCapture();
/// Returns the key of a capture that has been kept for so long; null: there is none.
const void *captureOlderThan(uint64_t Ns);

/// In a forked child: the captures are the parent's.
void dropCapturesAfterFork();

} // namespace specrt

#endif
