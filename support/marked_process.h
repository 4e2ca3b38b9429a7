//===- support/marked_process.h - children that no fork handler saw --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SUPPORT_MARKED_PROCESS_H
#define SPECRT_SUPPORT_MARKED_PROCESS_H

namespace specrt {

/// Marks the calling process as one in which libspecrt was set up. Where the kernel cannot tell
/// children apart (before Linux 4.14), or there is no memory, all processes count as marked.
void markProcess();

/// False in a child made by _Fork or a system call, where handlers of pthread_atfork did not run:
/// locks may be held by threads that do not exist there, and nothing may wait for one. Any thread,
/// signal handlers too.
bool isMarkedProcess();

} // namespace specrt

#endif
