//===- specializer/polyhedral/model/row_marks.cpp - metadata of loads of row pointers -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/model/row_marks.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace specrt {

static constexpr StringLiteral MetadataName = "specrt.rows";

void markRows(LoadInst &Load, const RowMark &Mark) {
  Type *T = Type::getInt64Ty(Load.getContext());
  SmallVector<Metadata *, 4> Numbers;
  for (int64_t Number : {int64_t{Mark.Table}, Mark.First, Mark.Count, Mark.Stride})
    Numbers.push_back(
        ConstantAsMetadata::get(ConstantInt::get(T, static_cast<uint64_t>(Number), true)));
  Load.setMetadata(MetadataName, MDNode::get(Load.getContext(), Numbers));
}

std::optional<RowMark> rowMarkOf(const LoadInst &Load) {
  const MDNode *Node = Load.getMetadata(MetadataName);
  if (!Node || Node->getNumOperands() != 4)
    return std::nullopt;
  int64_t Numbers[4];
  for (unsigned I = 0; I < 4; ++I)
    Numbers[I] = mdconst::extract<ConstantInt>(Node->getOperand(I))->getSExtValue();
  return RowMark{static_cast<unsigned>(Numbers[0]), Numbers[1], Numbers[2], Numbers[3]};
}

} // namespace specrt
