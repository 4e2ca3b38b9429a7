//===- runtime/process/exit.h - the end of the process --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_PROCESS_EXIT_H
#define SPECRT_RUNTIME_PROCESS_EXIT_H

namespace specrt {

/// Registers shutdown with exit and quick_exit. Called again after the compiler was loaded: exit
/// runs handlers in reverse order, and ours must run before LLVM's destructors.
void registerExitHandler();

/// Makes the end of the calling thread, when it is the program's main thread, end all compiling.
/// exit destroys the thread-local objects of its caller before it runs any handler, so nothing is
/// destroyed yet: not even what was registered while the compiler was being opened or worked, which
/// would run before our handler. A program whose main thread ends earlier (pthread_exit) keeps the
/// versions it has.
void watchMainThread();

/// No compile is started from now on; when it returns nobody is inside the compiler, or the one who
/// is has parked there for ever, or may go on. Bounded in time, cheap when there is no compiler.
/// Any thread.
void endCompiling();

/// Ends the worker's activity (a running compile is parked), stores profiles, writes report and
/// summary. Bounded in time; only the first call does something. Regions may still be called
/// afterwards: they keep the code they have.
void shutdown();

} // namespace specrt

#endif
