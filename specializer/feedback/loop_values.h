//===- specializer/feedback/loop_values.h - values that loops carry in registers -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Explains to people why a loop is not parallel: which values an iteration takes from the one
// before, and which of these are counters or reductions, such as sums, that could be computed in
// another order.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_FEEDBACK_LOOP_VALUES_H
#define SPECRT_SPECIALIZER_FEEDBACK_LOOP_VALUES_H

#include "specrt/recording.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace llvm {
class BasicBlock;
class LoadInst;
class LoopInfo;
class ScalarEvolution;
class StoreInst;
class Value;
} // namespace llvm

namespace specrt {

/// Returns the values that loops carry in registers; \p LoopIndex numbers the loops, by header.
std::vector<specrt_carried_value>
carriedValues(const llvm::LoopInfo &LI, llvm::ScalarEvolution &SE,
              const llvm::DenseMap<const llvm::BasicBlock *, unsigned> &LoopIndex);

/// How a store changes the value at its address.
struct MemoryUpdate {
  const llvm::LoadInst *Load; ///< null: it is no update
  uint32_t Role;              ///< enum specrt_carried_role
};

/// Returns the update if \p Store stores `load op something` to the load's address, in the load's
/// loop.
MemoryUpdate findUpdate(const llvm::StoreInst &Store, const llvm::LoopInfo &LI,
                        llvm::ScalarEvolution &SE);

/// Returns a readable name of the memory behind \p Pointer: "A", "w[]" behind row pointers; "" if
/// unknown.
std::string nameOfMemory(const llvm::Value &Pointer);

/// Copies \p Name without suffixes of the compiler, truncated to the room.
void setName(char (&To)[SPECRT_RECORDED_NAME_SIZE], llvm::StringRef Name);

} // namespace specrt

#endif
