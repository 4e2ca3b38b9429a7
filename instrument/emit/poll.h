//===- instrument/emit/poll.h - where a running nest can change over ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A nest that is called once and runs for seconds gains nothing from versions for later calls. So
// it asks, once per iteration of its outermost loop, whether a version shall do the rest:
//
//   if (iteration == record.poll_at)                       // one load and one comparison
//     if (target, other = specrt_poll_nest(args..., iteration; record)) {
//       left = target(args...); specrt_end_handed_over(other, token);
//       go on behind the nest
//     }
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_EMIT_POLL_H
#define SPECRT_INSTRUMENT_EMIT_POLL_H

#include "instrument/emit/stub.h"

namespace specrt {

/// Can the rest of \p Body's iterations be done by other code, and may a call last long enough?
bool canPoll(llvm::Function &Body, llvm::FunctionAnalysisManager &FAM);

/// Adds the test to the nest of \p Region, whose stub is \p S. canPoll() holds for its Body. Adds
/// to the calls of \p S. Analyses of the function are invalidated.
void emitPoll(const OutlinedRegion &Region, Stub &S, llvm::Constant *Record,
              llvm::FunctionAnalysisManager &FAM);

} // namespace specrt

#endif
