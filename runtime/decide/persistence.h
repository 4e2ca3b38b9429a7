//===- runtime/decide/persistence.h - stores the results of a run ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_DECIDE_PERSISTENCE_H
#define SPECRT_RUNTIME_DECIDE_PERSISTENCE_H

#include "runtime/decide/registry.h"

namespace specrt {

/// Adds the observations and decisions since the last call to the store's file. Returns true when
/// there was nothing to write or it was written. With AtExit, the partial results of an unfinished
/// trial are stored, too. Any thread; may throw std::bad_alloc.
bool saveProfiles(Registry &R, bool AtExit);

} // namespace specrt

#endif
