//===- runtime/report/zero_prediction.h - predicts zeros from lists of nonzeros ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements that a region writes can be nonzero only where the equations say so. For the pattern of
// a list in this process that is a number of elements, which a report shows beside the observed
// one.
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
  uint64_t Elements = 0;     ///< elements that the loops write
  uint64_t Nonzero = 0;      ///< number of these that may be nonzero
  bool IfZeroBefore = false; ///< Nonzero holds only if the array was zero before
};

struct ZeroPrediction {
  std::vector<PredictedArray> Arrays; ///< the arrays that are written
  std::string Why;                    ///< not empty: why there is no prediction
};

/// Predicts the nonzeros of \p Program, a text of structure/program/program_text.h. Stops after
/// about \p MaxMs.
ZeroPrediction predictZeros(const std::string &Program, const std::vector<ListedPattern> &Lists,
                            double MaxMs);

} // namespace specrt

#endif
