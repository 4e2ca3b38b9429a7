//===- specializer/loops/independence/loop_accesses.h - memory that a loop accesses ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_LOOPS_INDEPENDENCE_LOOP_ACCESSES_H
#define SPECRT_SPECIALIZER_LOOPS_INDEPENDENCE_LOOP_ACCESSES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/IR/PassManager.h"
#include <tuple>

namespace llvm {
class DominatorTree;
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace specrt {

/// A load, a store, or one side of a block operation.
struct LoopAccess {
  llvm::Instruction *I;
  llvm::MemoryLocation Where; ///< the memory in all iterations, without types
  llvm::MemoryLocation Typed; ///< the same memory, with type information
  bool IsWrite;
  const llvm::SCEV *Address;
  const llvm::SCEV *Base; ///< of the address
  uint64_t Bytes;
  unsigned Kind; ///< alias analysis does not distinguish the accesses of a kind
  bool KeepsType;
};

/// All accesses of a loop whose iterations several threads may execute.
class LoopAccesses {
public:
  LoopAccesses(const llvm::Loop &L, llvm::FunctionAnalysisManager &FAM);

  /// Collects the accesses, except those to static stack memory for which \p IsPrivate returns
  /// true. Returns false if the loop does anything that only one thread may do, or accesses that
  /// cannot be described, or if there are too many.
  bool collect(llvm::function_ref<bool(const llvm::AllocaInst &)> IsPrivate);

  llvm::ArrayRef<LoopAccess> all() const { return Accesses; }

  /// Returns whether the two access different memory in all iterations. Types prove that only for
  /// memory that keeps its type. A loop may convert doubles to floats in place, and another thread
  /// may run a later iteration first.
  bool areDifferentObjects(const LoopAccess &A, const LoopAccess &B);

private:
  /// The underlying object and the alias metadata of an access.
  using AccessKind = std::tuple<const llvm::Value *, const llvm::MDNode *, const llvm::MDNode *,
                                const llvm::MDNode *>;
  using AreApartByKind = llvm::DenseMap<std::pair<unsigned, unsigned>, bool>;

  bool add(llvm::Instruction &I, llvm::function_ref<bool(const llvm::AllocaInst &)> IsPrivate);
  bool keepsType(const llvm::Value *Pointer, const llvm::SCEV *Address) const;

  const llvm::Loop &L;
  llvm::ScalarEvolution &SE;
  llvm::BatchAAResults AA; ///< answers are valid for two different iterations
  llvm::MapVector<AccessKind, unsigned> Kinds;
  AreApartByKind AreApart, AreApartByType;
  llvm::SmallVector<LoopAccess, 0> Accesses;
};

/// Returns whether \p S contains a value that iterations of \p L load or compute, other than
/// numbers that follow from the counters of loops.
bool dependsOnData(const llvm::SCEV *S, const llvm::Loop &L);

/// Returns whether the lifetime of \p Room begins in each iteration of \p L before anything else
/// uses it.
bool beginsAnew(const llvm::AllocaInst &Room, const llvm::Loop &L, const llvm::DominatorTree &DT);

} // namespace specrt

#endif
