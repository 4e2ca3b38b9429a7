//===- specializer/loops/independence/hull_inspector.h - checks addresses before a loop ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data decide which elements `x[index[i]]` reads and how far `for (j = 0; j < count[i]; ++j)` goes.
// An inspector determines this before the loop begins. It executes only the part of the loop that
// computes addresses, and keeps the lowest and the highest offset that is accessed from each base.
// Arrays that are accessed at the same offsets, such as the coordinates `x[node[i]]`, `y[node[i]]`
// of a mesh, have these bounds in common. The inspector does not execute inner loops whose lowest
// and highest offsets are known without iterating. Branches that decide whether an array is private
// are checked in the same way.
//
// A loop may also write through an index array, as in `x[index[i]] = f(i)`. Two iterations write
// different elements if the elements ascend, as they do in lists of the cells of a material or of
// the nodes of a boundary. The inspector compares each iteration with those before it.
// (Saltz, Mirchandaney, Crowley, "Run-time parallelization and scheduling of loops", describe the
// general scheme.)
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_LOOPS_INDEPENDENCE_HULL_INSPECTOR_H
#define SPECRT_SPECIALIZER_LOOPS_INDEPENDENCE_HULL_INSPECTOR_H

#include "specializer/loops/independence/hull_demands.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"
#include <memory>

namespace llvm {
class AllocaInst;
class BasicBlock;
class Loop;
class Value;
} // namespace llvm

namespace specrt {

class HullInspector {
public:
  /// The analyses in \p FAM of the function of \p L must be up to date.
  HullInspector(llvm::Loop &L, llvm::FunctionAnalysisManager &FAM, const HullDemands &Demands);
  ~HullInspector();

  /// Returns whether the demands can be checked before the loop. Does not change the function.
  bool isPossible();
  /// Returns the estimated part of the loop's work that the inspector does. Requires that
  /// isPossible() has returned true.
  double share() const;
  /// Values in the loop's preheader.
  struct Inspected {
    llvm::Value *AreMet; ///< an i1: all demands are met
    /// [number in Demands.LastWrites] The last iteration that writes the array, as an i64; -1 if
    /// there is none.
    llvm::SmallVector<llvm::Value *, 2> LastWrites;
    llvm::BasicBlock *Header = nullptr; ///< of the inspector's loop; null if it has none
    /// Variables of the inspector on the stack, which nothing keeps from becoming registers.
    llvm::SmallVector<llvm::AllocaInst *, 4> Variables;
  };
  /// Inserts the inspector in front of the loop. Requires that isPossible() has returned true.
  /// Invalidates the analyses.
  Inspected build();

private:
  class Planner;
  std::unique_ptr<Planner> Plan;
};

} // namespace specrt

#endif
