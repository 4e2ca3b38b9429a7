//===- runtime/base/processors.h - counts threads that need processors ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_BASE_PROCESSORS_H
#define SPECRT_RUNTIME_BASE_PROCESSORS_H

#include <span>
#include <sys/types.h>
#include <vector>

namespace specrt {

/// Returns whether the thread or process \p Id is running or runnable; false when unknown.
bool wantsProcessor(pid_t Id);

/// Appends the ids of the threads of \p Process, and of the processes that descend from it, to \p
/// To.
void listThreads(pid_t Process, std::vector<pid_t> &To);

/// Returns how many threads of the whole machine are running or runnable, without the caller and
/// those of \p Ours. Threads that spin, at a barrier for example, count. 0 when unknown. Takes some
/// 10 us.
unsigned othersThatRun(std::span<const pid_t> Ours = {});

/// Returns whether othersThatRun is less than the machine's number of processors.
bool isProcessorFree(std::span<const pid_t> Ours = {});

} // namespace specrt

#endif
