//===- support/quiet_time.h - nothing leaves what must be finished ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plain loop may be left by siglongjmp out of a signal handler and by asynchronous cancellation.
// A loop that other threads work on may not: it lies on the stack of the thread that began it. Nor
// may code that allocates memory, where the loop as it was written does not: malloc's lock would
// never be given back. So what would interrupt that thread waits until it is over.
//
// Signals that the processor raises for an instruction are not put off, nor are those that end or
// stop the program because nobody handles them. beginForThreads puts these off, too, until
// admitRequests.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SUPPORT_QUIET_TIME_H
#define SPECRT_SUPPORT_QUIET_TIME_H

#include <csignal>

namespace specrt {

/// Begun and ended by functions, because the end may not return: it is where a handler jumps away
/// or the thread is cancelled, and a destructor must not be left like that.
class QuietTime {
public:
  void begin();
  /// Does what begin() does and also blocks signals without a handler. For code that starts
  /// threads, because they inherit the mask and the program may install a handler later. When no
  /// thread can start any more, the caller calls admitRequests().
  void beginForThreads();
  /// Lets those signals through that end or stop the program because nobody handles them. Does
  /// nothing when it was called before.
  void admitRequests();
  void end() const;

  /// May the thread have been running a signal handler at begin()? It had blocked a signal that has
  /// one, as the system does for the time of a handler.
  bool inHandler() const;

private:
  sigset_t Before;
  int CancelState, CancelType;
  bool AreRequestsAdmitted;
};

/// For threads of the library: blocks all signals but those that the processor raises.
void blockSignals();

} // namespace specrt

#endif
