//===- specializer/sparse/equations/expression_tree.cpp - values as expressions ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/equations/expression_tree.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace specrt {
namespace {

/// Returns Same for functions that are zero exactly where their first argument is, Either for
/// functions that return one of their two arguments.
DenseOp operatorOf(const CallInst &Call) {
  switch (Call.getIntrinsicID()) {
  case Intrinsic::sqrt:
  case Intrinsic::fabs:
  case Intrinsic::copysign:
  case Intrinsic::canonicalize:
  case Intrinsic::arithmetic_fence:
    return DenseOp::Same;
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::maximum:
  case Intrinsic::minimumnum:
  case Intrinsic::maximumnum:
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
    return DenseOp::Either;
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return DenseOp::MultiplyAdd;
  case Intrinsic::not_intrinsic:
    break;
  default:
    return DenseOp::Unknown;
  }
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Call.getType()->isFloatingPointTy())
    return DenseOp::Unknown;
  return StringSwitch<DenseOp>(Callee->getName())
      .Cases({"sqrt", "sqrtf", "fabs", "fabsf"}, DenseOp::Same)
      .Cases({"fmin", "fminf", "fmax", "fmaxf"}, DenseOp::Either)
      .Cases({"fma", "fmaf"}, DenseOp::MultiplyAdd)
      .Default(DenseOp::Unknown);
}

DenseOp operatorOf(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::Add:
    return DenseOp::Add;
  case Instruction::FSub:
  case Instruction::Sub:
    return DenseOp::Subtract;
  case Instruction::FMul:
  case Instruction::Mul:
    return DenseOp::Multiply;
  case Instruction::FDiv:
    return DenseOp::Divide;
  case Instruction::FNeg:
    return DenseOp::Negate;
  case Instruction::Select:
    return DenseOp::Either;
  case Instruction::FPExt:
  case Instruction::FPTrunc:
  case Instruction::SIToFP:
  case Instruction::UIToFP:
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Freeze:
    return DenseOp::Same;
  case Instruction::Call:
    return operatorOf(cast<CallInst>(I));
  default:
    return DenseOp::Unknown;
  }
}

class TreeBuilder {
public:
  TreeBuilder(const polly::ScopStmt &Stmt, WrittenValue &To) : Stmt(Stmt), To(To) {}

  unsigned node(Value *V) {
    if (const auto Known = Nodes.find(V); Known != Nodes.end())
      return Known->second;
    const unsigned Number = makeNode(V);
    Nodes[V] = Number;
    return Number;
  }

  unsigned read(polly::MemoryAccess *Access) {
    To.Reads.push_back(Access);
    return To.Value.read(static_cast<unsigned>(To.Reads.size()) - 1);
  }

private:
  unsigned makeNode(Value *V);
  bool isOwn(const Instruction &I) const { return is_contained(Stmt.getInstructions(), &I); }

  const polly::ScopStmt &Stmt;
  WrittenValue &To;
  DenseMap<Value *, unsigned> Nodes;
};

unsigned TreeBuilder::makeNode(Value *V) {
  DenseExpression &Of = To.Value;
  if (auto *Number = dyn_cast<ConstantFP>(V)) {
    // Only whether it is zero matters; a number that may not fit a double is written as 1.
    const bool IsShort = V->getType()->isFloatTy() || V->getType()->isDoubleTy();
    return Of.constant(IsShort ? Number->getValueAPF().convertToDouble() : !Number->isZero());
  }
  if (auto *Number = dyn_cast<ConstantInt>(V))
    return Of.constant(Number->isZero() ? 0 : 1);
  if (polly::MemoryAccess *Access = Stmt.lookupInputAccessOf(V))
    return read(Access);
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !isOwn(*I))
    return Of.unknown();
  if (isa<LoadInst>(I)) {
    polly::MemoryAccess *Access = Stmt.getArrayAccessOrNULLFor(I);
    return Access && Access->isRead() ? read(Access) : Of.unknown();
  }
  const DenseOp Op = operatorOf(*I);
  const unsigned Arity = numOperands(Op);
  if (Arity == 0)
    return Of.unknown();
  const unsigned First = isa<SelectInst>(I) ? 1 : 0;
  unsigned Operands[3] = {};
  for (unsigned K = 0; K < Arity; ++K)
    Operands[K] = node(I->getOperand(First + K));
  return Of.apply(Op, Operands[0], Operands[1], Operands[2]);
}

} // namespace

WrittenValue writtenValue(const polly::MemoryAccess &Write) {
  WrittenValue Result;
  TreeBuilder Builder(*Write.getStatement(), Result);
  SmallVector<Value *, 2> Values;
  if (Write.isOriginalAnyPHIKind())
    for (const auto &[Block, Incoming] : Write.getIncoming())
      Values.push_back(Incoming);
  else if (!Write.isMemoryIntrinsic())
    Values.push_back(Write.getAccessValue());
  if (Values.empty() || is_contained(Values, nullptr)) {
    Result.Value.unknown();
    return Result;
  }
  unsigned Root = Builder.node(Values[0]);
  for (Value *Other : ArrayRef(Values).drop_front())
    Root = Result.Value.apply(DenseOp::Either, Root, Builder.node(Other));
  // A shared node may be the root without being the last one.
  if (Root != Result.Value.root())
    Result.Value.apply(DenseOp::Same, Root);
  return Result;
}

} // namespace specrt
