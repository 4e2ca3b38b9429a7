//===- jit/late_destructors.cpp - LLVM's statics outlive a compile at exit ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/late_destructors.h"
#include "jit/code/llvm_imports.h"

#include <atomic>

namespace specrt {
namespace {

std::atomic<unsigned> NumDropped{0};

int ignoreDestructor(void (*)(void *), void *, void *) {
  NumDropped.fetch_add(1, std::memory_order_relaxed);
  return 0;
}

} // namespace

bool dropLateDestructors() {
  return replaceImportOfLLVM("__cxa_atexit", reinterpret_cast<void *>(&ignoreDestructor));
}

bool droppedAllDestructors() {
  // The options alone are more than a thousand. A few are dropped when a thread of the program uses
  // its libLLVM just now.
  constexpr unsigned AtLoad = 100;
  return NumDropped.load(std::memory_order_relaxed) >= AtLoad;
}

} // namespace specrt
