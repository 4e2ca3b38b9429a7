//===- jit/containment.cpp - LLVM's fatal errors end a compile, not a program ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/containment.h"
#include "llvm/Support/ErrorHandling.h"

#include <csetjmp>
#include <csignal>
#include <cstdio>

namespace specrt {
namespace {

/// Where to return to, and what LLVM said. Fixed size: memory may be what has run out.
struct Landing {
  sigjmp_buf Place;
  char Message[512];
};

thread_local Landing *CurrentLanding = nullptr;

void onFatalError(void *, const char *Reason, bool) {
  if (!CurrentLanding) {
    // A thread of the program, which uses libLLVM itself: what LLVM does without a handler.
    fprintf(stderr, "LLVM ERROR: %s\n", Reason ? Reason : "unknown fatal error");
    return;
  }
  snprintf(CurrentLanding->Message, sizeof(CurrentLanding->Message), "%s",
           Reason ? Reason : "unknown fatal error");
  siglongjmp(CurrentLanding->Place, 1);
}

/// isl's C++ binding, which Polly uses throughout, ends the process when the result of an operation
/// that was given up is taken for a truth value.
class AbortHandler {
public:
  AbortHandler() {
    struct sigaction Ours = {};
    Ours.sa_handler = onAbort;
    sigemptyset(&Ours.sa_mask);
    sigaction(SIGABRT, &Ours, &Before);
  }
  ~AbortHandler() {
    // Unless the program has installed a handler meanwhile.
    struct sigaction Now;
    if (sigaction(SIGABRT, nullptr, &Now) == 0 && Now.sa_handler == onAbort)
      sigaction(SIGABRT, &Before, nullptr);
  }

private:
  static void onAbort(int) {
    if (CurrentLanding)
      onFatalError(nullptr, "a check failed in Polly or isl", false);
    // A thread of the program: what would have happened without us.
    sigaction(SIGABRT, &Before, nullptr);
    raise(SIGABRT);
  }

  static struct sigaction Before; ///< one compile runs at a time
};

struct sigaction AbortHandler::Before = {};

} // namespace

void installContainment() {
  llvm::install_fatal_error_handler(onFatalError, nullptr);
  llvm::install_bad_alloc_error_handler(onFatalError, nullptr);
}

bool runContained(llvm::function_ref<void()> Work, std::string &Why) {
  Landing Here;
  AbortHandler Handler;
  CurrentLanding = &Here;
  // Nothing in this frame changes between setjmp and longjmp except Message, which is memory.
  if (sigsetjmp(Here.Place, /*savemask=*/1) == 0) {
    Work();
    CurrentLanding = nullptr;
    return true;
  }
  CurrentLanding = nullptr;
  Why = Here.Message;
  return false;
}

} // namespace specrt
