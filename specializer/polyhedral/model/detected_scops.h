//===- specializer/polyhedral/model/detected_scops.h - Scops that Polly detects -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_DETECTED_SCOPS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_DETECTED_SCOPS_H

#include "polly/ScopDetection.h"
#include "polly/ScopInfo.h"
#include "specializer/polyhedral/model/polly_options.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/IR/PassManager.h"

namespace specrt {

/// Runs Polly's detection with the current options. Refers to analyses of the function, which must
/// outlive this object.
class DetectedScops {
public:
  DetectedScops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
  DetectedScops(const DetectedScops &) = delete;
  DetectedScops &operator=(const DetectedScops &) = delete;

  /// Models every Scop. The models must not outlive the detection.
  polly::ScopInfo model();

  /// A region tree of its own, because detection expands regions.
  llvm::RegionInfo Regions;
  polly::ScopDetection Detection;

private:
  llvm::Function &F;
  llvm::FunctionAnalysisManager &FAM;
  PollyOptionScope Options; ///< for the models
};

} // namespace specrt

#endif
