//===- support/quiet_call.h - hides system calls from the thread that makes them ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SUPPORT_QUIET_CALL_H
#define SPECRT_SUPPORT_QUIET_CALL_H

#include <cerrno>
#include <pthread.h>

namespace specrt {

/// Surrounds system calls at places where the program makes none. While the object exists, the
/// thread is not cancelled; its destructor restores errno. Async-signal-safe.
class QuietCall {
public:
  QuietCall() : SavedErrno(errno) { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &State); }
  ~QuietCall() {
    pthread_setcancelstate(State, nullptr);
    errno = SavedErrno;
  }
  QuietCall(const QuietCall &) = delete;
  QuietCall &operator=(const QuietCall &) = delete;

private:
  const int SavedErrno;
  int State;
};

} // namespace specrt

#endif
