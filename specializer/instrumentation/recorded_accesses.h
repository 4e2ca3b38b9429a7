//===- specializer/instrumentation/recorded_accesses.h - loops and accesses of a recording -===//
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

/// The loops and numbered accesses of a function, as a recording identifies them.
struct RecordedTables {
  std::vector<specrt_recorded_loop> Loops;
  std::vector<specrt_recorded_access> Accesses;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> LoopIndex; ///< by header
  llvm::DenseMap<const llvm::Instruction *, unsigned> AccessIndex;
};

enum class WhichAccesses {
  Numbered, ///< those of the code as embedded
  All       ///< all; the number of the others is UINT32_MAX
};

/// Returns the tables of \p F: its accesses in loops. Values are recorded for loads whose integers
/// or pointers determine addresses or branches. Returns an error if there are more loops than a
/// recording can identify; omits accesses beyond the limits.
llvm::Expected<RecordedTables> recordedTables(llvm::Function &F, const llvm::LoopInfo &LI,
                                              llvm::ScalarEvolution &SE,
                                              WhichAccesses Which = WhichAccesses::Numbered);

/// Returns the first numbered load in a loop of \p F that reads, at varying places, what determines
/// addresses or branches; null if there is none. Row pointers that a guard has checked do not count
/// (polyhedral/model/row_marks.h).
const llvm::LoadInst *findIndirection(const llvm::Function &F, const llvm::LoopInfo &LI,
                                      llvm::ScalarEvolution &SE);

} // namespace specrt

#endif
