//===- specializer/polyhedral/model/isl_work.cpp - what another thread may interrupt ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/model/isl_work.h"
#include "isl/ctx.h"
#include <atomic>
#include <utility>

namespace specrt {
namespace {

thread_local isl_ctx *Current = nullptr;
std::atomic<bool> IsWanted{false}, HasHappened{false};

} // namespace

IslWork::IslWork(isl_ctx *Context) : Outer(std::exchange(Current, Context)) {}

IslWork::~IslWork() { Current = Outer; }

void interruptIsl() { IsWanted.store(true, std::memory_order_relaxed); }

void obeyInterruptOfIsl() {
  // Asked for memory by anybody who uses libLLVM.
  if (!IsWanted.load(std::memory_order_relaxed) || !Current ||
      isl_ctx_get_max_operations(Current) == 0)
    return;
  isl_ctx_set_max_operations(Current, 1);
  HasHappened.store(true, std::memory_order_relaxed);
}

void expectNoIslWork() {
  Current = nullptr;
  IsWanted.store(false, std::memory_order_relaxed);
  HasHappened.store(false, std::memory_order_relaxed);
}

bool wasIslInterrupted() { return HasHappened.load(std::memory_order_relaxed); }

} // namespace specrt
