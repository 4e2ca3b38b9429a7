//===- specializer/polyhedral/kernel/function_attributes.cpp - compiled like another -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/kernel/function_attributes.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace specrt {

void compileAlike(Function &New, const Function &Original) {
  for (const Attribute &A : Original.getAttributes().getFnAttrs())
    if (A.isStringAttribute() && !New.hasFnAttribute(A.getKindAsString()))
      New.addFnAttr(A);
  New.setUWTableKind(Original.getUWTableKind());
}

} // namespace specrt
