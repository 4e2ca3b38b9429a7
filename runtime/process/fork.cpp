//===- runtime/process/fork.cpp - children of the process -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/process/fork.h"
#include "profiler/store/store_file.h"
#include "runtime/base/reasons.h"
#include "runtime/cache/loading_section.h"
#include "runtime/call/work_queue.h"
#include "runtime/capture/capture.h"
#include "runtime/decide/registry.h"
#include "runtime/process/worker.h"
#include "runtime/wrap/wrapped_function.h"
#include "support/attempt.h"
#include "support/process/marked_process.h"

#include <pthread.h>

namespace specrt {
namespace {

/// Takes the mutex for the time of the fork, which makes every detail consistent in the child. The
/// worker may need it to leave the loader.
void beforeFork() {
  suspendLoading();
  RegistryLock(Registry::get()).release();
}

void afterForkInParent() {
  const RegistryLock Guard(Registry::get(), std::adopt_lock);
  resumeLoading();
}

/// Removes samples of the parent, which stores them itself.
void forgetParentsSamples(RegionDetail &D) {
  if (!D.Seen.Recent)
    return;
  D.Seen.Recent->clear();
  D.Seen.Past->clear();
  D.Seen.CallsSaved = D.State->calls();
}

/// Releases regions that would wait for a compile for ever.
void releaseWaitingRegions(const RegistryLock &Guard, Registry &R) {
  R.forEach(Guard, [](const Registry::View &V) {
    if (!V.Detail)
      return;
    RegionState &S = *V.Detail->State;
    S.Lock.store(0, std::memory_order_relaxed); // a thread that does not exist here may hold it
    forgetParentsSamples(*V.Detail);
    // The compile never ends in this process.
    moveOsrState(S.Osr, OsrState::Compiling, OsrState::Over);
    moveOsrState(S.Osr, OsrState::Late, OsrState::Over);
    moveOsrState(S.Osr, OsrState::Asking, OsrState::Over);
    Phase P = S.CurrentPhase.load(std::memory_order_relaxed);
    // A region that begins anew runs its original until this process's worker serves it.
    if (V.Detail->Restart)
      return requestAgainAfterFork(S, RequestRestart);
    if (P != Phase::Preparing && P != Phase::Compiling)
      return;
    // There may be no memory for the text.
    (void)attempt([&] {
      V.Detail->Reason = words(Reason::Forked);
      V.Detail->History.Events.add(Event::Retired, V.Detail->Reason);
    });
    setPhase(S, Phase::Retired);
    if (specrt_region *Live = S.Region.load(std::memory_order_relaxed))
      setSlot(*Live, slotTarget(S));
  });
}

void afterForkInChild() {
  Registry &R = Registry::get();
  RegistryLock Guard(R, std::adopt_lock);
  forgetLoading();
  resetQueueAfterFork();
  dropCapturesAfterFork();
  FileLock::forgetAfterFork();
  R.Compiler.forgetAfterFork();
  releaseWaitingRegions(Guard, R);
  releaseWrappedAfterFork(Guard, R);
  forgetWorkerAfterFork();
  markProcess();
}

} // namespace

void installForkHandlers() { pthread_atfork(beforeFork, afterForkInParent, afterForkInChild); }

} // namespace specrt
