//===- analysis/rounding/fast_math.h - results that -ffast-math leaves open ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flags on floating-point operations (reassoc, arcp, afn, nsz, contract) permit other bits. What
// LLVM makes of them after regions are made depends on vector widths, on unrolling, on models of
// processors: the vectoriser and the unroller split sums, code generation takes reciprocals and
// regroups chains of additions. No second compilation gives the same bits then.
//
// Most of it takes two operations, of which one uses the other's result: a sum of sums, a product
// of products. Code without such pairs computes what it says, whatever the flags. Operations belong
// together that are connected through registers (phis, choices, changes of sign or precision), or
// through memory that one iteration writes and another reads. What InstCombine and Reassociate do
// with two operations of different kinds they have done before regions are made; it is not done
// again unless operands become equal or constant.
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

/// An operation whose result is settled after regions are made, and why.
struct OpenResult {
  const llvm::Instruction *Where = nullptr;
  const char *Why = nullptr; ///< "its sums may be reordered"

  explicit operator bool() const { return Where; }
};

/// Does \p I carry a flag that permits other bits than those of the operation itself? Without those
/// that are about NaNs and infinities alone.
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

/// The first result of \p Code that flags leave open. \p Code: a loop nest or a function with all
/// that it calls and that a version would contain. \p MayContract: of the module. Operands and
/// users outside of \p Code are looked at as well.
OpenResult findOpenResult(llvm::ArrayRef<const llvm::Instruction *> Code,
                          llvm::function_ref<LoopsOfFunction(const llvm::Function &)> LoopsOf,
                          bool MayContract, bool ForLTO);

} // namespace specrt

#endif
