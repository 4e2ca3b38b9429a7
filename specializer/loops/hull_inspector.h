//===- specializer/loops/hull_inspector.h - addresses compared before a loop --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which elements `x[index[i]]` reads, or how far `for (j = 0; j < count[i]; ++j)` goes, is known
// from data only. An inspector computes it before the loop begins: it executes what the loop
// computes for addresses, and nothing else, and keeps the lowest and the highest address that is
// accessed through each base. Innermost loops of which both are known without iterating are left
// out. (Saltz, Mirchandaney, Crowley, "Run-time parallelization and scheduling of loops", has the
// general scheme.)
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_LOOPS_HULL_INSPECTOR_H
#define SPECRT_SPECIALIZER_LOOPS_HULL_INSPECTOR_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/IR/PassManager.h"
#include <memory>

namespace llvm {
class Instruction;
class Loop;
class SCEV;
class Value;
} // namespace llvm

namespace specrt {

/// What has to be true of the addresses of a loop, and can be found out when it begins only.
struct HullDemands {
  struct Access {
    llvm::Instruction *I;
    const llvm::SCEV *Address;
    uint64_t Bytes;
  };
  /// All addresses of one group of accesses.
  struct Hull {
    llvm::SmallVector<Access, 2> Of;
    /// Where accesses of one iteration are compared: how many bytes further an iteration begins
    /// than the one before. 0: those of all iterations are.
    int64_t Step = 0;
  };
  llvm::SmallVector<Hull, 4> Hulls;
  /// Numbers of hulls, with Step 0, that may have no byte in common.
  llvm::SmallVector<std::pair<unsigned, unsigned>, 8> Apart;
  /// What the loop writes: nothing that the inspector reads may be part of it.
  llvm::SmallVector<llvm::MemoryLocation, 4> Written;

  bool isEmpty() const { return Hulls.empty(); }
};

class HullInspector {
public:
  /// Analyses are those of the function of \p L and must be up to date.
  HullInspector(llvm::Loop &L, llvm::FunctionAnalysisManager &FAM, const HullDemands &Demands);
  ~HullInspector();

  /// Returns whether the demands can be checked before the loop. Changes nothing.
  bool isPossible();
  /// Inserts the inspector in front of the loop, if isPossible(). Returns an i1 in the loop's
  /// preheader: all demands are met. Analyses have to be made anew.
  llvm::Value *build();

private:
  class Planner;
  std::unique_ptr<Planner> Plan;
};

} // namespace specrt

#endif
