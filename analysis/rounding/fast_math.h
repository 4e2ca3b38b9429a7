//===- analysis/rounding/fast_math.h - results that -ffast-math leaves open -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flags on floating-point operations (reassoc, arcp, afn, nsz, contract) permit different result
// bits. How LLVM uses them after regions are made depends on vector widths, unrolling and cost
// models: the vectoriser and the unroller split sums, code generation uses reciprocals and regroups
// chains of additions. A second compilation then need not give the same bits.
//
// Most of these rewrites take two operations of which one uses the other's result: a sum of sums, a
// product of products. Code without such pairs computes the plain result, whatever the flags. Two
// operations form a pair if they are connected through registers (phis, selects, changes of sign or
// precision) or through memory that one iteration writes and another reads. InstCombine and
// Reassociate have rewritten pairs of different kinds before regions are made, and do so again only
// if operands become equal or constant.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_ANALYSIS_ROUNDING_FAST_MATH_H
#define SPECRT_ANALYSIS_ROUNDING_FAST_MATH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class Function;
class Instruction;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace specrt {

/// An operation with a result that is settled only after regions are made, and the reason.
struct OpenResult {
  const llvm::Instruction *Where = nullptr;
  const char *Why = nullptr; ///< "its sums may be reordered"

  explicit operator bool() const { return Where; }
};

/// Returns whether \p I carries a flag that permits other bits than those of the operation itself;
/// flags about NaNs and infinities do not count.
bool hasFreeResult(const llvm::Instruction &I);

/// Returns whether two copies of \p I may compute different bits from the same operands, such that
/// a comparison may tell them apart. Flags permit that, and llvm.fmuladd does. What looks at the
/// sign or the payload of a NaN that was computed, or at the sign of a zero if that is open, may
/// also differ. The result of a comparison does not depend on flags of its own.
bool mayDifferInCopies(const llvm::Instruction &I);

/// The analyses of a function.
struct LoopsOfFunction {
  const llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
};

/// Returns the first result of \p Code that flags leave open. \p Code: a loop nest or a function
/// with all callees that a version would contain. \p MayContract: mayContract() of the module.
/// Operands and users outside of \p Code are inspected as well.
OpenResult findOpenResult(llvm::ArrayRef<const llvm::Instruction *> Code,
                          llvm::function_ref<LoopsOfFunction(const llvm::Function &)> LoopsOf,
                          bool MayContract, bool ForLTO);

} // namespace specrt

#endif
