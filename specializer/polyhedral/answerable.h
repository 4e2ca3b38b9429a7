//===- specializer/polyhedral/answerable.h - what guards make affine ------===//
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

/// Expressions of one region, with everything taken for known that guards can promise: parameters
/// and what is read from one place are constants, elements of arrays of pointers or indices are an
/// affine function of their position.
class Answerable {
public:
  Answerable(const llvm::Region &R, llvm::ScalarEvolution &SE, const llvm::LoopInfo &LI,
             const llvm::DominatorTree &DT, const llvm::PostDominatorTree &PDT);

  enum class Form {
    Constant, ///< in all of the nest that the region is part of
    Affine,   ///< in its loop counters, and in what loops around the region change
    Neither
  };

  /// What has to be promised for it is noted below. Once it is Neither, so are all later ones.
  Form formOf(const llvm::SCEV *S);
  Form formOf(const llvm::Value &V);

  bool NeedsCells = false;   ///< values at one place in memory
  bool NeedsRows = false;    ///< arrays of pointers
  bool NeedsIndices = false; ///< arrays of integers
  bool IsNonLinear = false;  ///< why it is Neither: a product of what changes, a remainder

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
