//===- runtime/base/open_calls.h - observed calls that run in place -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thunk has returned when a nest in place runs, so its stack memory that describes the call is
// gone. A call that is timed there has a place here, for all of the process's regions, and the nest
// passes the place's token on to its end. A call never ends when an exception or longjmp leaves the
// nest. Its place is given to another call when no place is free.
//
// All functions may be called by any thread and in signal handlers.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_BASE_OPEN_CALLS_H
#define SPECRT_RUNTIME_BASE_OPEN_CALLS_H

#include "specrt/abi.h"
#include <atomic>
#include <cstdint>

namespace specrt {

struct OpenCall {
  specrt_region *Region;
  specrt_call Call;                      ///< a CallRecord
  uint64_t Packed[SPECRT_MAX_ARGUMENTS]; ///< the region's arguments
  /// Ticks when it was opened; UINT64_MAX for a call that keeps its place until it ends.
  std::atomic<uint64_t> Since;

  enum class State : uint32_t { Free, Opening, Open, Closing };
  std::atomic<uint32_t> Word; ///< State in the two lowest bits, above it the count of uses
};

/// Returns a place for a call, or null when there is none. The caller fills it in and then calls
/// open() or close(). If the place belonged to a call that has not ended, \p Abandon is called with
/// it.
OpenCall *takePlace(void (*Abandon)(specrt_call &));

/// Opens \p Place until the end of its call. Returns its token, which is negative. If \p IsKept,
/// the place is not given to another call, because the call uses code that must stay loaded.
int32_t open(OpenCall &Place, bool IsKept);

/// Returns the place of \p Token, whose call goes on and IsKept; null when there is none.
OpenCall *findKept(int32_t Token);

/// Returns the place of \p Token, which the caller closes; null when it was given to another call.
OpenCall *takeOpen(int32_t Token);
void close(OpenCall &Place);

} // namespace specrt

#endif
