//===- runtime/call/call_work.h - how much a call does --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_CALL_CALL_WORK_H
#define SPECRT_RUNTIME_CALL_CALL_WORK_H

#include "specrt/abi.h"

namespace specrt {

/// About how many innermost iterations a call does: trip counts multiplied along nests, siblings
/// added. 0: unknown. Async-signal-safe.
double workOf(const specrt_region &Region, const uint64_t *Packed);

} // namespace specrt

#endif
