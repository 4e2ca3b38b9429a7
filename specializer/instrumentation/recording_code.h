//===- specializer/instrumentation/recording_code.h - a function that records its accesses ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every outermost loop of the function gets two copies and a dispatch from which all three are
// entered:
//
//                  ┌─> plain ──┐ at the next window
//     ──> dispatch ┼─> recording ─┘──> dispatch
//                  └─> rest  <── recording, at the beginning of any loop's iteration
//
// The dispatch calls specrt_recording::window to choose the copy that runs and the iteration up to
// which it runs. From the recording copy, each loop can continue in the rest, which is the original
// loop, when memory or time is used up: a single iteration of the outermost loop may last as long
// as a call. Values that live longer than a block are kept in memory while the copies are made, so
// that each copy can continue where another one stopped; LLVM moves them back into registers.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_INSTRUMENTATION_RECORDING_CODE_H
#define SPECRT_SPECIALIZER_INSTRUMENTATION_RECORDING_CODE_H

#include "specializer/instrumentation/recorded_accesses.h"
#include "llvm/IR/PassManager.h"

namespace specrt {

/// The recorded accesses of a function, and the room that recording takes.
struct RecordedFunction {
  RecordedTables Tables;
  std::vector<specrt_carried_value> Carried;
  uint32_t Words = 0; ///< most words between two begins of iterations
};

/// Makes \p F, whose accesses have numbers, write to \p Into; its results stay the same. Drops all
/// analyses of \p F. Returns an error, with \p F possibly changed, if its control flow is not
/// supported.
llvm::Expected<RecordedFunction>
recordAccesses(llvm::Function &F, llvm::FunctionAnalysisManager &FAM, const specrt_recording &Into);

} // namespace specrt

#endif
