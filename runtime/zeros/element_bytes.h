//===- runtime/zeros/element_bytes.h - the bytes of the elements of a walk ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_ZEROS_ELEMENT_BYTES_H
#define SPECRT_RUNTIME_ZEROS_ELEMENT_BYTES_H

#include "runtime/watch/watched_range.h"
#include "runtime/zeros/element_walk.h"
#include <vector>

namespace specrt {

/// Returns the bytes of all elements, in ascending order, and no others. Returns none if they are
/// too far apart for a map of them. May throw bad_alloc.
std::vector<WatchedRange> bytesOf(const specrt_zeros_walk &W, const ElementHull &Hull);

} // namespace specrt

#endif
