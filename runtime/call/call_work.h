//===- runtime/call/call_work.h - how much a call does --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_CALL_CALL_WORK_H
#define SPECRT_RUNTIME_CALL_CALL_WORK_H

#include "specrt/abi.h"

namespace specrt {

/// With all of \p Region's description, which those in programs are packed without: about how many
/// innermost iterations a call does: trip counts multiplied along nests, siblings
/// added. 0: unknown. Async-signal-safe.
double workOf(const specrt_region &Region, const uint64_t *Packed);

/// What a call of \p Ticks would take for a fixed amount of work; \p Ticks where its work is
/// unknown.
uint64_t ticksPerWork(const specrt_region &Region, const uint64_t *Packed, uint64_t Ticks);

} // namespace specrt

#endif
