//===- runtime/compile/compile_thread.h - for work that may never come back ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_COMPILE_COMPILE_THREAD_H
#define SPECRT_RUNTIME_COMPILE_COMPILE_THREAD_H

#include "runtime/base/config.h"
#include <cstdint>
#include <functional>
#include <pthread.h>
#include <sys/types.h>

namespace specrt {

/// A thread beside the worker, which waits for it. Work that does not end is left to itself with
/// its thread. Used by the worker only.
///
/// A thread's priority is that of its start: without privileges nobody leaves Idle again.
class CompileThread {
public:
  explicit CompileThread(Priority P) : Given(P) {}

  /// How the work goes on.
  struct Progress {
    pid_t Thread = 0;
    uint64_t OwnNs = 0;   ///< time since it began, without that in which it got no processor
    uint64_t UsedNs = 0;  ///< time on a processor since the last look
    bool Starved = false; ///< it gets none, or next to none, at present
  };

  /// What is to become of the work until the next look.
  enum class Then {
    GoOn,
    Rest, ///< it was told to sleep, which is none of its time
    Leave ///< to itself, for ever
  };
  /// May change after what time it wants the next one, and may not throw.
  using Look = std::function<Then(const Progress &, uint64_t &LookNs)>;

  /// How the work ended.
  enum class End {
    Done,
    Failed, ///< it threw, for lack of memory
    Left
  };

  /// Runs \p Work on the thread, or on this one if there is none to be had, and has a look after
  /// \p LookNs, and so on. When it is to be left this returns at once, and \p Work, with what it
  /// owns, stays until the process ends. Throws std::bad_alloc where there is no memory to begin
  /// with.
  End run(std::function<void()> Work, uint64_t LookNs, const Look &At);

  /// Ends the thread, which is idle, and waits until it has.
  void end();

  /// In a forked child, where the thread does not exist: the next work gets a new one.
  void forget() { Shared = nullptr; }

  /// Is the caller on such a thread?
  static bool isThis();

private:
  struct State;
  static State *start(Priority P);
  static void *main(void *Argument);
  void leave();

  const Priority Given;
  State *Shared = nullptr; ///< never freed: work that was left may go on with it
};

} // namespace specrt

#endif
