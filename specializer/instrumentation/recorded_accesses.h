//===- specializer/instrumentation/recorded_accesses.h - what a recording can contain ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_INSTRUMENTATION_RECORDED_ACCESSES_H
#define SPECRT_SPECIALIZER_INSTRUMENTATION_RECORDED_ACCESSES_H

#include "specrt/recording.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class LoadInst;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace specrt {

/// The loops and numbered accesses of a function, as a recording names them.
struct RecordedTables {
  std::vector<specrt_recorded_loop> Loops;
  std::vector<specrt_recorded_access> Accesses;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> LoopIndex; ///< by header
  llvm::DenseMap<const llvm::Instruction *, unsigned> AccessIndex;
};

enum class WhichAccesses {
  Numbered, ///< those of the code as it was embedded
  All       ///< the number of others is UINT32_MAX
};

/// The tables of \p F: its accesses in loops. Values are wanted of loads whose integers or pointers
/// decide about addresses or branches. Fails when there are more loops than a recording can name;
/// accesses beyond the limits are left out.
llvm::Expected<RecordedTables> recordedTables(llvm::Function &F, const llvm::LoopInfo &LI,
                                              llvm::ScalarEvolution &SE,
                                              WhichAccesses Which = WhichAccesses::Numbered);

/// The first numbered load in a loop of \p F that reads, not always in the same place, what decides
/// about addresses or branches; null without any. Row pointers that a guard has looked at do not
/// count (polyhedral/model/row_marks.h).
const llvm::LoadInst *findIndirection(const llvm::Function &F, const llvm::LoopInfo &LI,
                                      llvm::ScalarEvolution &SE);

} // namespace specrt

#endif
