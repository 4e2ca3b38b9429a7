//===- instrument/emit/text.cpp - emits string constants ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/emit/text.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace specrt {

Constant *addText(Module &M, StringRef Text) {
  Constant *Data = ConstantDataArray::getString(M.getContext(), Text);
  auto *Global = new GlobalVariable(M, Data->getType(), true, GlobalValue::PrivateLinkage, Data,
                                    "specrt.text");
  Global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  Global->setAlignment(Align(1));
  return Global;
}

} // namespace specrt
