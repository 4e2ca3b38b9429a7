//===- specializer/feedback/loop_values.h - what loops keep in registers --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For people who ask why a loop is not parallel: which values one iteration takes over from the one
// before, which of them are counters, and which are sums and the like, that could be computed in
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

/// The values that loops carry in registers; \p LoopIndex numbers the loops, by header.
std::vector<specrt_carried_value>
carriedValues(const llvm::LoopInfo &LI, llvm::ScalarEvolution &SE,
              const llvm::DenseMap<const llvm::BasicBlock *, unsigned> &LoopIndex);

/// What a store does to what its address held.
struct MemoryUpdate {
  const llvm::LoadInst *Load; ///< null: it is no update
  uint32_t Role;              ///< enum specrt_carried_role
};

/// Is \p Store one of `load op something` to the load's address, in the load's loop?
MemoryUpdate findUpdate(const llvm::StoreInst &Store, const llvm::LoopInfo &LI,
                        llvm::ScalarEvolution &SE);

/// What people call the memory behind \p Pointer: "A", "w[]" behind row pointers; "" when unknown.
std::string nameOfMemory(const llvm::Value &Pointer);

/// Copies \p Name without what the compiler appended, as far as there is room.
void setName(char (&To)[SPECRT_RECORDED_NAME_SIZE], llvm::StringRef Name);

} // namespace specrt

#endif
