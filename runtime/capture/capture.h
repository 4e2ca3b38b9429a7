//===- runtime/capture/capture.h - captures a call so that it can be replayed ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run that makes fewer calls of a region than there are candidates cannot find the best one by a
// trial. Instead, one call is captured (captured_call.h), and the compile server replays all
// candidates on it. Before the call, the bytes that it may write are copied. After the call, the
// bytes that it only reads are copied and the written ones hashed. A clone of the process does this
// second part on another processor, unless the clone is estimated to cost more.
//
// The kernel copies all memory, so a page that is not mapped is an error and not a signal. Copying
// waits for a handler of userfaultfd if the program has registered a page with one.
//
// All functions may be called by any thread and in signal handlers. They do not allocate, are no
// cancellation points and preserve errno.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_CAPTURE_CAPTURE_H
#define SPECRT_RUNTIME_CAPTURE_CAPTURE_H

#include "specrt/abi.h"
#include <cstdint>

namespace specrt {

class Capture;

/// Why a call is not captured.
enum class CaptureRefusal : uint8_t {
  None,
  UnknownAccesses, ///< the descriptor does not bound the bytes that the call accesses
  WritesNothing,
  TooLarge,    ///< the file would exceed its limit or what memory allows
  TooCostly,   ///< the region has not taken enough time yet
  FileLimit,   ///< RLIMIT_FSIZE is set, and exceeding it is a signal
  Private,     ///< the process is traced or not dumpable
  Unavailable, ///< too many captures are kept, or a system call has failed
};
/// Returns the refusal as half a sentence about a call; "" for None. Static.
const char *words(CaptureRefusal Why);

/// The largest share of a region's time that a capture may cost, by a model (Costs in capture.cpp).
/// The time is that of this run and all earlier ones.
inline constexpr double CaptureShare = 0.04;

/// Returns a low estimate of the time of a call by the trip counts of its loops, in nanoseconds; 0
/// if they are unknown.
double predictedNs(const specrt_region &Region, const uint64_t *Packed);

/// Returns the estimated cost of capturing a call, in nanoseconds; infinity if it cannot be
/// captured. Does not use the pointers in \p Packed.
double captureNs(const specrt_region &Region, const uint64_t *Packed);

/// Begins to capture a call that is about to be made. \p Key identifies the region. \p RegionNs is
/// the time that the region will have taken after the call, in this run and earlier ones. Returns
/// null and sets \p Why when the call is not captured; \p Why is None if the region has a capture
/// already.
Capture *beginCapture(const void *Key, const specrt_region &Region, const uint64_t *Packed,
                      double RegionNs, CaptureRefusal &Why);

/// Completes the capture after the call, which has taken \p Nanoseconds in the original. Returns
/// false if that fails; then nothing is kept.
bool endCapture(Capture &Of, uint64_t Nanoseconds);

/// Gives up a capture whose call was not ended by the original.
void abandonCapture(Capture &Of);

/// Returns whether a call of the region is kept.
bool hasCapture(const void *Key);

/// Returns a descriptor of the file with the captured call; negative if there is none. The caller
/// closes it. CapturedCall::IsComplete is still false while a clone writes the file. On a thread
/// with a descriptor table of its own, the program's descriptor stays open, so whoever uses the
/// file must truncate it in the end.
int takeCapture(const void *Key);

/// Frees what is kept for the region.
void dropCapture(const void *Key);

/// Returns the key of a capture that has been kept for at least \p Ns; null if there is none.
const void *captureOlderThan(uint64_t Ns);
/// Returns the milliseconds until there is one, at least 1; 0 if no capture is kept.
uint32_t msUntilCaptureIs(uint64_t Ns);

/// Closes, in a forked child, the captures of the parent.
void dropCapturesAfterFork();

} // namespace specrt

#endif
