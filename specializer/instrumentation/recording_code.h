//===- specializer/instrumentation/recording_code.h - a function that records its accesses ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every outermost loop of the function gets two more copies and a place from which all are entered:
//
//                  ┌─> plain ──┐ at the next window
//     ──> dispatch ┼─> recording ─┘──> dispatch
//                  └─> rest  <── recording, at the beginning of any loop's iteration
//
// The dispatch asks specrt_recording::window which copy runs, and up to which iteration. From the
// recording copy each loop can go on in the rest, the loop as it was, when memory or time are used
// up: a single iteration of the outermost loop may last as long as a call. Values that live longer
// than a block are kept in memory while the copies are made, so any of them can go on from where
// another one stopped; LLVM puts them back into registers.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_INSTRUMENTATION_RECORDING_CODE_H
#define SPECRT_SPECIALIZER_INSTRUMENTATION_RECORDING_CODE_H

#include "specializer/instrumentation/recorded_accesses.h"
#include "llvm/IR/PassManager.h"

namespace specrt {

/// What is recorded of a function, and how much room it takes.
struct RecordedFunction {
  RecordedTables Tables;
  std::vector<specrt_carried_value> Carried;
  uint32_t Words = 0; ///< at most between two beginnings of iterations
};

/// Makes \p F, whose accesses have numbers, write to \p Into; its results stay the same. No
/// analyses of \p F are cached afterwards. Fails, with \p F possibly changed, when its control flow
/// does not permit it.
llvm::Expected<RecordedFunction>
recordAccesses(llvm::Function &F, llvm::FunctionAnalysisManager &FAM, const specrt_recording &Into);

} // namespace specrt

#endif
