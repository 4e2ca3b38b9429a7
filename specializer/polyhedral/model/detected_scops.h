//===- specializer/polyhedral/model/detected_scops.h - where Polly finds Scops -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_DETECTED_SCOPS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_DETECTED_SCOPS_H

#include "polly/ScopDetection.h"
#include "polly/ScopInfo.h"
#include "specializer/polyhedral/model/polly_options.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/IR/PassManager.h"

namespace specrt {

/// Polly's detection, done with the options that are set. Refers to analyses of the function, which
/// may not be invalidated before.
class DetectedScops {
public:
  DetectedScops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
  DetectedScops(const DetectedScops &) = delete;
  DetectedScops &operator=(const DetectedScops &) = delete;

  /// Models every Scop. The models may not outlive the detection.
  polly::ScopInfo model();

  /// Detection changes the region tree by expanding regions: it has one of its own.
  llvm::RegionInfo Regions;
  polly::ScopDetection Detection;

private:
  llvm::Function &F;
  llvm::FunctionAnalysisManager &FAM;
  PollyOptionScope Options; ///< for models
};

} // namespace specrt

#endif
