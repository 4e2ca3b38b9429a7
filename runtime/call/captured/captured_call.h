//===- runtime/call/captured/captured_call.h - which calls are captured ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_CALL_CAPTURED_CAPTURED_CALL_H
#define SPECRT_RUNTIME_CALL_CAPTURED_CAPTURED_CALL_H

#include "runtime/call/region_state.h"
#include "runtime/capture/capture.h"

namespace specrt {

/// Begins to capture a call of the original that makes the region hot by itself or, by earlier
/// runs, is one of few. Returns null when it is not captured. Async-signal-safe.
Capture *captureCall(const RegionState &S, const specrt_region &R, const uint64_t *Packed);

/// Ends it after \p Ticks. A call that another version took over is none of the original.
/// Async-signal-safe.
void endCaptured(Capture &Of, bool IsInterrupted, uint64_t Ticks);

} // namespace specrt

#endif
