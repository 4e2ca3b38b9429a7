//===- runtime/process/attend.cpp - what a process with regions needs -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/process/attend.h"
#include "runtime/compile/loaded_object.h"
#include "runtime/decide/registry.h"
#include "runtime/process/exit.h"
#include "runtime/process/fork.h"
#include "runtime/process/worker.h"
#include "support/marked_process.h"

#include <cstdlib>

namespace specrt {

/// Does the image that Address lies in define malloc?
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
  // Starting a thread allocates, which a call from within the allocator must not.
  if (Image && definesAllocator(Image))
    startWorker();
}

} // namespace specrt
