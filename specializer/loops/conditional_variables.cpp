//===- specializer/loops/conditional_variables.cpp - keeps carried variables in memory ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/conditional_variables.h"
#include "specializer/loops/accumulator.h"
#include "specializer/loops/loop_shape.h"
#include "llvm/ADT/PostOrderIterator.h"
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

/// The phis of one variable: the one in the header of a loop, and those through which its value
/// goes to the next iteration. Each of these changes the variable at its place, to a new value or
/// to the one of the phi before. Uses of a phi load the variable.
class CarriedVariable {
public:
  CarriedVariable(PHINode &First, Loop &L, const LoopInfo &LI) : First(First), L(L), LI(LI) {
    Members.insert(&First);
  }

  /// Returns whether the variable can be kept in memory, and an iteration may keep its value.
  bool canStore();
  void store();

private:
  bool isMember(const Value *V) const {
    const auto *Phi = dyn_cast<PHINode>(V);
    return Phi && Members.contains(const_cast<PHINode *>(Phi));
  }
  PHINode *memberIn(const BasicBlock &BB) const;
  bool findMembers();
  bool findCurrent();
  bool isNewFor(const BasicBlock &From, const Value &New) const;
  bool isLeft(const Instruction &User) const;

  PHINode &First;
  Loop &L;
  const LoopInfo &LI;
  SmallSetVector<PHINode *, 4> Members;
  /// [block] The phi whose value the variable has in it; null if that is not one phi.
  DenseMap<const BasicBlock *, PHINode *> Current;
};

PHINode *CarriedVariable::memberIn(const BasicBlock &BB) const {
  const auto At = find_if(Members, [&](const PHINode *Each) { return Each->getParent() == &BB; });
  return At == Members.end() ? nullptr : *At;
}

/// Collects the phis. Returns whether some iteration may keep the value.
bool CarriedVariable::findMembers() {
  if (!isa<PHINode>(First.getIncomingValueForBlock(L.getLoopLatch())))
    return false;
  bool MayKeep = false;
  for (size_t I = 0; I < Members.size(); ++I)
    for (Value *V : Members[I]->incoming_values())
      if (auto *Phi = dyn_cast<PHINode>(V); Phi && L.contains(Phi)) {
        if (Phi->getParent() == L.getHeader() && Phi != &First)
          continue; // another variable
        MayKeep |= I > 0 && (Members.contains(Phi));
        Members.insert(Phi);
      }
  return MayKeep;
}

/// Finds the phi whose value the variable has in each block. Returns false if loops change the
/// variable without a phi.
bool CarriedVariable::findCurrent() {
  for (const PHINode *A : Members)
    if (memberIn(*A->getParent()) != A)
      return false;
  LoopBlocksRPO Blocks(&L);
  Blocks.perform(&LI);
  for (const BasicBlock *BB : Blocks) {
    PHINode *Here = memberIn(*BB);
    if (!Here) {
      SmallPtrSet<PHINode *, 2> Before;
      for (const BasicBlock *From : predecessors(BB))
        if (const auto At = Current.find(From); At != Current.end())
          Before.insert(At->second);
      Here = Before.size() == 1 ? *Before.begin() : nullptr;
    }
    Current[BB] = Here;
  }
  return all_of(L.getLoopsInPreorder(), [&](const Loop *In) {
    return memberIn(*In->getHeader()) ||
           (In->getLoopLatch() &&
            Current.lookup(In->getLoopLatch()) == Current.lookup(In->getHeader()));
  });
}

/// Returns whether the variable gets the value \p New on all ways out of \p From.
bool CarriedVariable::isNewFor(const BasicBlock &From, const Value &New) const {
  return all_of(successors(&From), [&](const BasicBlock *To) {
    const PHINode *Member = L.contains(To) ? memberIn(*To) : nullptr;
    return Member && Member->getIncomingValueForBlock(&From) == &New;
  });
}

/// Returns whether \p User, behind the loop, takes the last value.
bool CarriedVariable::isLeft(const Instruction &User) const {
  const auto *Phi = dyn_cast<PHINode>(&User);
  const BasicBlock *Latch = L.getLoopLatch();
  return Phi && Phi->getParent() == L.getExitBlock() && Phi->getNumIncomingValues() == 1 &&
         Phi->getIncomingBlock(0) == Latch && Current.lookup(Latch) == Phi->getIncomingValue(0);
}

bool CarriedVariable::canStore() {
  if (!L.isLoopSimplifyForm() || !L.getExitBlock() || !findMembers() || !findCurrent())
    return false;
  return all_of(Members, [&](const PHINode *Member) {
    for (const auto &[V, From] : zip_equal(Member->incoming_values(), Member->blocks()))
      if (isMember(V.get()) ? Current.lookup(From) != V.get()
                            : From != L.getLoopPreheader() && !isNewFor(*From, *V))
        return false;
    return all_of(Member->users(), [&](const User *U) {
      const auto *By = cast<Instruction>(U);
      return L.contains(By) || isLeft(*By);
    });
  });
}

