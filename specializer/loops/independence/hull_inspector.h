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

#include "specializer/loops/independence/conditional_arrays.h"
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

/// The bytes of a group of accesses that have to be compared.
enum class HullKind : uint8_t {
  All,       ///< those of all iterations
  Row,       ///< each iteration begins one step after the one before, and must not reach beyond the
             ///< beginning of the next one
  Ascending, ///< each iteration must begin behind the end of all iterations before it
};

/// The conditions on the addresses and branches of a loop that can be checked only when the loop
/// begins.
struct HullDemands {
  struct Access {
    llvm::Instruction *I;
    const llvm::SCEV *Address;
    uint64_t Bytes;
  };
  /// The interval that contains all bytes of one group of accesses.
  struct Hull {
    const llvm::SCEV *Base; ///< of all the accesses
    HullKind Kind;
    int64_t Step = 0; ///< in bytes; 0 unless the kind is Row
    llvm::SmallVector<Access, 2> Of = {};
  };
  llvm::SmallVector<Hull, 4> Hulls;
  /// Pairs of hulls of all iterations, by number, that must have no byte in common.
  llvm::SmallVector<std::pair<unsigned, unsigned>, 8> Apart;
  /// The memory that the loop writes. The inspector must not read any of it.
  llvm::SmallVector<llvm::MemoryLocation, 4> Written;
  /// Branches that must go in one direction, so that work arrays are private.
  llvm::SmallVector<BranchDemand, 4> Branches;
  /// Branches of which the last iteration that goes in one direction has to be found, and the work
  /// arrays that it writes, by number.
  llvm::SmallVector<std::pair<BranchDirection, unsigned>, 2> LastWrites;

  bool isEmpty() const { return Hulls.empty() && Branches.empty() && LastWrites.empty(); }
};

class HullInspector {
public:
  /// The analyses in \p FAM of the function of \p L must be up to date.
  HullInspector(llvm::Loop &L, llvm::FunctionAnalysisManager &FAM, const HullDemands &Demands);
  ~HullInspector();

  /// Returns whether the demands can be checked before the loop. Does not change the function.
  bool isPossible();
  /// Values in the loop's preheader.
  struct Inspected {
    llvm::Value *AreMet; ///< an i1: all demands are met
    /// [number in Demands.LastWrites] The last iteration that writes the array, as an i64; -1 if
    /// there is none.
    llvm::SmallVector<llvm::Value *, 2> LastWrites;
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
