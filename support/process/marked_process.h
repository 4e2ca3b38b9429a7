//===- support/process/marked_process.h - detects children that no fork handler saw ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SUPPORT_PROCESS_MARKED_PROCESS_H
#define SPECRT_SUPPORT_PROCESS_MARKED_PROCESS_H

namespace specrt {

/// Marks the calling process as one in which libspecrt was set up. All processes count as marked
/// where the kernel cannot tell children apart (before Linux 4.14) or there is no memory.
void markProcess();

/// Returns false in a child made by _Fork or a system call, where handlers of pthread_atfork did
/// not run. In such a child nothing may wait for a lock, because a thread that does not exist there
/// may hold it. Any thread and any signal handler may call this.
bool isMarkedProcess();

} // namespace specrt

#endif
