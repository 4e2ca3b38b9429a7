//===- runtime/decide/requests/compile_request.h - makes requests to the compile server ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_DECIDE_REQUESTS_COMPILE_REQUEST_H
#define SPECRT_RUNTIME_DECIDE_REQUESTS_COMPILE_REQUEST_H

#include "runtime/cache/stored_plan.h"
#include "runtime/decide/region_detail.h"
#include "runtime/decide/registry_lock.h"
#include "runtime/protocol/messages.h"

namespace specrt {

/// Returns the expected time of a call under \p T's plan without the version to be compiled, in
/// nanoseconds; 0 when it is unknown.
double expectedNs(const RegionDetail &D, const Task &T);

/// Fills \p Request with \p D's region, \p T's assumptions and settings, and the candidates that
/// are \p Missing. Returns false when the region's image is unloaded.
bool fillRequest(const RegistryLock &Guard, RegionDetail &D, const Task &T,
                 const MissingCandidates &Missing, CompileRequest &Request);

/// Makes the server keep what it compiles in the cache directory, and share the compile with equal
/// requests. Must be called last: the key covers the other fields.
void keepAndShare(const RegionDetail &D, const Task &T, CompileRequest &Request);

/// Returns whether it is too early in this run for a compile that no call waits for. A compile
/// beside the program may cost the program as much time as it takes, because processors share
/// caches and units. So it begins in runs in which the region takes SPECRT_HOT, by its time so far
/// or by the mean of earlier runs. Shorter runs leave it to the compile server when they end.
bool isTooEarly(const RegionDetail &D, const Config &Settings);

} // namespace specrt

#endif
