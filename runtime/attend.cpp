//===- runtime/attend.cpp - what a process with regions needs -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/attend.h"
#include "runtime/exit.h"
#include "runtime/fork.h"
#include "runtime/registry.h"
#include "runtime/worker.h"

namespace specrt {

void attend(Registry &R) {
  std::lock_guard Guard(R.Mutex);
  if (R.Settings.Disable)
    return;
  // exit runs handlers in reverse order, and ours must run before LLVM's destructors.
  static const bool Installed = (installForkHandlers(), registerExitHandler(),
                                 R.Jit.AfterLoading = registerExitHandler, true);
  (void)Installed;
  if (R.numRegions() == 0)
    return;
  watchMainThread();
  startWorker();
}

} // namespace specrt
