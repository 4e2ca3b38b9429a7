//===- support/quiet_time.cpp - defers signals and cancellation -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/quiet_time.h"

#include <pthread.h>

namespace specrt {
namespace {

/// Signals that a thread raises by its own instructions.
constexpr int Synchronous[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};

/// Signals that ask a program to end or to stop; without a handler they take effect at once.
constexpr int Requests[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGALRM, SIGTSTP};

bool hasHandler(int Signal) {
  struct sigaction Action;
  return sigaction(Signal, nullptr, &Action) == 0 && Action.sa_handler != SIG_DFL &&
         Action.sa_handler != SIG_IGN;
}

sigset_t asynchronous() {
  sigset_t Signals;
  sigfillset(&Signals);
  for (int Signal : Synchronous)
    sigdelset(&Signals, Signal);
  return Signals;
}

} // namespace

void QuietTime::begin() {
  beginForThreads();
  admitRequests();
}

void QuietTime::beginForThreads() {
  const sigset_t Signals = asynchronous();
  AreRequestsAdmitted = false;
  pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &CancelType);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &CancelState);
  pthread_sigmask(SIG_BLOCK, &Signals, &Before);
}

void QuietTime::admitRequests() {
  if (AreRequestsAdmitted)
    return;
  AreRequestsAdmitted = true;
  sigset_t Signals;
  sigemptyset(&Signals);
  // Signals that the program had blocked before remain blocked.
  for (int Signal : Requests)
    if (!hasHandler(Signal) && sigismember(&Before, Signal) == 0)
      sigaddset(&Signals, Signal);
  pthread_sigmask(SIG_UNBLOCK, &Signals, nullptr);
}

void QuietTime::end() const {
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  // The type is restored last: where restoring the state ends the thread at once, glibc 2.36 does
  // not record in the thread's result that it was cancelled.
  pthread_setcancelstate(CancelState, nullptr);
  pthread_setcanceltype(CancelType, nullptr);
}

bool QuietTime::inHandler() const {
  if (sigisemptyset(&Before))
    return false;
  for (int Signal = 1; Signal <= SIGRTMAX; ++Signal)
    if (sigismember(&Before, Signal) == 1 && hasHandler(Signal))
      return true;
  return false;
}

void blockSignals() {
  const sigset_t Signals = asynchronous();
  pthread_sigmask(SIG_BLOCK, &Signals, nullptr);
}

} // namespace specrt
