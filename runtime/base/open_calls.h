//===- runtime/base/open_calls.h - observed calls that run in place -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The thunk has returned when a nest in place runs, and with it the memory in which a call is
// described. So a call that is timed there has a place here, for all of the process's regions, and
// the nest passes the place's token on to its end. There are more places than calls that are
// observed at once; those of calls that never end, because exceptions or longjmp left the nest,
// are given away when there is no other.
//
// Any thread; async-signal-safe.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_BASE_OPEN_CALLS_H
#define SPECRT_RUNTIME_BASE_OPEN_CALLS_H

#include "specrt/abi.h"
#include <atomic>
#include <cstdint>

namespace specrt {

struct OpenCall {
  static constexpr uint32_t MaxArguments = 64; ///< as the plugin's

  specrt_call Call;              ///< a CallRecord
  uint64_t Packed[MaxArguments]; ///< the region's arguments
  std::atomic<uint64_t> Since;   ///< ticks when it was opened

  enum class State : uint32_t { Free, Opening, Open, Closing };
  std::atomic<uint32_t> Word; ///< State in the two lowest bits, above it how often it was opened
};

/// What opened a place: fill it in, then open() it, or close() it.
struct Opened {
  OpenCall *Place = nullptr; ///< null: there is none
  bool IsStolen = false;     ///< it still describes the call that had it, and never ended
};
Opened takePlace();

/// Lets the place wait for its call's end. Returns its token, which is negative.
int32_t open(OpenCall &Place);

/// The place of a token, to be closed; null when it was given away.
OpenCall *takeOpen(int32_t Token);
void close(OpenCall &Place);

} // namespace specrt

#endif
