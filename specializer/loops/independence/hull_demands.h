//===- specializer/loops/independence/hull_demands.h - conditions on addresses ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_LOOPS_INDEPENDENCE_HULL_DEMANDS_H
#define SPECRT_SPECIALIZER_LOOPS_INDEPENDENCE_HULL_DEMANDS_H

#include "specializer/loops/distribution/kept_values.h"
#include "specializer/loops/independence/conditional_arrays.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/MemoryLocation.h"

namespace llvm {
class Instruction;
class LoadInst;
class LoopInfo;
class SCEV;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace specrt {

struct LoopAccess;

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
  /// Adds \p A to the hull for its base, \p Kind and \p Step, in which accesses of one loop that
  /// have constant distances are one access. Returns the number of the hull.
  unsigned add(const LoopAccess &A, HullKind Kind, const llvm::LoopInfo &LI,
               llvm::ScalarEvolution &SE, int64_t Step = 0);

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

  /// The inspector may read memory that the loop writes by these loads, because Apart compares them
  /// with the writes.
  llvm::SmallPtrSet<const llvm::LoadInst *, 8> Compared;
  /// Values that the inspector keeps for a later loop. The inspector, which iterates then, may be
  /// executed by threads.
  KeptValues Kept;
  /// The instructions of the inspector that are executed again after it; null: all of them.
  const llvm::SmallSetVector<llvm::Instruction *, 32> *Again = nullptr;

  bool isEmpty() const {
    return Hulls.empty() && Branches.empty() && LastWrites.empty() && Kept.isEmpty();
  }
};

} // namespace specrt

#endif
