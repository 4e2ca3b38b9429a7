//===- instrument/select/rounding.h - results that only this compilation has ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some floating-point results are settled after the plugin has run, by the vectoriser or by code
// generation, in ways that depend on the target, on what is constant and on models of costs. A
// version would settle them otherwise, so such loops are not made regions. Others of the same nest
// may be.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_SELECT_ROUNDING_H
#define SPECRT_INSTRUMENT_SELECT_ROUNDING_H

#include "instrument/select/eligibility.h"
#include "instrument/select/link_time_fusion.h"
#include "llvm/IR/PassManager.h"
#include <optional>

namespace specrt {

class Rounding {
public:
  /// \p ForLTO: the originals are optimised once more at link time.
  Rounding(const llvm::Module &M, llvm::FunctionAnalysisManager &FAM, bool ForLTO);

  /// Whether a version of \p L, with the callees that it would contain, might round otherwise than
  /// the original.
  Refusal refuse(const llvm::Loop &L) const;
  /// The same for versions that contain all of \p F.
  Refusal refuse(llvm::Function &F) const;

private:
  struct Code;
  void addCallees(Code &C) const;
  Refusal refuse(const Code &C) const;
  Refusal refuseFusion(const Code &C) const;
  Refusal refuseFolding(const Code &C) const;
  Refusal refuseExtrema(const Code &C) const;

  llvm::FunctionAnalysisManager &FAM;
  bool ForLTO;
  bool HasContractFlags;
  std::optional<LinkTimeFusion> AtLinkTime; ///< with LTO
};

} // namespace specrt

#endif
