//===- runtime/process/exit.h - the end of the process --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_PROCESS_EXIT_H
#define SPECRT_RUNTIME_PROCESS_EXIT_H

namespace specrt {

/// Registers shutdown with exit and quick_exit. exit runs handlers in reverse order, so this is
/// called again when a worker starts: then shutdown, of which only the first call has an effect,
/// precedes the destructors of all objects that existed by then. Must be called on threads of the
/// program only: the list of handlers is memory of the thread that adds to it, and a child made by
/// _Fork frees it.
void registerExitHandler();

/// Must be called on the main thread. Makes the end of the main thread end the worker. If it calls
/// exit, this happens before any handler, because exit destroys the thread-local objects of its
/// caller first. If it ends by pthread_exit while the program continues, all threads of ours end
/// with it, because a process ends only after all its threads. The program keeps the versions that
/// it has; parallel ones run on the calling thread from then on.
void watchMainThread();

/// Ends the worker's activity (a compile continues in the server), stores profiles, and writes
/// report and summary. Bounded in time; only the first call has an effect. Regions may still be
/// called afterwards: they keep their current code.
void shutdown();

} // namespace specrt

#endif
