//===- specializer/polyhedral/isl_work.cpp - what another thread may interrupt ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/isl_work.h"
#include "isl/ctx.h"
#include <mutex>

namespace specrt {
namespace {

/// isl contexts are freed by the thread that works with them: not while another one interrupts it.
struct Work {
  std::mutex Mutex;
  isl_ctx *Context = nullptr; ///< null: not to be interrupted
  bool WasInterrupted = false;
};

/// Never destroyed: a compile may go on while the process ends.
Work &work() {
  static Work &Only = *new Work;
  return Only;
}

} // namespace

IslWork::IslWork(isl_ctx *Context) {
  std::lock_guard Guard(work().Mutex);
  work().Context = Context;
}

IslWork::~IslWork() {
  std::lock_guard Guard(work().Mutex);
  work().Context = nullptr;
}

void interruptIsl() {
  std::lock_guard Guard(work().Mutex);
  if (!work().Context)
    return;
  isl_ctx_abort(work().Context);
  work().WasInterrupted = true;
}

void expectNoIslWork() {
  std::lock_guard Guard(work().Mutex);
  work().Context = nullptr;
  work().WasInterrupted = false;
}

bool wasIslInterrupted() {
  std::lock_guard Guard(work().Mutex);
  return work().WasInterrupted;
}

} // namespace specrt
