//===- runtime/base/processors.h - does anybody wait for a processor? -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_BASE_PROCESSORS_H
#define SPECRT_RUNTIME_BASE_PROCESSORS_H

#include <sys/types.h>

namespace specrt {

/// Does \p Thread of this process run, or would if it were given a processor? False when the system
/// does not tell.
bool wantsProcessor(pid_t Thread);

/// Is there a processor that this process may use and on which nothing runs but, at most, the
/// caller and \p Background? Threads that wait actively, at a barrier for example, run. True when
/// the system does not tell. Takes some 10 us, more for each thread of a process that is confined
/// to some of the machine's processors.
bool isProcessorFree(pid_t Background);

/// How many threads of this process run or would, without the caller and \p Background; counts as
/// far as \p Enough. 0 when the system does not tell.
unsigned otherThreadsThatRun(pid_t Background, unsigned Enough);

} // namespace specrt

#endif
