//===- runtime/decide/requests/deferred_compiles.h - compiles after the end of a run ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_DECIDE_REQUESTS_DEFERRED_COMPILES_H
#define SPECRT_RUNTIME_DECIDE_REQUESTS_DEFERRED_COMPILES_H

#include "runtime/decide/registry.h"

namespace specrt {

/// Requests from the compile server the compiles for which this run was too short (isTooEarly), so
/// that later runs find the results in the store. Does not wait for answers. Called at the end of
/// the process, when the gate of R.Compiler is closed and before the profiles are saved. Throws
/// std::bad_alloc.
void requestDeferredCompiles(Registry &R);

/// Gives captured calls that have been kept for ten seconds to the compile server, so that
/// long-running programs do not hold their memory. Returns the milliseconds after which it has to
/// be called again; 0 if no capture is kept. For the worker. Throws std::bad_alloc.
uint32_t handOverCaptures(Registry &R);

} // namespace specrt

#endif
