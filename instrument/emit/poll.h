//===- instrument/emit/poll.h - where a running nest can change over ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A nest that is called once and runs for seconds gains nothing from versions for later calls. So
// the original asks, once per iteration of its outermost loop, whether a version shall do the rest:
//
//   if (iteration == region.poll_at)                       // one load and one comparison
//     if (target = specrt_poll(&region, packed, iteration, &call)) {
//       r = target(args...); specrt_leave(&region, &call); return r;
//     }
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_EMIT_POLL_H
#define SPECRT_INSTRUMENT_EMIT_POLL_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Constant;
class Function;
} // namespace llvm

namespace specrt {

/// Can the rest of \p Body's iterations be done by other code, and may a call last long enough?
bool canPoll(llvm::Function &Body, llvm::FunctionAnalysisManager &FAM);

/// Adds the test to \p Body, for which canPoll() holds and whose bitcode has been written. Its
/// descriptor is \p Descriptor. Analyses of Body are invalidated.
void emitPoll(llvm::Function &Body, llvm::Constant *Descriptor, llvm::FunctionAnalysisManager &FAM);

} // namespace specrt

#endif
