//===- runtime/process/attend.cpp - prepares a process that contains regions ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/process/attend.h"
#include "runtime/compile/loaded_object.h"
#include "runtime/decide/registry.h"
#include "runtime/process/exit.h"
#include "runtime/process/fork.h"
#include "runtime/process/worker.h"
#include "support/process/marked_process.h"

#include <cstdlib>

namespace specrt {

/// Returns whether the image that contains Address defines malloc.
static bool definesAllocator(const void *Address) {
  const link_map *Image = loadedObjectAt(Address);
  return Image && Image == loadedObjectAt(reinterpret_cast<void *>(&malloc));
}

void attend(Registry &R, const void *Image) {
  {
    RegistryLock Guard(R);
    if (R.Settings.Disable)
      return;
    static const bool Installed =
        (markProcess(), installForkHandlers(), registerExitHandler(), startWorkerOnDemand(), true);
    (void)Installed;
    if (R.numRegions() == 0)
      return;
    watchMainThread();
  }
  // Starting a thread allocates, which is impossible in a call from within the allocator.
  if (Image && definesAllocator(Image))
    startWorker();
}

} // namespace specrt
