//===- runtime/cache/loading_section.h - the worker in the dynamic loader -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A forked child has a copy of the loader's locks, but not the thread that held them: its dlopen,
// and its exit, which takes such a lock before it calls the functions of DT_FINI, would wait for
// ever. The C library does not reset these locks. So the worker enters a section before it loads or
// unloads code, and fork waits until it has left.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_CACHE_LOADING_SECTION_H
#define SPECRT_RUNTIME_CACHE_LOADING_SECTION_H

namespace specrt {

/// A section of the worker. It has no effect on other threads: a thread of the program may hold the
/// loader's lock already, because images register from constructors. Sections may be nested.
class LoadingSection {
public:
  LoadingSection();
  ~LoadingSection();
  LoadingSection(const LoadingSection &) = delete;
  LoadingSection &operator=(const LoadingSection &) = delete;

  /// Returns whether the worker is in a section or, in a child made by _Fork, was in one when the
  /// child was made. Any thread.
  static bool isOccupied();

private:
  bool Holds = false;
};

/// The handlers for pthread_atfork, in its order: before the fork, in the parent, in the child.
/// suspendLoading keeps the worker out of sections until one of the others is called. It waits for
/// at most a second, because a constructor that the loader runs may itself wait for this fork.
void suspendLoading();
void resumeLoading();
void forgetLoading();

} // namespace specrt

#endif
