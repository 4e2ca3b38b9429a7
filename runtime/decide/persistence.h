//===- runtime/decide/persistence.h - from the registry to the profile store ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_DECIDE_PERSISTENCE_H
#define SPECRT_RUNTIME_DECIDE_PERSISTENCE_H

#include "runtime/decide/registry.h"

namespace specrt {

/// Adds what was observed and decided since the last call to the store's file. True when there was
/// nothing to write or it was written. AtExit: an unfinished trial counts as far as it got. Any
/// thread; may throw std::bad_alloc.
bool saveProfiles(Registry &R, bool AtExit);

} // namespace specrt

#endif
