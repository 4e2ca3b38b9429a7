//===- specializer/loops/conditional_variables.cpp - keeps carried variables in memory ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/conditional_variables.h"
#include "specializer/loops/accumulator.h"
#include "specializer/loops/loop_shape.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace specrt {
namespace {

/// A variable that a loop carries in a phi of its header. Its members are this phi and the phis and
/// selections through which its value may go to the next iteration. Each member changes the
/// variable at its place, to a new value, or keeps the value of the member before. In memory,
/// members become stores of the new values, and uses of members become loads.
class CarriedVariable {
public:
  CarriedVariable(PHINode &First, Loop &L, const LoopInfo &LI) : First(First), L(L), LI(LI) {}

  /// Returns whether the variable can be kept in memory, and an iteration may keep its value. Does
  /// not change the loop.
  bool canStore();
  /// Keeps the variable in memory. Requires that canStore() has returned true.
  void store(DominatorTree &DT, LoopInfo &Loops);

private:
  bool isMember(const Value *V) const {
    auto *I = const_cast<Instruction *>(dyn_cast<Instruction>(V));
    return I && Members.contains(I);
  }
  PHINode *memberIn(const BasicBlock &BB) const;
  Instruction *currentBefore(const Instruction &I) const;
  Instruction *currentAtEnd(const BasicBlock &BB) const {
    return currentBefore(*BB.getTerminator());
  }
  bool findMembers();
  bool findCurrent();
  bool isNewFor(const BasicBlock &From, const Value &New) const;
  bool isStorable(const PHINode &Member) const;
  bool isStorable(const SelectInst &Member) const;
  bool isLeft(const Instruction &User) const;
  bool isValueOf(const Use &Of) const;
  void loadUses(Instruction &Member, AllocaInst &Room) const;

