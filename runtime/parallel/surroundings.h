//===- runtime/parallel/surroundings.h - may a loop run in parallel here? --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_PARALLEL_SURROUNDINGS_H
#define SPECRT_RUNTIME_PARALLEL_SURROUNDINGS_H

namespace specrt {

/// Does the calling thread run a TBB task or an OpenMP parallel region of the host?
bool hostIsParallel();

/// Returns whether this process is a forked child without the threads of its parent. Requires
/// watchForks, and noteForkedChild in children in which fork handlers run. Children of _Fork and of
/// system calls are recognised without them.
bool isForkedChild();

/// To be called in a forked child.
void noteForkedChild();

/// Has later forks call these: before the fork, in the parent, and in the child. Has children of
/// _Fork recognised, from before the handlers are registered. Idempotent. Returns false if there is
/// no memory; a later call tries again.
bool watchForks(void (*Before)(), void (*InParent)(), void (*InChild)());

/// Has the calling thread stack enough to work in TBB? Not on a stack that the system does not know
/// as the thread's (a fiber's, say). Allocates at the first call of a thread.
bool hasStackForTbb();

/// Returns whether this thread can throw exceptions, which TBB does when it lacks memory. The first
/// one needs thread-local memory of libstdc++, and the C library ends the process if there is none.
bool canThrow() noexcept;

/// Processors the calling thread may run on, at least 1.
unsigned allowedProcessors();

} // namespace specrt

#endif
