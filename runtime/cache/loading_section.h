//===- runtime/cache/loading_section.h - the worker in the dynamic loader ---===//
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

/// A section of the worker. On any other thread it has no effect: what a thread of the program does
/// in the loader is the program's own matter, and it may hold the loader's lock already, because
/// images register from constructors. Sections may be nested.
class LoadingSection {
public:
  LoadingSection();
  ~LoadingSection();
  LoadingSection(const LoadingSection &) = delete;
  LoadingSection &operator=(const LoadingSection &) = delete;

  /// In a child made by _Fork: was the worker in a section at that moment?
  static bool isOccupied();

private:
  bool Holds = false;
};

/// For handlers of pthread_atfork: before the fork, in the parent, and in the child. The first
/// keeps the worker out until one of the others is called. It waits for a second at most: the
/// worker does not leave the loader while a constructor runs on a thread that waits for this fork.
void suspendLoading();
void resumeLoading();
void forgetLoading();

} // namespace specrt

#endif
