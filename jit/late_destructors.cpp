//===- jit/late_destructors.cpp - LLVM's statics outlive a compile at exit ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/late_destructors.h"
#include "jit/code/llvm_imports.h"

namespace specrt {

static int ignoreDestructor(void (*)(void *), void *, void *) { return 0; }

bool dropLateDestructors() {
  return replaceImportOfLLVM("__cxa_atexit", reinterpret_cast<void *>(&ignoreDestructor));
}

} // namespace specrt
