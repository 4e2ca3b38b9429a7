//===- specializer/polyhedral/answerable.h - expressions that guards can make affine -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_ANSWERABLE_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_ANSWERABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class BasicBlock;
class DominatorTree;
class Instruction;
class LoadInst;
class Loop;
class LoopInfo;
class PostDominatorTree;
class Region;
class SCEV;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace specrt {

/// Classifies expressions of one region under the assumption that guards hold: parameters and
/// values read from one place are constants, and elements of arrays of pointers or indices are
/// affine functions of their positions.
class Answerable {
public:
  Answerable(const llvm::Region &R, llvm::ScalarEvolution &SE, const llvm::LoopInfo &LI,
             const llvm::DominatorTree &DT, const llvm::PostDominatorTree &PDT);

  enum class Form {
    Constant, ///< in all of the nest that contains the region
    Affine,   ///< in its loop counters, and in values that loops around the region change
    Neither
  };

  /// Returns the form of an expression, and notes below what guards must ensure for it. Once the
  /// result is Neither, it is Neither for all later expressions, too.
  Form formOf(const llvm::SCEV *S);
  Form formOf(const llvm::Value &V);

  bool NeedsCells = false;   ///< values at one place in memory
  bool NeedsRows = false;    ///< arrays of pointers
  bool NeedsIndices = false; ///< arrays of integers
  bool IsNonLinear = false;  ///< why it is Neither: a product of varying values, or a remainder

private:
  Form nonLinear();
  Form worstOf(llvm::ArrayRef<const llvm::SCEV *> Parts);
  Form constantOnly(llvm::ArrayRef<const llvm::SCEV *> Parts);
  Form productOf(llvm::ArrayRef<const llvm::SCEV *> Factors);
  Form formOfInstruction(const llvm::Instruction &I);
  Form formOfLoad(const llvm::LoadInst &Load);
  bool isWritten(const llvm::LoadInst &Load);
  bool alwaysRuns(const llvm::BasicBlock &Block);

  const llvm::Region &R;
  llvm::ScalarEvolution &SE;
  const llvm::DominatorTree &DT;
  const llvm::PostDominatorTree &PDT;
  const llvm::Loop *Nest = nullptr; ///< the outermost loop around the region
  unsigned Steps = 0;
};

} // namespace specrt

#endif
