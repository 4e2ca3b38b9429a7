//===- instrument/select/rounding/rounding.h - results that only this compilation has ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some floating-point results are settled after the plugin has run, by the vectoriser or by code
// generation, in ways that depend on the target, on what is constant and on models of costs. A
// version would settle them otherwise, so such loops are not made regions. Others of the same nest
// may be. Where flags such as -ffast-math allow any result, the loop is a region for
// SPECRT_FP=fast, unless the original in place would have other bits beside a region's call.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_SELECT_ROUNDING_ROUNDING_H
#define SPECRT_INSTRUMENT_SELECT_ROUNDING_ROUNDING_H

#include "analysis/rounding/fast_math.h"
#include "instrument/select/eligibility.h"
#include "instrument/select/rounding/link_time_fusion.h"
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
  /// Whether a version that contains \p Blocks, which are between two loops, might round otherwise
  /// than the original, or flags leave a result of theirs open. Code generation treats such blocks
  /// together with code around the region.
  Refusal refuseBetween(llvm::ArrayRef<llvm::BasicBlock *> Blocks) const;
  /// A result of \p L that flags leave open: only versions for SPECRT_FP=fast may compute it.
  OpenResult findOpen(const llvm::Loop &L) const;
  /// Whether versions that contain all of \p F might, or flags leave a result open.
  Refusal refuse(llvm::Function &F) const;

private:
  struct Code;
  Code codeOf(llvm::ArrayRef<llvm::BasicBlock *> Blocks) const;
  Code codeOf(const llvm::Loop &L) const;
  LoopsOfFunction loopsOf(const llvm::Function &F) const;
  OpenResult findOpen(const Code &C) const;
  void addCallees(Code &C) const;
  Refusal refuse(const Code &C) const;
  Refusal refuseFolding(const Code &C) const;
  Refusal refuseExtrema(const Code &C) const;
  const char *findNeighbour(const llvm::Loop &L, const Code &C) const;

  llvm::FunctionAnalysisManager &FAM;
  bool ForLTO;
  bool MayContract;
  std::optional<LinkTimeFusion> AtLinkTime; ///< with LTO
};

} // namespace specrt

#endif
