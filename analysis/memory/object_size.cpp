//===- analysis/memory/object_size.cpp - sizes of variables ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/memory/object_size.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"

using namespace llvm;

namespace specrt {

static constexpr StringLiteral DefinedElsewhere = "specrt-defined";

std::optional<uint64_t> objectBytes(const GlobalVariable &Variable) {
  if (!Variable.hasExactDefinition() && !Variable.hasAttribute(DefinedElsewhere))
    return std::nullopt;
  const TypeSize Bytes = Variable.getDataLayout().getTypeAllocSize(Variable.getValueType());
  if (Bytes.isScalable())
    return std::nullopt;
  return Bytes.getFixedValue();
}

void keepObjectBytes(const GlobalVariable &Original, GlobalVariable &Declaration) {
  if (objectBytes(Original))
    Declaration.addAttribute(DefinedElsewhere);
}

} // namespace specrt
