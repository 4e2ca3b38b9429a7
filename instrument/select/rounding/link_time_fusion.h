//===- instrument/select/rounding/link_time_fusion.h - what inlining at link time fuses ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Link-time optimisation may inline a function whose target has no fused multiply-adds into one
// whose target has them, and then its multiplications are fused. Where code generation chooses what
// to fuse, it may also fuse a callee's product with a sum of its caller. But a region keeps the
// target and the operations that it was compiled with, and a function whose loops became calls is
// inlined where it was too large before. So nothing in functions that may be inlined is made a
// region where that decides about bits. Callers in other files are taken for ones of the same
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

/// Of a module that is going to be optimised at link time.
class LinkTimeFusion {
public:
  /// \p MayContract: code generation fuses products and sums by itself.
  LinkTimeFusion(const llvm::Module &M, bool MayContract);

  /// Refuses \p Blocks of a function when what is fused in them, or around them, may depend on what
  /// is inlined where.
  Refusal refuse(llvm::ArrayRef<llvm::BasicBlock *> Blocks) const;

private:
  bool isUndecided(const llvm::Function &F) const;
  bool mayBeFused(const llvm::Instruction &I) const;

  bool MayContract;
  bool TargetsDiffer;
  bool HasUndecided = false; ///< and what may be fused is in one of them
};

} // namespace specrt

#endif
