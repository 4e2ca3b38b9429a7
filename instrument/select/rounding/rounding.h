//===- instrument/select/rounding/rounding.h - results that versions might round differently ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some floating-point results are decided after the plugin has run, by the vectoriser or by code
// generation, in ways that depend on the target, on constants and on cost models. A version might
// have other results, so such loops are not made regions. Other loops of the same nest may be. If
// flags such as -ffast-math allow any result, the loop is a region for SPECRT_FP=fast, unless a
// region's call beside it would change the bits of the original in place.
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
  /// \p ForLTO says that the originals are optimised once more at link time.
  Rounding(const llvm::Module &M, llvm::FunctionAnalysisManager &FAM, bool ForLTO);

  /// Returns why a version of \p L, with the callees that it would contain, might round differently
  /// from the original, or why the original would beside a region; an empty reason if neither.
  Refusal refuse(const llvm::Loop &L) const;
  /// Returns why a version that contains \p Blocks, which are between two loops, might round
  /// differently from the original, or that flags leave a result of theirs open. Code generation
  /// treats such blocks together with code around the region.
  Refusal refuseBetween(llvm::ArrayRef<llvm::BasicBlock *> Blocks) const;
  /// Returns a result of \p L that flags leave open, if any: only versions for SPECRT_FP=fast may
  /// compute it.
  OpenResult findOpen(const llvm::Loop &L) const;
  /// Returns why versions that contain all of \p F might round differently from the original, or
  /// that flags leave a result open.
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
  std::optional<LinkTimeFusion> AtLinkTime; ///< only with LTO
};

} // namespace specrt

#endif
