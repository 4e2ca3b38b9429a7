//===- runtime/zeros/zero_lists.h - keeps lists of nonzero elements between calls ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A version that skips zeros requests a list each time its nest begins (specrt/zeros.h). Lists are
// kept for the whole process, by the elements that the nest visits, so that regions share them, and
// are reused as long as a watch reports that the array did not change. Watching makes the program's
// own writes more expensive: an array is watched only after two lists in a row were equal, and less
// and less often if it changed nevertheless. An array that is not mostly zero gets no list for some
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

/// Counts of this process.
struct ZeroFigures {
  uint64_t Made = 0;    ///< lists made
  uint64_t Reused = 0;  ///< calls that found a list
  uint64_t Refused = 0; ///< calls without a list
  uint64_t Unfit = 0;   ///< calls with numbers that do not allow omitting any element
};
ZeroFigures zeroFigures();

/// The last list of an array.
struct ShownList {
  specrt_zeros_walk Walk{};
  uint64_t Elements = 0, Listed = 0;
  /// each call makes its own list, because the elements cannot be watched
  bool IsUnwatchable = false;
  std::shared_ptr<const specrt_zeros_list> List; ///< valid while it has owners; null: none
};

/// Returns the last list that calls requested, among those of this array (specrt_zeros_array).
ShownList listOf(uint32_t Array);

} // namespace specrt

#endif
