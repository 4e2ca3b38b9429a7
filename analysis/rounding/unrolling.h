//===- analysis/rounding/unrolling.h - loops that may become straight-line code -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM unrolls short loops after vectorisation. Counters then become constants, and operations of
// different iterations meet in one block.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_ANALYSIS_ROUNDING_UNROLLING_H
#define SPECRT_ANALYSIS_ROUNDING_UNROLLING_H

namespace llvm {
class Function;
class Loop;
class LoopInfo;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace specrt {

/// Predicts unrolling of the loops of one function, at the point where regions are made.
class Unrolling {
public:
  /// \p ForLTO: link-time optimisation may find more bounds and more constants.
  Unrolling(const llvm::LoopInfo &LI, llvm::ScalarEvolution &SE, bool ForLTO)
      : LI(LI), SE(SE), ForLTO(ForLTO) {}

  /// Returns whether \p L may be replaced by copies of its body.
  bool mayVanish(const llvm::Loop &L) const;

  /// Returns whether iterations of \p L may become part of the code around it, also by peeling,
  /// which LLVM does if a condition or a phi is known after the first iterations.
  bool mayMixWithNeighbours(const llvm::Loop &L) const;

  /// Returns whether \p V may become a constant; false for literals.
  bool mayBecomeConstant(const llvm::Value &V) const;

private:
  unsigned tripCount(const llvm::Loop &L) const;

  const llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  bool ForLTO;
};

} // namespace specrt

#endif
