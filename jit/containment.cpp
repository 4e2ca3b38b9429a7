//===- jit/containment.cpp - LLVM's fatal errors end a compile, not a program ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/containment.h"
#include "jit/code/llvm_imports.h"
#include "llvm/Support/ErrorHandling.h"

#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <new>
#include <utility>

namespace specrt {
namespace {

/// Where to return to, and what LLVM said. Fixed size: memory may be what has run out.
struct Landing {
  sigjmp_buf Place;
  char Message[512];
};

thread_local Landing *CurrentLanding = nullptr;

/// The time in which that is the place. Candidates are linked while a compile goes on, and
/// std::bad_alloc leaves it like a return.
class Landed {
public:
  explicit Landed(Landing &Here) : Outer(std::exchange(CurrentLanding, &Here)) {}
  ~Landed() { CurrentLanding = Outer; }
  Landed(const Landed &) = delete;
  Landed &operator=(const Landed &) = delete;

private:
  Landing *const Outer;
};

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

} // namespace

extern "C" {
[[noreturn]] void __real_abort();

/// Stands in for abort where libLLVM and this library call it: isl's C++ binding, which Polly uses
/// throughout, ends the process when the result of an operation that was given up is taken for a
/// truth value. Not by a handler of SIGABRT, which would be the whole process's.
[[noreturn]] void __wrap_abort() {
  if (CurrentLanding)
    onFatalError(nullptr, "a check failed in Polly or isl", false);
  __real_abort();
}

size_t __real_fwrite(const void *Bytes, size_t Size, size_t Count, FILE *To);
int __real_fputs(const char *Text, FILE *To);

/// What that binding prints before is for the authors of compilers, not for users of the program.
size_t __wrap_fwrite(const void *Bytes, size_t Size, size_t Count, FILE *To) {
  return CurrentLanding && To == stderr ? Count : __real_fwrite(Bytes, Size, Count, To);
}
int __wrap_fputs(const char *Text, FILE *To) {
  return CurrentLanding && To == stderr ? 0 : __real_fputs(Text, To);
}
}

static bool install() {
  llvm::install_fatal_error_handler(onFatalError, nullptr);
  llvm::install_bad_alloc_error_handler(onFatalError, nullptr);
  // Without these two it is only louder.
  (void)replaceImportOfLLVM("fwrite", reinterpret_cast<void *>(&__wrap_fwrite));
  (void)replaceImportOfLLVM("fputs", reinterpret_cast<void *>(&__wrap_fputs));
  return replaceImportOfLLVM("abort", reinterpret_cast<void *>(&__wrap_abort));
}

bool installContainment() {
  static const bool IsComplete = install();
  return IsComplete;
}

bool runContained(llvm::function_ref<void()> Work, std::string &Why) {
  Landing Here;
  const Landed Back(Here);
  // Nothing in this frame changes between setjmp and longjmp except Message, which is memory.
  if (sigsetjmp(Here.Place, /*savemask=*/1) == 0) {
    try {
      Work();
      return true;
    } catch (const std::bad_alloc &) { // LLVM is not prepared for it
      Why = "there is no memory";
      return false;
    }
  }
  Why = Here.Message;
  return false;
}

} // namespace specrt
