//===- specializer/feedback/loop_values.cpp - values that loops carry in registers -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/feedback/loop_values.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace specrt {
namespace {

uint32_t roleOf(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::FAdd:
  case Instruction::Sub:
  case Instruction::FSub:
    return SPECRT_CARRIED_SUM;
  case Instruction::Mul:
  case Instruction::FMul:
    return SPECRT_CARRIED_PRODUCT;
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    return SPECRT_CARRIED_BITS;
  default:
    break;
  }
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  switch (Call ? Call->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return SPECRT_CARRIED_SUM;
  case Intrinsic::smin:
  case Intrinsic::umin:
  case Intrinsic::minnum:
  case Intrinsic::minimum:
    return SPECRT_CARRIED_MINIMUM;
  case Intrinsic::smax:
  case Intrinsic::umax:
  case Intrinsic::maxnum:
  case Intrinsic::maximum:
    return SPECRT_CARRIED_MAXIMUM;
  default:
    return SPECRT_CARRIED_OTHER;
  }
}

/// Follows a value back to the beginning of an iteration, through operations of one kind.
class Chain {
public:
  Chain(const Value &Begin, const Loop &L) : Begin(Begin), L(L) {}

  /// Returns whether \p End is the value at the beginning, combined with other values.
  bool leadsBackFrom(const Value &End) { return follow(End) && Role != SPECRT_CARRIED_OTHER; }
  uint32_t role() const { return Role; }
  /// Returns the operation that was found first.
  const Instruction *operation() const { return Operation; }

  /// Returns whether the loop does not use the intermediate values, except in \p ButFor.
  bool isPrivate(const Instruction *ButFor) const {
    return all_of(Links, [&](const Value *Link) {
      return all_of(Link->users(), [&](const User *U) {
        const auto *I = cast<Instruction>(U);
        return Links.contains(U) || I == ButFor || !L.contains(I);
      });
    });
  }

private:
  bool follow(const Value &V);

  const Value &Begin;
  const Loop &L;
  uint32_t Role = SPECRT_CARRIED_OTHER;
  const Instruction *Operation = nullptr;
  SmallPtrSet<const Value *, 8> Links;
};

bool Chain::follow(const Value &V) {
  if (&V == &Begin || Links.contains(&V)) {
    Links.insert(&V);
    return true;
  }
  const auto *I = dyn_cast<Instruction>(&V);
  if (!I || !L.contains(I))
    return false;
  if (const auto *Phi = dyn_cast<PHINode>(I)) {
    // A phi of an inner loop, or one that some iterations leave unchanged.
    Links.insert(Phi);
    const bool All =
        all_of(Phi->incoming_values(), [&](const Use &In) { return follow(*In.get()); });
    if (!All)
      Links.erase(Phi);
    return All;
  }
  const uint32_t Mine = roleOf(*I);
  if (Mine == SPECRT_CARRIED_OTHER || (Role != SPECRT_CARRIED_OTHER && Role != Mine))
    return false;
  const bool IsFused = isa<IntrinsicInst>(I) && Mine == SPECRT_CARRIED_SUM;
  const bool IsDifference =
      I->getOpcode() == Instruction::Sub || I->getOpcode() == Instruction::FSub;
  const unsigned First = IsFused ? 2 : 0, Last = IsFused ? 3 : IsDifference ? 1 : 2;
  for (unsigned Operand = First; Operand < Last; ++Operand)
    if (follow(*I->getOperand(Operand))) {
      Role = Mine;
      Operation = I;
      Links.insert(I);
      return true;
    }
  return false;
}

uint32_t lineOf(const Value &V) {
  const auto *I = dyn_cast<Instruction>(&V);
  const DILocation *Where = I ? I->getDebugLoc().get() : nullptr;
  return Where ? Where->getLine() : 0;
}

specrt_carried_value describe(PHINode &Phi, const Loop &L, ScalarEvolution &SE) {
  specrt_carried_value V{};
  V.is_float = Phi.getType()->isFPOrFPVectorTy();
  setName(V.name, Phi.getName());
  const Value &Next = *Phi.getIncomingValueForBlock(L.getLoopLatch());
  V.line = lineOf(Next);
  const auto *Recurrence =
      SE.isSCEVable(Phi.getType()) ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi)) : nullptr;
  Chain Back(Phi, L);
  if (Recurrence && Recurrence->getLoop() == &L && Recurrence->isAffine()) {
    V.role = SPECRT_CARRIED_COUNTER;
    const auto *First = dyn_cast<SCEVConstant>(Recurrence->getStart());
    const auto *Step = dyn_cast<SCEVConstant>(Recurrence->getStepRecurrence(SE));
    if (First && Step && Phi.getType()->getScalarSizeInBits() <= 64) {
      V.first = First->getAPInt().getSExtValue();
      V.step = Step->getAPInt().getSExtValue();
    }
  } else if (Back.leadsBackFrom(Next) && Back.isPrivate(nullptr))
    V.role = Back.role();
  if (V.line == 0 && Back.operation())
    V.line = lineOf(*Back.operation());
  return V;
}

} // namespace

std::vector<specrt_carried_value>
carriedValues(const LoopInfo &LI, ScalarEvolution &SE,
              const DenseMap<const BasicBlock *, unsigned> &LoopIndex) {
  std::vector<specrt_carried_value> Found;
  for (const Loop *L : LI.getLoopsInPreorder()) {
    if (!L->getLoopLatch())
      continue;
    for (PHINode &Phi : L->getHeader()->phis()) {
      specrt_carried_value V = describe(Phi, *L, SE);
      V.loop = LoopIndex.lookup(L->getHeader());
      Found.push_back(V);
    }
  }
  return Found;
}

MemoryUpdate findUpdate(const StoreInst &Store, const LoopInfo &LI, ScalarEvolution &SE) {
  const Loop *L = LI.getLoopFor(Store.getParent());
  if (!L)
    return {nullptr, SPECRT_CARRIED_OTHER};
  const SCEV *Place = SE.getSCEV(const_cast<Value *>(Store.getPointerOperand()));
  for (const BasicBlock *Block : L->blocks())
    for (const Instruction &I : *Block) {
      const auto *Load = dyn_cast<LoadInst>(&I);
      if (!Load || Load->getType() != Store.getValueOperand()->getType() ||
          SE.getSCEV(const_cast<Value *>(Load->getPointerOperand())) != Place)
        continue;
      Chain Back(*Load, *L);
      if (Back.leadsBackFrom(*Store.getValueOperand()) && Back.isPrivate(&Store))
        return {Load, Back.role()};
    }
  return {nullptr, SPECRT_CARRIED_OTHER};
}

std::string nameOfMemory(const Value &Pointer) {
  const Value *Base = getUnderlyingObject(&Pointer);
  if (const auto *Load = dyn_cast<LoadInst>(Base)) {
    const std::string Rows = nameOfMemory(*Load->getPointerOperand());
    return Rows.empty() ? Rows : Rows + "[]";
  }
  return isa<Argument, GlobalVariable, AllocaInst>(Base) ? Base->getName().str() : "";
}

void setName(char (&To)[SPECRT_RECORDED_NAME_SIZE], StringRef Name) {
  // Suffixes as in "sum.039" or "A.coerce"; names in C contain no dot.
  const StringRef Given = Name.split('.').first;
  const size_t Length = std::min(Given.size(), sizeof(To) - 1);
  copy(Given.take_front(Length), To);
  To[Length] = 0;
}

} // namespace specrt
