//===- specializer/module/budget.cpp - when to stop compiling --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/module/budget.h"
#include "specializer/module/per_thread.h"
#include "llvm/ADT/Any.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/PassInstrumentation.h"

#include <pthread.h>

namespace specrt {

/// Of the compile that this thread is in.
static PerThread<CompileControl> Controls;

CompileControl::Running::Running(CompileControl &C)
    : Control(C), IsOutermost(C.Current.load() == State::Idle) {
  // Announced before Cancelled is read by the first checkpoint, and cancel() writes before it reads
  // Current: at least one of both sides sees the other.
  Control.Current.store(State::Compiling, std::memory_order_seq_cst);
  Control.checkpoint();
  Controls.set(&C);
}

CompileControl::Running::~Running() {
  if (!IsOutermost)
    return;
  Controls.set(nullptr);
  Control.Current.store(State::Idle);
}

void CompileControl::obeyOnThisThread() {
  if (CompileControl *Current = Controls.get())
    Current->checkpoint();
}

void CompileControl::park() {
  Current.store(State::Parked, std::memory_order_seq_cst);
  ParkRequested.wait(true);
  Current.store(State::Compiling, std::memory_order_seq_cst);
}

void CompileControl::checkpoint() {
  if (ParkRequested.load(std::memory_order_seq_cst))
    park();
  if (!RestRequested.load(std::memory_order_relaxed) || isCancelled())
    return;
  Current.store(State::Resting, std::memory_order_seq_cst);
  RestRequested.wait(true);
  // Who cancels may have taken it for parked meanwhile.
  State Now = State::Resting;
  if (!Current.compare_exchange_strong(Now, State::Compiling) ||
      ParkRequested.load(std::memory_order_seq_cst))
    park();
}

void CompileControl::rest(bool Rest) {
  if (RestRequested.exchange(Rest) == Rest)
    return;
  AnyRequest.store(Rest, std::memory_order_seq_cst);
  if (ParkRequested.load(std::memory_order_seq_cst))
    AnyRequest.store(true, std::memory_order_seq_cst);
  RestRequested.notify_all();
}

bool CompileControl::cancel(bool Park, std::chrono::milliseconds Timeout) {
  Cancelled.store(true, std::memory_order_seq_cst);
  if (Park) {
    ParkRequested.store(true, std::memory_order_seq_cst);
    AnyRequest.store(true, std::memory_order_seq_cst);
    State Now = State::Resting;
    (void)Current.compare_exchange_strong(Now, State::Parked);
  } else {
    ParkRequested.store(false, std::memory_order_seq_cst);
    ParkRequested.notify_all();
  }
  RestRequested.store(false);
  RestRequested.notify_all();
  auto Deadline = std::chrono::steady_clock::now() + Timeout;
  auto IsAtWork = [this] {
    const State Now = Current.load(std::memory_order_seq_cst);
    return Now == State::Compiling || Now == State::Resting;
  };
  while (IsAtWork()) {
    if (std::chrono::steady_clock::now() >= Deadline)
      return false;
    timespec Step = {0, 200'000};
    nanosleep(&Step, nullptr);
  }
  return true;
}

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

CompileBudget::CompileBudget(CompileControl &Control, std::chrono::milliseconds Limit)
    : Control(Control), Start(Clock::now()), Processor(clockOfThisThread()),
      ProcessorDeadline(timeOf(Processor) + Limit) {}

bool CompileBudget::expired() const {
  return Control.isCancelled() || timeOf(Processor) >= ProcessorDeadline;
}

void CompileBudget::attach(llvm::PassInstrumentationCallbacks &PIC) {
  PIC.registerShouldRunOptionalPassCallback([this](llvm::StringRef, llvm::Any) {
    Control.checkpoint();
    return !expired();
  });
}

void CompileBudget::attach(llvm::LLVMContext &Context) {
  Context.setYieldCallback(
      [](llvm::LLVMContext *, void *Self) { static_cast<CompileBudget *>(Self)->checkpoint(); },
      this);
}

} // namespace specrt
