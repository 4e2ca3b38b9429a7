//===- jit/containment.cpp - LLVM's fatal errors end a compile, not a program //
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/containment.h"
#include "llvm/Support/ErrorHandling.h"

#include <csetjmp>
#include <cstdio>

namespace specrt {
namespace {

/// Where to return to, and what LLVM said. Fixed size: memory may be what has run out.
struct Landing {
  jmp_buf Place;
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
  longjmp(CurrentLanding->Place, 1);
}

} // namespace

void installContainment() {
  llvm::install_fatal_error_handler(onFatalError, nullptr);
  llvm::install_bad_alloc_error_handler(onFatalError, nullptr);
}

bool runContained(llvm::function_ref<void()> Work, std::string &Why) {
  Landing Here;
  CurrentLanding = &Here;
  // Nothing in this frame changes between setjmp and longjmp except Message, which is memory.
  if (setjmp(Here.Place) == 0) {
    Work();
    CurrentLanding = nullptr;
    return true;
  }
  CurrentLanding = nullptr;
  Why = Here.Message;
  return false;
}

} // namespace specrt
