//===- support/process/parent_death.h - a forked process that does not outlive its parent ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SUPPORT_PROCESS_PARENT_DEATH_H
#define SPECRT_SUPPORT_PROCESS_PARENT_DEATH_H

#include <csignal>
#include <sys/prctl.h>
#include <sys/types.h>
#include <unistd.h>

namespace specrt {

/// Has the kernel kill this process when the thread of \p Parent that forked it ends. Returns false
/// if \p Parent has ended already.
inline bool endWith(pid_t Parent) {
  return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == Parent;
}

} // namespace specrt

#endif
