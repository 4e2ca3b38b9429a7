//===- jit/isl_interrupts.cpp - where isl meets an interrupt --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/isl_interrupts.h"
#include "jit/code/llvm_imports.h"
#include "specializer/polyhedral/model/isl_work.h"

#include <cstdlib>

namespace specrt {

static void *allocate(size_t Bytes) {
  obeyInterruptOfIsl();
  return std::malloc(Bytes);
}

bool letIslBeInterrupted() {
  return replaceImportOfLLVM("malloc", reinterpret_cast<void *>(&allocate));
}

} // namespace specrt
