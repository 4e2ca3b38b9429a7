//===- runtime/watch/quiet_call.h - the thread notices nothing of a call --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_WATCH_QUIET_CALL_H
#define SPECRT_RUNTIME_WATCH_QUIET_CALL_H

#include <cerrno>
#include <pthread.h>

namespace specrt {

/// For system calls where the program made none: errno stays what it was, and the thread is not
/// cancelled in one.
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
