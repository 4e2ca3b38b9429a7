//===- instrument/select/preparation/complex_arithmetic.cpp - calls that only compute ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/select/preparation/complex_arithmetic.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace specrt {

void describeComplexArithmetic(Module &M) {
  for (const char *Name : {"__mulsc3", "__muldc3", "__divsc3", "__divdc3"})
    if (Function *F = M.getFunction(Name); F && F->isDeclaration()) {
      F->setMemoryEffects(MemoryEffects::none());
      F->setDoesNotThrow();
      F->setWillReturn();
      F->setNoSync();
    }
}

} // namespace specrt
