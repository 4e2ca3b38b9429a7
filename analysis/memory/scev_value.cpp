//===- analysis/memory/scev_value.cpp - values of SCEVs at given iteration numbers -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/memory/scev_value.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace specrt {

/// Recurrences of a higher order are not supported.
static constexpr unsigned MaxOrder = 3;

ScevValue::ScevValue(const SCEV *S, ScalarEvolution &SE) : Root(S), SE(SE) { collect(S); }

unsigned ScevValue::width(const SCEV *S) const {
  return unsigned(SE.getTypeSizeInBits(S->getType()));
}

uint64_t ScevValue::iteration(const Loop *L) const {
  return Now[size_t(find(Loops, L) - Loops.begin())];
}

void ScevValue::collect(const SCEV *S) {
  if (!S->getType()->isIntegerTy() || width(S) > 64) {
    IsKnown = false;
    return;
  }
  switch (S->getSCEVType()) {
  case scConstant:
    return;
  case scUnknown:
    if (auto *I = dyn_cast<Instruction>(cast<SCEVUnknown>(S)->getValue()))
      return collectFrom(*I);
    IsKnown = false;
    return;
  case scAddRecExpr:
    Loops.insert(cast<SCEVAddRecExpr>(S)->getLoop());
    IsKnown &= cast<SCEVAddRecExpr>(S)->getNumOperands() <= MaxOrder;
    break;
  case scTruncate:
  case scZeroExtend:
  case scSignExtend:
  case scAddExpr:
  case scMulExpr:
  case scUDivExpr:
    break;
  default:
    IsKnown = false;
    return;
  }
  for (const SCEV *Operand : S->operands())
    collect(Operand);
}

/// Handles instructions that SCEV cannot express.
void ScevValue::collectFrom(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::SDiv:
  case Instruction::AShr:
    break;
  default:
    IsKnown = false;
    return;
  }
  for (Value *Operand : I.operands())
    collect(SE.getSCEV(Operand));
}

static uint64_t truncated(uint64_t Value, unsigned Width) {
  return Value & maskTrailingOnes<uint64_t>(Width);
}

uint64_t ScevValue::evaluate(const Instruction &I) {
  const unsigned Width = I.getType()->getIntegerBitWidth();
  const int64_t A = SignExtend64(evaluate(SE.getSCEV(I.getOperand(0))), Width);
  const int64_t B = SignExtend64(evaluate(SE.getSCEV(I.getOperand(1))), Width);
  if (I.getOpcode() == Instruction::AShr) {
    DividedByZero |= B < 0 || B >= int64_t(Width); // poison
    return DividedByZero ? 0 : truncated(uint64_t(A >> B), Width);
  }
  DividedByZero |= B == 0 || (B == -1 && A == SignExtend64(uint64_t(1) << (Width - 1), Width));
  return DividedByZero ? 0 : truncated(uint64_t(A / B), Width);
}

uint64_t ScevValue::evaluate(const SCEV *S) {
  const unsigned Width = width(S);
  switch (S->getSCEVType()) {
  case scConstant:
    return cast<SCEVConstant>(S)->getAPInt().getZExtValue();
  case scUnknown:
    return evaluate(*cast<Instruction>(cast<SCEVUnknown>(S)->getValue()));
  case scTruncate:
    return truncated(evaluate(S->operands()[0]), Width);
  case scZeroExtend:
    return evaluate(S->operands()[0]);
  case scSignExtend:
    return truncated(uint64_t(SignExtend64(evaluate(S->operands()[0]), width(S->operands()[0]))),
                     Width);
  case scUDivExpr: {
    const uint64_t A = evaluate(S->operands()[0]), B = evaluate(S->operands()[1]);
    DividedByZero |= B == 0;
    return B == 0 ? 0 : A / B;
  }
  case scAddExpr:
  case scMulExpr: {
    const bool IsSum = S->getSCEVType() == scAddExpr;
    uint64_t Result = IsSum ? 0 : 1;
    for (const SCEV *Operand : S->operands())
      Result = IsSum ? Result + evaluate(Operand) : Result * evaluate(Operand);
    return truncated(Result, Width);
  }
  case scAddRecExpr: {
    // { a0,+,a1,+,a2 } at iteration t is a0 + a1 * t + a2 * t (t-1) / 2.
    const auto Operands = S->operands();
    const uint64_t T = iteration(cast<SCEVAddRecExpr>(S)->getLoop());
    uint64_t Result = evaluate(Operands[0]) + evaluate(Operands[1]) * T;
    if (Operands.size() > 2)
      Result += evaluate(Operands[2]) * (T % 2 ? (T - 1) / 2 * T : T / 2 * (T - 1));
    return truncated(Result, Width);
  }
  default:
    llvm_unreachable("not collected");
  }
}

std::optional<int64_t> ScevValue::at(ArrayRef<uint64_t> Iterations) {
  Now = Iterations;
  DividedByZero = false;
  const uint64_t Value = evaluate(Root);
  if (DividedByZero)
    return std::nullopt;
  return SignExtend64(Value, width(Root));
}

} // namespace specrt
