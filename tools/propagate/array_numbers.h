//===- tools/propagate/array_numbers.h - sizes and numbers of nonzeros of arrays ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_PROPAGATE_ARRAY_NUMBERS_H
#define SPECRT_TOOLS_PROPAGATE_ARRAY_NUMBERS_H

#include "specrt/structure.h"
#include <vector>

namespace specrt::tools {

/// Returns the known extents of an array, from the loops, a file, or the places that may be
/// nonzero.
std::vector<int64_t> extentsOf(const specrt_array_structure &A);

/// Returns the number of elements that may be nonzero, at most UINT64_MAX.
uint64_t nonzerosOf(const specrt_array_structure &A);

} // namespace specrt::tools

#endif