  PHINode &First;
  Loop &L;
  const LoopInfo &LI;
  SmallSetVector<Instruction *, 4> Members;
  /// [block] The member whose value the variable has behind the phis; null if several reach it.
  DenseMap<const BasicBlock *, Instruction *> AtBegin;
};

SmallVector<Value *, 4> sourcesOf(const Instruction &Member) {
  if (const auto *Choice = dyn_cast<SelectInst>(&Member))
    return {const_cast<Value *>(Choice->getTrueValue()),
            const_cast<Value *>(Choice->getFalseValue())};
  const auto Incoming = cast<PHINode>(Member).incoming_values();
  return {Incoming.begin(), Incoming.end()};
}

PHINode *CarriedVariable::memberIn(const BasicBlock &BB) const {
  for (const PHINode &Phi : BB.phis())
    if (isMember(&Phi))
      return const_cast<PHINode *>(&Phi);
  return nullptr;
}

/// Returns the member whose value the variable has in front of \p I, which is not a phi; null if
/// several members reach \p I.
Instruction *CarriedVariable::currentBefore(const Instruction &I) const {
  for (const Instruction *Each = I.getPrevNode(); Each; Each = Each->getPrevNode())
    if (isMember(Each))
      return const_cast<Instruction *>(Each);
  return AtBegin.lookup(I.getParent());
}

/// Collects the members. Returns whether some iteration may keep the value.
bool CarriedVariable::findMembers() {
  SmallSetVector<Instruction *, 8> Passed;
  const auto Pass = [&](Value *V) {
    const auto *Phi = dyn_cast<PHINode>(V);
    const auto *Choice = dyn_cast<SelectInst>(V);
    const bool IsLocal = Phi && L.contains(Phi) && Phi->getParent() != L.getHeader();
    if (IsLocal ||
        (Choice && L.contains(Choice) && Choice->getCondition()->getType()->isIntegerTy(1)))
      Passed.insert(cast<Instruction>(V));
  };
  Pass(First.getIncomingValueForBlock(L.getLoopLatch()));
  for (size_t I = 0; I < Passed.size(); ++I)
    for (Value *V : sourcesOf(*Passed[I]))
      Pass(V);
  Members.insert(&First);
  for (size_t Before = 0; Before < Members.size();) {
    Before = Members.size();
    for (Instruction *Each : Passed)
      if (any_of(sourcesOf(*Each), [&](const Value *V) { return isMember(V); }))
        Members.insert(Each);
  }
  return Members.size() > 1;
}

/// Finds the member whose value the variable has at the beginning of each block. Returns false if
/// loops change the variable without a phi.
bool CarriedVariable::findCurrent() {
  for (const Instruction *Each : Members)
    if (isa<PHINode>(Each) && memberIn(*Each->getParent()) != Each)
      return false;
  LoopBlocksRPO Blocks(&L);
  Blocks.perform(&LI);
  for (const BasicBlock *BB : Blocks) {
    Instruction *Here = memberIn(*BB);
    if (!Here) {
      SmallPtrSet<Instruction *, 2> Before;
      for (const BasicBlock *From : predecessors(BB))
        if (AtBegin.contains(From))
          Before.insert(currentAtEnd(*From));
      Here = Before.size() == 1 ? *Before.begin() : nullptr;
    }
    AtBegin[BB] = Here;
  }
  return all_of(L.getLoopsInPreorder(), [&](const Loop *In) {
    return memberIn(*In->getHeader()) ||
           (In->getLoopLatch() &&
            currentAtEnd(*In->getLoopLatch()) == AtBegin.lookup(In->getHeader()));
  });
}

/// Returns whether the variable has the new value \p New on all edges out of \p From.
bool CarriedVariable::isNewFor(const BasicBlock &From, const Value &New) const {
  return all_of(successors(&From), [&](const BasicBlock *To) {
    const PHINode *Member = L.contains(To) ? memberIn(*To) : nullptr;
    return Member && Member->getIncomingValueForBlock(&From) == &New;
  });
}

bool CarriedVariable::isStorable(const PHINode &Member) const {
  for (const auto &[V, From] : zip_equal(Member.incoming_values(), Member.blocks()))
    if (isMember(V.get()) ? currentAtEnd(*From) != V.get()
                          : From != L.getLoopPreheader() && !isNewFor(*From, *V))
      return false;
  return true;
}

/// Returns whether one operand of \p Member is the variable's current value and the other one is
/// new.
bool CarriedVariable::isStorable(const SelectInst &Member) const {
  const Value *A = Member.getTrueValue(), *B = Member.getFalseValue();
  return isMember(A) != isMember(B) && currentBefore(Member) == (isMember(A) ? A : B);
}

/// Returns whether \p User, behind the loop, takes the last value.
bool CarriedVariable::isLeft(const Instruction &User) const {
  const auto *Phi = dyn_cast<PHINode>(&User);
  const BasicBlock *Latch = L.getLoopLatch();
  return Phi && Phi->getParent() == L.getExitBlock() && Phi->getNumIncomingValues() == 1 &&
         Phi->getIncomingBlock(0) == Latch && currentAtEnd(*Latch) == Phi->getIncomingValue(0);
}

bool CarriedVariable::canStore() {
  // The members before a block are known only if all ways to it come from blocks before it.
  if (!L.isLoopSimplifyForm() || !L.getExitBlock() || !isReducible(L, LI) || !findMembers() ||
      !findCurrent())
    return false;
  return all_of(Members, [&](const Instruction *Member) {
    const auto *Phi = dyn_cast<PHINode>(Member);
    return (Phi ? isStorable(*Phi) : isStorable(*cast<SelectInst>(Member))) &&
           all_of(Member->users(), [&](const User *U) {
             const auto *By = cast<Instruction>(U);
             return L.contains(By) || isLeft(*By);
           });
  });
}

/// Returns whether a member takes the value of \p Of, and does not merely decide by it.
bool CarriedVariable::isValueOf(const Use &Of) const {
  return isMember(Of.getUser()) && (isa<PHINode>(Of.getUser()) || Of.getOperandNo() != 0);
}

/// Loads the variable for each use of \p Member.
void CarriedVariable::loadUses(Instruction &Member, AllocaInst &Room) const {
  const auto LoadAt = [&](BasicBlock::iterator At) {
    return IRBuilder<>(At->getParent(), At).CreateLoad(Member.getType(), &Room);
  };
  const auto Behind = [&] {
    return isa<PHINode>(Member) ? Member.getParent()->getFirstInsertionPt()
                                : std::next(Member.getIterator());
  };
  for (Use &Of : make_early_inc_range(Member.uses())) {
    auto *By = cast<Instruction>(Of.getUser());
    if (isValueOf(Of))
      continue;
    if (!L.contains(By)) {
      By->replaceAllUsesWith(LoadAt(By->getParent()->getFirstInsertionPt()));
      By->eraseFromParent();
      continue;
    }
    auto *Phi = dyn_cast<PHINode>(By);
    Instruction *At = Phi ? Phi->getIncomingBlock(Of)->getTerminator() : By;
    Of.set(LoadAt(currentBefore(*At) == &Member ? At->getIterator() : Behind()));
  }
}

/// Inserts a branch in front of \p Choice that stores the value that is not kept.
void storeChoice(SelectInst &Choice, bool KeepsFirst, AllocaInst &Room, DominatorTree &DT,
                 LoopInfo &LI) {
  IRBuilder<> B(&Choice);
  Value *Changes = B.CreateFreeze(Choice.getCondition());
  if (KeepsFirst)
    Changes = B.CreateNot(Changes);
  DomTreeUpdater Updater(DT, DomTreeUpdater::UpdateStrategy::Eager);
  Instruction *Then = SplitBlockAndInsertIfThen(Changes, Choice.getIterator(),
                                                /*Unreachable=*/false, nullptr, &Updater, &LI);
  B.SetInsertPoint(Then);
  B.CreateStore(KeepsFirst ? Choice.getFalseValue() : Choice.getTrueValue(), &Room);
}

void CarriedVariable::store(DominatorTree &DT, LoopInfo &Loops) {
  BasicBlock &Entry = First.getFunction()->getEntryBlock();
  Type *T = First.getType();
  const StringRef Name = First.hasName() ? First.getName() : "a variable";
  auto *Room = IRBuilder<>(&Entry, Entry.begin()).CreateAlloca(T, nullptr, Name);
  for (Instruction *Member : Members)
    loadUses(*Member, *Room);
  SmallPtrSet<const BasicBlock *, 4> Stored;
  for (Instruction *Member : Members)
    if (const auto *Phi = dyn_cast<PHINode>(Member))
      for (const auto &[V, From] : zip_equal(Phi->incoming_values(), Phi->blocks()))
        if (!isMember(V.get()) && Stored.insert(From).second)
          IRBuilder<>(From->getTerminator()).CreateStore(V, Room);
  for (Instruction *Member : Members)
    if (auto *Choice = dyn_cast<SelectInst>(Member))
      storeChoice(*Choice, isMember(Choice->getTrueValue()), *Room, DT, Loops);
  for (Instruction *Member : Members)
    Member->replaceAllUsesWith(PoisonValue::get(T));
  for (Instruction *Member : Members)
    Member->eraseFromParent();
}

} // namespace

unsigned storeConditionalVariables(Loop &L, FunctionAnalysisManager &FAM) {
  Function &F = *L.getHeader()->getParent();
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  unsigned Count = 0;
  for (PHINode &Phi : make_early_inc_range(L.getHeader()->phis())) {
    if (counterOf(Phi, L, SE) || accumulatorOf(Phi, L))
      continue;
    CarriedVariable Variable(Phi, L, LI);
    if (!Variable.canStore())
      continue;
    SE.forgetLoop(&L);
    Variable.store(FAM.getResult<DominatorTreeAnalysis>(F), LI);
    ++Count;
  }
  return Count;
}

} // namespace specrt
