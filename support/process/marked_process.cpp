//===- support/process/marked_process.cpp - detects children that no fork handler saw ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/process/marked_process.h"
#include "support/per_process.h"

namespace specrt {
namespace {

struct Mark {
  explicit Mark(Mark * /*Before*/) {}
};

constinit PerProcess<Mark> Marks;
std::atomic<bool> CanTell{false};

} // namespace

void markProcess() {
  try {
    CanTell.store(Marks.get() != nullptr, std::memory_order_release);
  } catch (const std::bad_alloc &) {
    CanTell.store(false, std::memory_order_release);
  }
}

bool isMarkedProcess() {
  return !CanTell.load(std::memory_order_acquire) || Marks.known() != nullptr;
}

} // namespace specrt
