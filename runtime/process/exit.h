//===- runtime/process/exit.h - the end of the process --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_PROCESS_EXIT_H
#define SPECRT_RUNTIME_PROCESS_EXIT_H

namespace specrt {

/// Registers shutdown with exit and quick_exit. exit runs handlers in reverse order, so this is
/// called again when a worker starts: shutdown, of which only the first call does something, comes
/// before the destructors of all that existed then. On threads of the program only: the list of
/// handlers is memory of whoever adds to it, and a child made by _Fork frees it.
void registerExitHandler();

/// Called on the main thread: makes its end the end of the worker. When it calls exit that comes
/// before any handler, because exit destroys the thread-local objects of its caller first. When it
/// ends by pthread_exit while the program goes on, all threads of ours end with it, because a
/// process has ended only when all its threads have. The program keeps the versions that it has;
/// parallel ones run on the calling thread from then on.
void watchMainThread();

/// Ends the worker's activity (a compile goes on in the server), stores profiles, writes report and
/// summary. Bounded in time; only the first call does something. Regions may still be called
/// afterwards: they keep the code they have.
void shutdown();

} // namespace specrt

#endif
