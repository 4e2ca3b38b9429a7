//===- specializer/module/budget.cpp - limits the time of a compilation ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/module/budget.h"
#include "llvm/ADT/Any.h"
#include "llvm/IR/PassInstrumentation.h"

#include <pthread.h>

namespace specrt {

static clockid_t clockOfThisThread() {
  clockid_t Clock = CLOCK_THREAD_CPUTIME_ID;
  pthread_getcpuclockid(pthread_self(), &Clock);
  return Clock;
}

static std::chrono::nanoseconds timeOf(clockid_t Clock) {
  timespec Now;
  clock_gettime(Clock, &Now);
  return std::chrono::seconds(Now.tv_sec) + std::chrono::nanoseconds(Now.tv_nsec);
}

CompileBudget::CompileBudget(std::chrono::milliseconds Limit)
    : Start(Clock::now()), Processor(clockOfThisThread()),
      ProcessorDeadline(timeOf(Processor) + Limit) {}

bool CompileBudget::expired(std::chrono::milliseconds Grace) const {
  return timeOf(Processor) >= ProcessorDeadline + Grace;
}

void CompileBudget::attach(llvm::PassInstrumentationCallbacks &PIC) {
  PIC.registerShouldRunOptionalPassCallback(
      [this](llvm::StringRef, llvm::Any) { return !expired(); });
}

} // namespace specrt
