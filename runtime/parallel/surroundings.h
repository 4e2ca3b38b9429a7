//===- runtime/parallel/surroundings.h - determines whether a loop may run in parallel ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_PARALLEL_SURROUNDINGS_H
#define SPECRT_RUNTIME_PARALLEL_SURROUNDINGS_H

namespace specrt {

/// Returns whether the calling thread runs a TBB task or an OpenMP parallel region of the host.
bool hostIsParallel();

/// Returns whether this process is a forked child without the threads of its parent. Requires
/// watchForks, and noteForkedChild in children in which fork handlers run. Children of _Fork and of
/// system calls are recognised without them.
bool isForkedChild();

/// Must be called in a forked child.
void noteForkedChild();

/// Makes later forks call these functions: before the fork, in the parent, and in the child. Makes
/// children of _Fork recognisable before the handlers are registered. Idempotent. Returns false if
/// there is no memory; a later call tries again.
bool watchForks(void (*Before)(), void (*InParent)(), void (*InChild)());

/// Returns whether the calling thread has enough stack for TBB. Returns false on a stack that is
/// not the thread's own according to the system (for example a fiber's). Allocates at the first
/// call of a thread.
bool hasStackForTbb();

/// Returns whether this thread can throw exceptions, which TBB does when it lacks memory. The first
/// one needs thread-local memory of libstdc++, and the C library ends the process if there is none.
bool canThrow() noexcept;

/// Returns the number of threads that SPECRT_THREADS permits; UINT_MAX if it permits any.
unsigned limitFromEnvironment();

/// Returns the number of processors that the calling thread may run on, at least 1.
unsigned allowedProcessors();

} // namespace specrt

#endif
