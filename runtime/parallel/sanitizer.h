//===- runtime/parallel/sanitizer.h - tells ThreadSanitizer about TBB's synchronisation ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TBB is not built with ThreadSanitizer, which therefore does not see that a loop begins after its
// start and ends before its join. In other builds these functions have no effect.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_PARALLEL_SANITIZER_H
#define SPECRT_RUNTIME_PARALLEL_SANITIZER_H

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SPECRT_TSAN 1
#endif
#endif

#ifdef SPECRT_TSAN
extern "C" void __tsan_acquire(void *);
extern "C" void __tsan_release(void *);
#endif

namespace specrt {

/// Orders everything that this thread did so far before the actions of others after
/// acquireFrom(Object).
inline void releaseTo([[maybe_unused]] void *Object) {
#ifdef SPECRT_TSAN
  __tsan_release(Object);
#endif
}

inline void acquireFrom([[maybe_unused]] void *Object) {
#ifdef SPECRT_TSAN
  __tsan_acquire(Object);
#endif
}

} // namespace specrt

#endif
