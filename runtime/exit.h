//===- runtime/exit.h - the end of the process ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_EXIT_H
#define SPECRT_RUNTIME_EXIT_H

namespace specrt {

/// Registers shutdown with exit and quick_exit. Called again after the compiler was opened: exit
/// runs handlers in reverse order, and ours must run before LLVM's destructors.
void registerExitHandler();

/// Ends the worker's activity (a running compile is parked), stores profiles, writes report and
/// summary. Bounded in time; only the first call does something. Regions may still be called
/// afterwards: they keep the code they have.
void shutdown();

} // namespace specrt

#endif
