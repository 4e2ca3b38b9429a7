//===- runtime/process/fork.h - children of the process -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_PROCESS_FORK_H
#define SPECRT_RUNTIME_PROCESS_FORK_H

namespace specrt {

/// Installs handlers for forks. A forked child keeps its versions, and starts a worker of its own
/// when one of its calls makes a request. If a compile was running at the fork, the compiler's
/// locks are in an unknown state in the child, which does not compile then.
void installForkHandlers();

} // namespace specrt

#endif
