//===- specializer/loops/accumulator.cpp - values that iterations combine in any order ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/accumulator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace specrt {
namespace {

/// Returns the operation that \p I executes; nothing if an accumulator cannot have it.
std::optional<AtomicRMWInst::BinOp> operationOf(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::Add:
    return AtomicRMWInst::Add;
  case Instruction::And:
    return AtomicRMWInst::And;
  case Instruction::Or:
    return AtomicRMWInst::Or;
  case Instruction::Xor:
    return AtomicRMWInst::Xor;
  default:
    break;
  }
  const auto *Extreme = dyn_cast<MinMaxIntrinsic>(&I);
  if (!Extreme)
    return std::nullopt;
  switch (Extreme->getIntrinsicID()) {
  case Intrinsic::smax:
    return AtomicRMWInst::Max;
  case Intrinsic::smin:
    return AtomicRMWInst::Min;
  case Intrinsic::umax:
    return AtomicRMWInst::UMax;
  default:
    return AtomicRMWInst::UMin;
  }
}

} // namespace

Constant *Accumulator::neutral() const {
  return ConstantExpr::getIdentity(Operations.front(), Phi->getType());
}

std::optional<Accumulator> accumulatorOf(PHINode &Phi, const Loop &L) {
  const auto *T = dyn_cast<IntegerType>(Phi.getType());
  if (!T || !is_contained({8U, 16U, 32U, 64U}, T->getBitWidth()) || !L.getLoopLatch())
    return std::nullopt;
  Value *const Last = Phi.getIncomingValueForBlock(L.getLoopLatch());
  std::optional<AtomicRMWInst::BinOp> Operation;
  // Collects the instructions through which an iteration passes the value.
  SmallSetVector<const Value *, 8> Values;
  Values.insert(&Phi);
  for (size_t I = 0; I < Values.size(); ++I)
    for (const User *U : Values[I]->users()) {
      const auto *By = cast<Instruction>(U);
      if (!L.contains(By)) {
        if (Values[I] != Last)
          return std::nullopt;
        continue;
      }
      if (By == &Phi)
        continue;
      if (!isa<PHINode>(By)) {
        const std::optional<AtomicRMWInst::BinOp> Found = operationOf(*By);
        const bool IsOnce = count(By->operand_values(), Values[I]) == 1;
        if (!Found || !IsOnce || (Operation && *Operation != *Found))
          return std::nullopt;
        Operation = Found;
      }
      Values.insert(By);
    }
  const auto IsOne = [&](const Value *V) { return Values.contains(V); };
  for (const Value *V : Values) {
    const auto *Made = cast<Instruction>(V);
    if (Made == &Phi)
      continue;
    if (isa<PHINode>(Made) ? !all_of(Made->operand_values(), IsOne)
                           : count_if(Made->operand_values(), IsOne) != 1)
      return std::nullopt;
  }
  if (!Operation || !IsOne(Last))
    return std::nullopt;
  Accumulator Found{&Phi, *Operation, Last, {}};
  for (const Value *V : Values)
    if (!isa<PHINode>(V))
      Found.Operations.push_back(const_cast<Instruction *>(cast<Instruction>(V)));
  return Found;
}

} // namespace specrt
