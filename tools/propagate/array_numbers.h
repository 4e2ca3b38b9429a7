//===- tools/propagate/array_numbers.h - how large an array is, and how full ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_PROPAGATE_ARRAY_NUMBERS_H
#define SPECRT_TOOLS_PROPAGATE_ARRAY_NUMBERS_H

#include "specrt/structure.h"
#include <vector>

namespace specrt::tools {

/// What is known of an array's extents, by the loops, a file, or where it may be nonzero.
std::vector<int64_t> extentsOf(const specrt_array_structure &A);

/// Elements that may be nonzero; UINT64_MAX: that many or more.
uint64_t nonzerosOf(const specrt_array_structure &A);

} // namespace specrt::tools

#endif
