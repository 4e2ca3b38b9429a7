//===- analysis/rounding/unrolling.h - loops that may end as straight-line code ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM unrolls short loops after they became vectors. Counters become constants then, and
// operations of different iterations meet in one block.
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

/// Answers for the loops of one function, at the place where regions are made.
class Unrolling {
public:
  /// \p ForLTO: link-time optimisation may find more bounds and more constants.
  Unrolling(const llvm::LoopInfo &LI, llvm::ScalarEvolution &SE, bool ForLTO)
      : LI(LI), SE(SE), ForLTO(ForLTO) {}

  /// May nothing of \p L be left but copies of its body?
  bool mayVanish(const llvm::Loop &L) const;

  /// May some iterations of \p L become part of the code around it? Also by peeling, which LLVM
  /// does where a condition or a phi is known after the first iterations.
  bool mayMixWithNeighbours(const llvm::Loop &L) const;

  /// May \p V become a constant? Literals are constants already.
  bool mayBecomeConstant(const llvm::Value &V) const;

private:
  unsigned tripCount(const llvm::Loop &L) const;

  const llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  bool ForLTO;
};

} // namespace specrt

#endif
