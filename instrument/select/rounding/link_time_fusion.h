//===- instrument/select/rounding/link_time_fusion.h - fusion that LTO's inlining decides ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Link-time optimisation may inline a function whose target has no fused multiply-adds into one
// whose target has them, and then its multiplications are fused. Where code generation chooses what
// to fuse, it may also fuse a callee's product with a sum of its caller. But a region keeps the
// target and the operations that it was compiled with, and a function whose loops have become calls
// is inlined where it was too large before. So loops of functions that may be inlined are not made
// regions if inlining decides their bits. Callers in other files are assumed to have the same
// target.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_SELECT_ROUNDING_LINK_TIME_FUSION_H
#define SPECRT_INSTRUMENT_SELECT_ROUNDING_LINK_TIME_FUSION_H

#include "instrument/select/eligibility.h"

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class Module;
} // namespace llvm

namespace specrt {

/// Finds code of a module, which will be optimised at link time, that inlining may fuse.
class LinkTimeFusion {
public:
  /// \p MayContract says that code generation fuses products and sums by itself.
  LinkTimeFusion(const llvm::Module &M, bool MayContract);

  /// Returns a reason against \p Blocks of a function if inlining may decide which operations are
  /// fused in them or around them.
  Refusal refuse(llvm::ArrayRef<llvm::BasicBlock *> Blocks) const;

private:
  bool isUndecided(const llvm::Function &F) const;
  bool mayBeFused(const llvm::Instruction &I) const;

  bool MayContract;
  bool TargetsDiffer;
  bool HasUndecided = false; ///< a function is undecided and contains operations that may be fused
};

} // namespace specrt

#endif
