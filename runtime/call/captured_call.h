//===- runtime/call/captured_call.h - selects the calls that are captured -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_CALL_CAPTURED_CALL_H
#define SPECRT_RUNTIME_CALL_CAPTURED_CALL_H

#include "runtime/call/region_state.h"
#include "runtime/capture/capture.h"

namespace specrt {

/// Begins to capture a call of the original if that call alone makes the region hot, or if earlier
/// runs made only few calls. Returns null when the call is not captured, and records the reason in
/// \p S. Async-signal-safe.
Capture *captureCall(RegionState &S, const specrt_region &R, const uint64_t *Packed);

/// Ends the capture of a call that has taken \p Ticks. A call that another version took over
/// (\p IsInterrupted) is not kept. Async-signal-safe.
void endCaptured(RegionState &S, Capture &Of, bool IsInterrupted, uint64_t Ticks);

} // namespace specrt

#endif
