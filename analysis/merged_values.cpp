//===- analysis/merged_values.cpp - phis of an expression and its value ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/merged_values.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include <optional>

using namespace llvm;

namespace specrt {
namespace {

/// Limits the depth of expressions and the number of blocks above a branch that are inspected.
constexpr unsigned MaxDepth = 6;

/// States that Variable has the value Number on an edge.
struct Equality {
  Value *Variable;
  ConstantInt *Number;
};

/// Returns the equality that the last branch before the edge from \p From to \p To establishes, if
/// any.
std::optional<Equality> equalityOn(BasicBlock *From, BasicBlock *To) {
  for (unsigned Depth = 0; From && Depth < MaxDepth; ++Depth) {
    auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
    if (!Branch)
      return std::nullopt;
    if (Branch->isConditional() && Branch->getSuccessor(0) != Branch->getSuccessor(1)) {
      auto *Compare = dyn_cast<ICmpInst>(Branch->getCondition());
      auto *Number = Compare ? dyn_cast<ConstantInt>(Compare->getOperand(1)) : nullptr;
      const unsigned IfEqual = Compare && Compare->getPredicate() == CmpInst::ICMP_EQ ? 0 : 1;
      if (Number && Compare->isEquality() && Branch->getSuccessor(IfEqual) == To)
        return Equality{Compare->getOperand(0), Number};
    }
    To = From;
    From = From->getSinglePredecessor();
  }
  return std::nullopt;
}

bool isArithmetic(const Instruction &I) {
  return (isa<BinaryOperator>(I) || isa<CastInst>(I)) && isSafeToSpeculativelyExecute(&I);
}

/// Returns whether \p V can be computed at \p At: it is known there, or arithmetic on such values.
bool isComputableAt(const Value *V, const Instruction &At, const DominatorTree &DT) {
  const auto *I = dyn_cast<Instruction>(V);
  return !I || DT.dominates(I, &At) ||
         (isArithmetic(*I) && all_of(I->operands(), [&](const Value *Operand) {
            return isComputableAt(Operand, At, DT);
          }));
}

/// Returns whether \p V is poison only if an argument or a loaded value is. The arguments of
/// regions are values of a running program, which are never poison.
bool createsNoPoison(const Value *V, unsigned Depth = 0) {
  if (isa<Argument, ConstantData>(V))
    return true;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth == MaxDepth || isa<PHINode, CallBase>(I))
    return false;
  if (isa<LoadInst>(I))
    return !I->hasPoisonGeneratingMetadata();
  return !canCreatePoison(cast<Operator>(I)) && all_of(I->operands(), [&](const Value *Operand) {
    return createsNoPoison(Operand, Depth + 1);
  });
}

/// Returns the value of \p V where \p E holds; null if it depends on other values.
Constant *valueWhere(const Equality &E, Value *V, unsigned Depth = 0) {
  if (V == E.Variable)
    return E.Number;
  if (auto *Known = dyn_cast<ConstantInt>(V))
    return Known;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !isArithmetic(*I) || Depth == MaxDepth)
    return nullptr;
  SmallVector<Constant *, 2> Operands;
  for (Value *Operand : I->operands())
    Operands.push_back(valueWhere(E, Operand, Depth + 1));
  // A product is zero whatever the other factor is, unless that is poison.
  if (I->getOpcode() == Instruction::Mul)
    for (unsigned K : {0, 1})
      if (Operands[K] && Operands[K]->isNullValue() && createsNoPoison(I->getOperand(1 - K)))
        return Operands[K];
  if (is_contained(Operands, nullptr))
    return nullptr;
  return ConstantFoldInstOperands(I, Operands, I->getDataLayout());
}

/// Computes \p V, for which valueWhere returned a value, at \p At.
Value *computeAt(Value *V, Instruction &At, const DominatorTree &DT) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || DT.dominates(I, &At))
    return V;
  Instruction *Copy = I->clone();
  // The copy also executes where the original did not, so its flags may not hold.
  Copy->dropPoisonGeneratingFlags();
  for (Use &Operand : Copy->operands())
    Operand.set(computeAt(Operand, At, DT));
  Copy->insertBefore(At.getIterator());
  return Copy;
}

bool replace(PHINode &Phi, const DominatorTree &DT) {
  if (Phi.getNumIncomingValues() != 2 || !Phi.getType()->isIntegerTy())
    return false;
  for (unsigned Side : {0, 1}) {
    auto *Known = dyn_cast<ConstantInt>(Phi.getIncomingValue(Side));
    auto *Other = dyn_cast<Instruction>(Phi.getIncomingValue(1 - Side));
    if (!Known || !Other || DT.dominates(Phi.getParent(), Phi.getIncomingBlock(1 - Side)))
      continue;
    std::optional<Equality> E = equalityOn(Phi.getIncomingBlock(Side), Phi.getParent());
    Instruction &At = *Phi.getParent()->getFirstNonPHIIt();
    auto *Variable = E ? dyn_cast<Instruction>(E->Variable) : nullptr;
    if (!E || (Variable && !DT.dominates(Variable, &At)) || valueWhere(*E, Other) != Known ||
        !isComputableAt(Other, At, DT))
      continue;
    Phi.replaceAllUsesWith(computeAt(Other, At, DT));
    Phi.eraseFromParent();
    return true;
  }
  return false;
}

} // namespace

bool computeMergedValues(Function &F, const DominatorTree &DT) {
  bool Changed = false;
  for (BasicBlock &Block : F)
    for (PHINode &Phi : make_early_inc_range(Block.phis()))
      Changed |= replace(Phi, DT);
  return Changed;
}

} // namespace specrt
