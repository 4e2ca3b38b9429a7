//===- runtime/process/attend.cpp - what a process with regions needs -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/process/attend.h"
#include "runtime/decide/registry.h"
#include "runtime/process/exit.h"
#include "runtime/process/fork.h"
#include "runtime/process/worker.h"

namespace specrt {

void attend(Registry &R) {
  RegistryLock Guard(R);
  if (R.Settings.Disable)
    return;
  // exit runs handlers in reverse order, and ours must run before LLVM's destructors.
  static const bool Installed = (installForkHandlers(), registerExitHandler(),
                                 R.Jit.AfterLoading = registerExitHandler, true);
  (void)Installed;
  if (R.numRegions() == 0)
    return;
  watchMainThread();
  startWorker(Guard);
}

} // namespace specrt
