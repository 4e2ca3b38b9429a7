//===- jit/containment.cpp - LLVM's fatal errors end a compile, not a program ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/containment.h"
#include "jit/code/llvm_imports.h"
#include "specializer/module/per_thread.h"
#include "support/attempt.h"
#include "llvm/Support/ErrorHandling.h"

#include <csetjmp>
#include <csignal>
#include <cstdio>

namespace specrt {
namespace {

/// Where to return to, and what LLVM said.
struct Landing {
  sigjmp_buf Place;
  Failure &Said;
};

PerThread<Landing> Landings;

/// The time in which that is the place. Candidates are linked while a compile goes on.
class Landed {
public:
  explicit Landed(Landing &Here) : Outer(Landings.get()), IsKnown(Landings.set(&Here)) {}
  ~Landed() { Landings.set(Outer); }
  Landed(const Landed &) = delete;
  Landed &operator=(const Landed &) = delete;

  bool isKnown() const { return IsKnown; }

private:
  Landing *const Outer;
  const bool IsKnown;
};

bool isContained() { return Landings.get() != nullptr; }

/// Returns where there is no landing.
void land(const char *Reason, bool IsOfMemory) {
  Landing *Here = Landings.get();
  if (!Here)
    return;
  Here->Said.set(Reason);
  Here->Said.IsOfMemory = IsOfMemory;
  siglongjmp(Here->Place, 1);
}

void fail(const char *Reason, bool IsOfMemory) {
  const char *Text = Reason ? Reason : "unknown fatal error";
  land(Text, IsOfMemory);
  // A thread of the program, which uses libLLVM itself: what LLVM does without a handler.
  fprintf(stderr, "LLVM ERROR: %s\n", Text);
}

void onFatalError(void *, const char *Reason, bool) { fail(Reason, /*IsOfMemory=*/false); }
void onLackOfMemory(void *, const char *Reason, bool) { fail(Reason, /*IsOfMemory=*/true); }

} // namespace

extern "C" {
[[noreturn]] void __real_abort();

/// Stands in for abort where libLLVM and this library call it: isl's C++ binding, which Polly uses
/// throughout, ends the process when the result of an operation that was given up is taken for a
/// truth value. Not by a handler of SIGABRT, which would be the whole process's.
[[noreturn]] void __wrap_abort() {
  land("a check failed in Polly or isl", /*IsOfMemory=*/false);
  __real_abort();
}

size_t __real_fwrite(const void *Bytes, size_t Size, size_t Count, FILE *To);
int __real_fputs(const char *Text, FILE *To);

/// What that binding prints before is for the authors of compilers, not for users of the program.
size_t __wrap_fwrite(const void *Bytes, size_t Size, size_t Count, FILE *To) {
  return isContained() && To == stderr ? Count : __real_fwrite(Bytes, Size, Count, To);
}
int __wrap_fputs(const char *Text, FILE *To) {
  return isContained() && To == stderr ? 0 : __real_fputs(Text, To);
}
}

static bool install() {
  llvm::install_fatal_error_handler(onFatalError, nullptr);
  llvm::install_bad_alloc_error_handler(onLackOfMemory, nullptr);
  // Without these two it is only louder.
  (void)replaceImportOfLLVM("fwrite", reinterpret_cast<void *>(&__wrap_fwrite));
  (void)replaceImportOfLLVM("fputs", reinterpret_cast<void *>(&__wrap_fputs));
  return replaceImportOfLLVM("abort", reinterpret_cast<void *>(&__wrap_abort));
}

bool installContainment() {
  static const bool IsComplete = install();
  return IsComplete;
}

void Failure::set(const char *Why) { snprintf(Text, sizeof(Text), "%s", Why); }

bool runContained(llvm::function_ref<void()> Work, Failure &Why) noexcept {
  Landing Here{.Place = {}, .Said = Why};
  const Landed Back(Here);
  if (!Back.isKnown()) {
    Why.set("too many threads are in the compiler");
    return false;
  }
  // Nothing in this frame changes between setjmp and longjmp.
  if (sigsetjmp(Here.Place, /*savemask=*/1) != 0)
    return false;
  const char *Thrown = attempt(Work);
  if (!Thrown)
    return true;
  // LLVM is not prepared for exceptions, and lack of memory is all that throws.
  Why.set(Thrown);
  Why.IsOfMemory = true;
  return false;
}

void giveUpWithoutMemory() { land(NoMemoryText, /*IsOfMemory=*/true); }

} // namespace specrt
