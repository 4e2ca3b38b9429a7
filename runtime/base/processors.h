//===- runtime/base/processors.h - does anybody wait for a processor? -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_BASE_PROCESSORS_H
#define SPECRT_RUNTIME_BASE_PROCESSORS_H

#include <span>
#include <sys/types.h>

namespace specrt {

/// Does the thread or process \p Id run, or would it if it were given a processor? False when the
/// system does not tell.
bool wantsProcessor(pid_t Id);

/// How many threads of the whole machine run or would, without the caller and those of \p Ours.
/// Threads that wait actively, at a barrier for example, run. 0 when the system does not tell.
/// Takes some 10 us.
unsigned othersThatRun(std::span<const pid_t> Ours = {});

/// Is there a processor on which nothing runs but, at most, the caller and \p Ours?
bool isProcessorFree(std::span<const pid_t> Ours = {});

} // namespace specrt

#endif
