//===- runtime/zeros/zero_lists.h - which elements are not zero, kept between calls ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A version that skips zeros asks for a list each time its nest begins (specrt/zeros.h). Lists are
// kept for the whole process by what the nest walks over, so that regions share them, and used
// again as long as a watch says that the array did not change. Watching makes the program's own
// writes dearer: an array is watched only after two lists in a row were the same, and less and less
// often when it changed all the same. An array that is not mostly zero is left alone for some
// calls, then for more.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_ZEROS_ZERO_LISTS_H
#define SPECRT_RUNTIME_ZEROS_ZERO_LISTS_H

#include "specrt/zeros.h"
#include <memory>

namespace specrt {

specrt_zeros_begin_fn beginZeros;
specrt_zeros_fit_fn fitZeros;
specrt_zeros_end_fn endZeros;

/// What they did in this process.
struct ZeroFigures {
  uint64_t Made = 0;    ///< lists
  uint64_t Reused = 0;  ///< calls that found one
  uint64_t Refused = 0; ///< calls without
  uint64_t Unfit = 0;   ///< calls with numbers that do not allow to leave anything out
};
ZeroFigures zeroFigures();

/// A list as it was made last.
struct ShownList {
  specrt_zeros_walk Walk{};
  uint64_t Elements = 0, Listed = 0;
  bool IsUnwatchable = false; ///< each call makes its own, because the elements cannot be watched
  std::shared_ptr<const specrt_zeros_list> List; ///< as long as somebody has it; null: none
};

/// The list that calls asked for last, of those about this array (specrt_zeros_array).
ShownList listOf(uint32_t Array);

} // namespace specrt

#endif
