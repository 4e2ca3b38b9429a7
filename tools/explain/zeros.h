//===- tools/explain/zeros.h - `equations` and `nonzeros` of a region in a report ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_EXPLAIN_ZEROS_H
#define SPECRT_TOOLS_EXPLAIN_ZEROS_H

#include <cstdint>
#include <string>
#include <vector>

namespace specrt::tools {

/// Elements of an array that are not zero, as a version lists them.
struct ListedNonzeros {
  std::string Array;
  uint64_t Elements = 0, Listed = 0, Rows = 0;
  std::string WhyNotKept; ///< why each call makes the list anew
};

/// What the region writes.
struct PredictedNonzeros {
  std::string Array;
  uint64_t Elements = 0, Nonzero = 0;
  bool IfZeroBefore = false;
  uint64_t Words = 0, Zero = 0; ///< that were looked at after a call
};

/// Texts are as they came: printable() before printing.
struct ZerosOfRegion {
  std::string Equations, Skips; ///< lines
  std::vector<ListedNonzeros> Lists;
  std::vector<PredictedNonzeros> Predicted;
  std::string WhyNotPredicted;
};

} // namespace specrt::tools

#endif