void CarriedVariable::store() {
  BasicBlock &Entry = First.getFunction()->getEntryBlock();
  Type *T = First.getType();
  const StringRef Name = First.hasName() ? First.getName() : "a variable";
  auto *Room = IRBuilder<>(&Entry, Entry.begin()).CreateAlloca(T, nullptr, Name);
  const auto LoadAt = [&](BasicBlock::iterator At) {
    return IRBuilder<>(At->getParent(), At).CreateLoad(T, Room);
  };
  for (PHINode *Member : Members)
    for (Use &Of : make_early_inc_range(Member->uses())) {
      auto *By = cast<Instruction>(Of.getUser());
      if (isMember(By))
        continue;
      auto *Phi = dyn_cast<PHINode>(By);
      if (!L.contains(By)) {
        By->replaceAllUsesWith(LoadAt(By->getParent()->getFirstInsertionPt()));
        By->eraseFromParent();
        continue;
      }
      Instruction *At = Phi ? Phi->getIncomingBlock(Of)->getTerminator() : By;
      if (Current.lookup(At->getParent()) == Member)
        Of.set(LoadAt(At->getIterator()));
      else
        Of.set(LoadAt(Member->getParent()->getFirstInsertionPt()));
    }
  SmallPtrSet<const BasicBlock *, 4> Stored;
  for (PHINode *Member : Members)
    for (const auto &[V, From] : zip_equal(Member->incoming_values(), Member->blocks()))
      if (!isMember(V.get()) && Stored.insert(From).second)
        IRBuilder<>(From->getTerminator()).CreateStore(V, Room);
  for (PHINode *Member : Members)
    Member->replaceAllUsesWith(PoisonValue::get(T));
  for (PHINode *Member : Members)
    Member->eraseFromParent();
}

/// Makes \p Choice, which may keep one of its values, a branch to a new block that takes the other
/// value.
void branchInstead(SelectInst &Choice, bool KeepsFirst, DominatorTree &DT, LoopInfo &LI) {
  IRBuilder<> B(&Choice);
  Value *Changes = B.CreateFreeze(Choice.getCondition());
  if (KeepsFirst)
    Changes = B.CreateNot(Changes);
  BasicBlock *const Before = Choice.getParent();
  DomTreeUpdater Updater(DT, DomTreeUpdater::UpdateStrategy::Eager);
  Instruction *Then = SplitBlockAndInsertIfThen(Changes, Choice.getIterator(),
                                                /*Unreachable=*/false, nullptr, &Updater, &LI);
  Value *Kept = KeepsFirst ? Choice.getTrueValue() : Choice.getFalseValue();
  Value *New = KeepsFirst ? Choice.getFalseValue() : Choice.getTrueValue();
  PHINode *Merged = PHINode::Create(Choice.getType(), 2, "", Choice.getParent()->begin());
  Merged->addIncoming(Kept, Before);
  Merged->addIncoming(New, Then->getParent());
  Merged->setDebugLoc(Choice.getDebugLoc());
  Choice.replaceAllUsesWith(Merged);
  Choice.eraseFromParent();
}

/// Makes branches of the selections through which the value of \p First may go to the next
/// iteration.
void branchForValuesOf(PHINode &First, const Loop &L, DominatorTree &DT, LoopInfo &LI) {
  SmallSetVector<Value *, 8> Passed;
  Passed.insert(First.getIncomingValueForBlock(L.getLoopLatch()));
  SmallVector<SelectInst *, 4> Choices;
  for (size_t I = 0; I < Passed.size(); ++I) {
    auto *By = dyn_cast<Instruction>(Passed[I]);
    if (!By || !L.contains(By) || By == &First)
      continue;
    if (auto *Choice = dyn_cast<SelectInst>(By)) {
      Choices.push_back(Choice);
      Passed.insert(Choice->getTrueValue());
      Passed.insert(Choice->getFalseValue());
    } else if (auto *Phi = dyn_cast<PHINode>(By); Phi && Phi->getParent() != L.getHeader()) {
      Passed.insert(Phi->value_op_begin(), Phi->value_op_end());
    }
  }
  const auto Keeps = [&](const Value *V) {
    return V == &First || (isa<SelectInst, PHINode>(V) && L.contains(cast<Instruction>(V)));
  };
  if (!Passed.contains(&First))
    return;
  for (SelectInst *Choice : Choices)
    if (Choice->getCondition()->getType()->isIntegerTy(1) &&
        (Keeps(Choice->getTrueValue()) || Keeps(Choice->getFalseValue())))
      branchInstead(*Choice, !Keeps(Choice->getFalseValue()), DT, LI);
}

} // namespace

unsigned storeConditionalVariables(Loop &L, FunctionAnalysisManager &FAM) {
  Function &F = *L.getHeader()->getParent();
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  unsigned Count = 0;
  for (PHINode &Phi : make_early_inc_range(L.getHeader()->phis())) {
    if (counterOf(Phi, L, SE) || accumulatorOf(Phi, L))
      continue;
    SE.forgetLoop(&L);
    branchForValuesOf(Phi, L, FAM.getResult<DominatorTreeAnalysis>(F),
                      FAM.getResult<LoopAnalysis>(F));
    CarriedVariable Variable(Phi, L, FAM.getResult<LoopAnalysis>(F));
    if (!Variable.canStore())
      continue;
    Variable.store();
    ++Count;
  }
  return Count;
}

} // namespace specrt
