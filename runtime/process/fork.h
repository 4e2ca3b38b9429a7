//===- runtime/process/fork.h - children of the process -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_PROCESS_FORK_H
#define SPECRT_RUNTIME_PROCESS_FORK_H

namespace specrt {

/// A forked child goes on with the versions it has; a worker of its own starts when one of its own
/// calls wants something. When a compile was running at the fork, the compiler's locks are in an
/// unknown state in the child: it does not compile.
void installForkHandlers();

} // namespace specrt

#endif
