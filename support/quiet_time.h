//===- support/quiet_time.h - defers signals and cancellation -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// siglongjmp out of a signal handler and asynchronous cancellation may leave a plain loop. They
// must not leave a loop that other threads work on, because it lies on the stack of the thread that
// began it. Nor may they leave code that allocates memory where the loop as it was written does
// not: malloc's lock would never be released. So everything that would interrupt that thread is
// deferred until the end.
//
// Signals that the processor raises for an instruction are not deferred, nor are those without a
// handler that end or stop the program. beginForThreads defers these, too, until admitRequests.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SUPPORT_QUIET_TIME_H
#define SPECRT_SUPPORT_QUIET_TIME_H

#include <csignal>

namespace specrt {

/// The period begins and ends by functions, because end() may not return: a handler may jump away
/// there, or the thread may be cancelled, and a destructor must not be left like that.
class QuietTime {
public:
  void begin();
  /// Does what begin() does and also blocks signals without a handler. For code that starts
  /// threads, because they inherit the mask and the program may install a handler later. When no
  /// thread can start any more, the caller calls admitRequests().
  void beginForThreads();
  /// Admits signals that end or stop the program because they have no handler. Has no effect when
  /// it was called before.
  void admitRequests();
  void end() const;

  /// Returns whether the thread may have been running a signal handler at begin(): whether it had
  /// blocked a signal that has one, as the system does while a handler runs.
  bool inHandler() const;

private:
  sigset_t Before;
  int CancelState, CancelType;
  bool AreRequestsAdmitted;
};

/// Blocks all signals except those that the processor raises, on threads of the library.
void blockSignals();

} // namespace specrt

#endif
