//===- runtime/report/zero_prediction.h - where loops leave zeros, by lists ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a region writes can be nonzero only where the equations say so. For the pattern of a list of
// this process that is a number of elements, which a report shows beside what was seen.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_REPORT_ZERO_PREDICTION_H
#define SPECRT_RUNTIME_REPORT_ZERO_PREDICTION_H

#include "specrt/zeros.h"
#include "structure/program/dense_program.h"
#include <string>
#include <vector>

namespace specrt {

/// The nonzeros of one of a program's arrays.
struct ListedPattern {
  std::string Array;
  specrt_zeros_walk Walk; ///< its elements, without their memory
  const specrt_zeros_list *List;
  uint64_t Rows, Listed; ///< of the list
};

struct PredictedArray {
  std::string Array;
  uint64_t Elements = 0;     ///< that the loops write
  uint64_t Nonzero = 0;      ///< of these, may be
  bool IfZeroBefore = false; ///< what was in it before counts, too
};

struct ZeroPrediction {
  std::vector<PredictedArray> Arrays; ///< that are written
  std::string Why;                    ///< not empty: nothing can be said
};

/// \p Program as in structure/program/program_text.h. Gives up after about \p MaxMs.
ZeroPrediction predictZeros(const std::string &Program, const std::vector<ListedPattern> &Lists,
                            double MaxMs);

} // namespace specrt

#endif
