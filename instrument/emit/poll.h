//===- instrument/emit/poll.h - where a running nest can change over ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A nest that is called once and runs for seconds gains nothing from versions for later calls. So
// it asks, once per iteration of its outermost loop, whether a version shall do the rest:
//
//   if (iteration == record.poll_at)                       // one load and one comparison
//     if (target, other = specrt_poll_nest(args..., iteration; record)) {
//       left = target(args...);
//       if (target = specrt_continue(other)) left = target(args...);
//       specrt_end_handed_over(other, token);
//       go on behind the nest
//     }
//
// Where the outermost loop cannot end anywhere, target does all of the rest, and the nest does not
// call specrt_continue.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_EMIT_POLL_H
#define SPECRT_INSTRUMENT_EMIT_POLL_H

#include "instrument/emit/stub.h"

namespace specrt {

/// Which part of a running nest's iterations other code can execute.
enum class HandOver : uint8_t { Nothing, Rest, AnyPart };

/// Returns Nothing also if no call may last long enough.
HandOver handOverOf(llvm::Function &Body, llvm::FunctionAnalysisManager &FAM);

/// Adds the test to the nest of \p Region, whose stub is \p S and whose Body can hand over \p What.
/// Adds to the calls of \p S. Analyses of the function are invalidated.
void emitPoll(const OutlinedRegion &Region, Stub &S, llvm::Constant *Record, HandOver What,
              llvm::FunctionAnalysisManager &FAM);

} // namespace specrt

#endif
