//===- tools/explain/zeros.h - the zeros of a region in a report ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_EXPLAIN_ZEROS_H
#define SPECRT_TOOLS_EXPLAIN_ZEROS_H

#include <cstdint>
#include <string>
#include <vector>

namespace specrt::tools {

/// Nonzero elements of an array, which a version lists.
struct ListedNonzeros {
  std::string Array;
  uint64_t Elements = 0, Listed = 0, Rows = 0;
  std::string WhyNotKept; ///< why each call makes a new list
};

/// Predicted nonzero elements of an array that the region writes.
struct PredictedNonzeros {
  std::string Array;
  uint64_t Elements = 0, Nonzero = 0;
  bool IfZeroBefore = false;
  uint64_t Words = 0, Zero = 0; ///< words that were inspected after a call
};

/// Texts are unchecked: they need printable() before printing.
struct ZerosOfRegion {
  std::string Equations, Skips; ///< several lines each
  std::vector<ListedNonzeros> Lists;
  std::vector<PredictedNonzeros> Predicted;
  std::string WhyNotPredicted;
};

} // namespace specrt::tools

#endif
