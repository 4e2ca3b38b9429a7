//===- runtime/decide/image.h - an instrumented executable or library -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_DECIDE_IMAGE_H
#define SPECRT_RUNTIME_DECIDE_IMAGE_H

#include "runtime/call/region_state.h"
#include "specrt/abi.h"
#include "support/content_hash.h"
#include <cstddef>

namespace specrt {

/// The image's part of the region section, and the states.
struct Image {
  specrt_region **Begin = nullptr;
  specrt_region **End = nullptr;
  RegionState *States = nullptr; ///< one per entry, in zeroed pages; null while disabled
  size_t Bytes = 0;

  size_t size() const { return static_cast<size_t>(End - Begin); }
};

/// The data of an unloaded image; when it is loaded again, it takes over its states.
struct UnloadedImage {
  ContentHash Identity; ///< of its regions, without their addresses
  RegionState *States = nullptr;
  size_t Bytes = 0;
};

/// Returns whether this library understands the descriptor.
inline bool understands(const specrt_region &R) {
  return R.abi_version == SPECRT_ABI_VERSION && R.size >= SPECRT_REGION_BYTES;
}

/// Returns whether an entry of the section is a region that has no state yet. The linker may leave
/// gaps, and a region may be listed twice.
inline bool isNew(const specrt_region *R) { return R && R->abi_version != 0 && !R->state; }

inline void setSlot(specrt_region &R, void *Target) {
  __atomic_store_n(R.slot, Target, __ATOMIC_RELEASE);
}

/// Makes the region run its original only. A region that this library does not understand keeps the
/// value that its compiler has put into the slot, which has the same effect.
inline void leaveToOriginal(specrt_region &R) {
  if (understands(R))
    setSlot(R, InPlace);
}

inline void setState(specrt_region &R, RegionState *S) {
  __atomic_store_n(&R.state, static_cast<void *>(S), __ATOMIC_RELEASE);
}

} // namespace specrt

#endif
