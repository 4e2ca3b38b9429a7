//===- support/thread.h - threads of the library's own --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SUPPORT_THREAD_H
#define SPECRT_SUPPORT_THREAD_H

#include <cstddef>
#include <pthread.h>

namespace specrt {

/// Starts a joinable thread that the program does not notice: it takes no signals, and its stack is
/// as large as it needs, whatever the program's limit says. Untouched stack costs nothing. Returns
/// 0 or an error number; throws nothing.
int startThread(pthread_t &Thread, size_t StackBytes, void *(*Main)(void *), void *Argument);

} // namespace specrt

#endif
