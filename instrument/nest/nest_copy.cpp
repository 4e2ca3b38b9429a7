//===- instrument/nest/nest_copy.cpp - a second copy of a loop nest -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/nest/nest_copy.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

#include <algorithm>

using namespace llvm;

namespace specrt {

// ScalarEvolution follows the same way to a loop when it looks for conditions.
SmallVector<AssumeInst *> assumeGuards(const BasicBlock &Before, BasicBlock &Where,
                                       const LoopInfo &LI, AssumptionCache &AC) {
  SmallVector<AssumeInst *> Guards;
  IRBuilder<> At(&Where, Where.getFirstInsertionPt());
  const BasicBlock *To = &Before;
  for (;;) {
    const Loop *Begun = LI.getLoopFor(To);
    const bool IsHeader = Begun && Begun->getHeader() == To;
    const BasicBlock *From = IsHeader ? Begun->getLoopPredecessor() : To->getSinglePredecessor();
    if (!From)
      return Guards;
    const auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
    const bool Decides =
        Branch && Branch->isConditional() && Branch->getSuccessor(0) != Branch->getSuccessor(1);
    if (auto *Test = Decides ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr) {
      const bool IsTrue = Branch->getSuccessor(0) == To;
      Value *Holds = IsTrue ? Test
                            : At.CreateICmp(Test->getInversePredicate(), Test->getOperand(0),
                                            Test->getOperand(1));
      Guards.push_back(cast<AssumeInst>(At.CreateAssumption(Holds)));
      AC.registerAssumption(Guards.back());
    }
    To = From;
  }
}

class NestCopy::Builder {
public:
  Builder(NestCopy &Copy, ArrayRef<BasicBlock *> Nest, const DominatorTree &DT, AssumptionCache &AC,
          const LoopInfo &LI)
      : Copy(Copy), Nest(Nest.begin(), Nest.end()), Before(*Nest.front()->getSinglePredecessor()),
        DT(DT), AC(AC), LI(LI) {}

  void copyStackMemory();
  void copyBlocks();
  void choose();
  void joinResults();

private:
  bool isInside(const Instruction &I) const {
    return Nest.contains(const_cast<BasicBlock *>(I.getParent()));
  }
  bool addUsers(Instruction &Address, SmallSetVector<Instruction *, 8> &Found) const;
  bool isFreshAtEntry(ArrayRef<Instruction *> Users) const;
  void copyOutside(ArrayRef<Instruction *> Originals);
  void join(PHINode &Phi, BasicBlock &Rest);
  bool dominatesLoop(const BasicBlock &Rest) const;

  NestCopy &Copy;
  const SmallSetVector<BasicBlock *, 16> Nest;
  BasicBlock &Before;
  const DominatorTree &DT;
  AssumptionCache &AC;
  const LoopInfo &LI;
  ValueToValueMapTy Map;
};

/// Adds \p Address and what outside of the nest only serves it there: addresses computed from it,
/// and lifetime markers. False when something else uses one of these.
bool NestCopy::Builder::addUsers(Instruction &Address,
                                 SmallSetVector<Instruction *, 8> &Found) const {
  Found.insert(&Address);
  return all_of(Address.users(), [&](User *U) {
    auto &I = *cast<Instruction>(U);
    if (isInside(I))
      return true;
    if (I.isLifetimeStartOrEnd()) {
      Found.insert(&I);
      return true;
    }
    return isa<GetElementPtrInst>(I) && addUsers(I, Found);
  });
}

/// Does stack memory with these \p Users outside of the nest contain nothing whenever the nest
/// begins? What one execution of the nest leaves there must not be what the next one finds.
bool NestCopy::Builder::isFreshAtEntry(ArrayRef<Instruction *> Users) const {
  const Loop *Around = LI.getLoopFor(&Before);
  if (!Around)
    return true;
  const auto IsStart = [](const Instruction *I) {
    const auto *Marker = dyn_cast<IntrinsicInst>(I);
    return Marker && Marker->getIntrinsicID() == Intrinsic::lifetime_start;
  };
  const auto *Memory = cast<AllocaInst>(Users.front());
  return any_of(Memory->users(), [&](const User *U) {
    const auto *I = cast<Instruction>(U);
    return IsStart(I) && (isInside(*I) || (LI.getLoopFor(I->getParent()) == Around &&
                                           DT.dominates(I, Before.getTerminator())));
  });
}

void NestCopy::Builder::copyOutside(ArrayRef<Instruction *> Originals) {
  for (Instruction *I : Originals) {
    Instruction *Clone = I->clone();
    Clone->insertAfter(I->getIterator());
    Clone->setName(I->getName());
    RemapInstruction(Clone, Map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    Map[I] = Clone;
    Copy.Outside.push_back(Clone);
  }
}

void NestCopy::Builder::copyStackMemory() {
  SmallVector<SmallSetVector<Instruction *, 8>> Private;
  for (Instruction &I : Before.getParent()->getEntryBlock()) {
    const auto *Memory = dyn_cast<AllocaInst>(&I);
    SmallSetVector<Instruction *, 8> Users;
    if (Memory && Memory->isStaticAlloca() && !Memory->use_empty() && addUsers(I, Users) &&
        isFreshAtEntry(Users.getArrayRef()))
      Private.push_back(std::move(Users));
  }
  for (const auto &Users : Private)
    copyOutside(Users.getArrayRef());
}

void NestCopy::Builder::copyBlocks() {
  Function &F = *Before.getParent();
  for (BasicBlock *Block : Nest) {
    BasicBlock *Clone = CloneBasicBlock(Block, Map, ".copy", &F, nullptr, /*MapAtoms=*/false);
    Map[Block] = Clone;
    Copy.Blocks.push_back(Clone);
  }
  remapInstructionsInBlocks(Copy.Blocks, Map);
  // A function must not refer to assignments of another one.
  DenseMap<DIAssignID *, DIAssignID *> Assignments;
  for (Instruction *I : Copy.Outside)
    at::remapAssignID(Assignments, *I);
  for (BasicBlock *Block : Copy.Blocks)
    for (Instruction &I : *Block)
      at::remapAssignID(Assignments, I);
}

void NestCopy::Builder::choose() {
  auto *Jump = cast<BranchInst>(Before.getTerminator());
  LLVMContext &Context = Before.getContext();
  Copy.Choice = BranchInst::Create(Nest.front(), Copy.Blocks.front(), ConstantInt::getTrue(Context),
                                   Jump->getIterator());
  Copy.Choice->setDebugLoc(Jump->getDebugLoc());
  Copy.Choice->setMetadata(LLVMContext::MD_prof, MDBuilder(Context).createLikelyBranchWeights());
  Jump->eraseFromParent();
}

void NestCopy::Builder::join(PHINode &Phi, BasicBlock &Rest) {
  PHINode *Both = PHINode::Create(Phi.getType(), 2, Phi.getName(), Rest.begin());
  Both->setDebugLoc(Phi.getDebugLoc());
  const auto IsOutside = [&](const Use &U) { return !isInside(*cast<Instruction>(U.getUser())); };
  Phi.replaceUsesWithIf(Both, IsOutside);
  SmallVector<DbgVariableRecord *> Records;
  findDbgUsers(&Phi, Records);
  for (DbgVariableRecord *Record : Records)
    if (!Nest.contains(Record->getParent()))
      Record->replaceVariableLocationOp(&Phi, Both);
  auto *Other = cast<PHINode>(Map.lookup(&Phi));
  Both->addIncoming(&Phi, Phi.getParent());
  Both->addIncoming(Other, Other->getParent());
  Copy.Joined.push_back(Both);
}

bool NestCopy::Builder::dominatesLoop(const BasicBlock &Rest) const {
  return any_of(LI.getLoopsInPreorder(),
                [&](const Loop *L) { return DT.dominates(&Rest, L->getHeader()); });
}

void NestCopy::Builder::joinResults() {
  for (BasicBlock *Exit : Nest) {
    BasicBlock *Rest = Exit->getSingleSuccessor();
    if (!Rest || Nest.contains(Rest))
      continue;
    for (PHINode &Phi : Exit->phis())
      if (any_of(Phi.users(), [&](const User *U) { return !isInside(*cast<Instruction>(U)); }))
        join(Phi, *Rest);
    if (dominatesLoop(*Rest))
      append_range(Copy.Guards, assumeGuards(Before, *Rest, LI, AC));
  }
}

NestCopy::NestCopy(ArrayRef<BasicBlock *> Nest, DominatorTree &DT, AssumptionCache &AC,
                   const LoopInfo &LI) {
  Builder Make(*this, Nest, DT, AC, LI);
  Make.copyStackMemory();
  Make.copyBlocks();
  Make.choose();
  Make.joinResults();
  DT.recalculate(*Choice->getFunction());
}

namespace {

/// Loads of one address and type.
struct InvariantLoads {
  SmallVector<LoadInst *> All;
};

} // namespace

/// Pointers shape what is known of arrays, integers what is known of loops.
constexpr unsigned NumRanks = 3;
static unsigned rankOf(const Type &T) { return T.isPointerTy() ? 0 : T.isIntegerTy() ? 1 : 2; }

/// Returns whether \p V is known in front of \p Blocks, or can be computed there from what is:
/// their first block has only instructions that compute inputs.
static bool isKnownBefore(const Value *V, ArrayRef<BasicBlock *> Blocks) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !is_contained(Blocks, I->getParent()))
    return true;
  return I->getParent() == Blocks.front() && !I->mayReadOrWriteMemory() && !isa<PHINode>(I) &&
         all_of(I->operands(), [&](const Use &U) { return isKnownBefore(U.get(), Blocks); });
}

/// Returns \p V, or a copy of what computes it at the end of \p Before. isKnownBefore() holds.
static Value *computeBefore(Value *V, ArrayRef<BasicBlock *> Blocks, BasicBlock &Before) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !is_contained(Blocks, I->getParent()))
    return V;
  Instruction *Copy = I->clone();
  for (Use &Operand : Copy->operands())
    Operand.set(computeBefore(Operand.get(), Blocks, Before));
  Copy->insertBefore(Before.getTerminator()->getIterator());
  return Copy;
}

/// Returns the loads in \p Blocks of addresses from outside that may be read at any time, and that
/// nothing in \p Blocks changes; those of one address together.
static SmallVector<InvariantLoads> invariantLoads(ArrayRef<BasicBlock *> Blocks, AAResults &AA,
                                                  function_ref<bool(Type *)> CanPass) {
  SmallVector<Instruction *> Writes;
  MapVector<std::pair<const Value *, Type *>, InvariantLoads> Found;
  for (BasicBlock *Block : Blocks)
    for (Instruction &I : *Block) {
      if (I.mayWriteToMemory())
        Writes.push_back(&I);
      auto *Load = dyn_cast<LoadInst>(&I);
      if (Load && Load->isSimple() && CanPass(Load->getType()) &&
          isKnownBefore(Load->getPointerOperand(), Blocks) &&
          isSafeToLoadUnconditionally(Load->getPointerOperand(), Load->getType(), Load->getAlign(),
                                      Load->getDataLayout(), nullptr))
        Found[{Load->getPointerOperand(), Load->getType()}].All.push_back(Load);
    }
  BatchAAResults Batch(AA);
  const auto IsChanged = [&](const MemoryLocation &Place) {
    return any_of(Writes, [&](Instruction *I) { return isModSet(Batch.getModRefInfo(I, Place)); });
  };
  SmallVector<InvariantLoads> Invariant;
  for (unsigned Rank = 0; Rank < NumRanks; ++Rank)
    for (auto &[Key, Loads] : Found)
      if (rankOf(*Key.second) == Rank && !IsChanged(MemoryLocation::get(Loads.All.front())))
        Invariant.push_back(std::move(Loads));
  return Invariant;
}

/// Returns how many values \p Blocks use that are defined outside.
static unsigned countInputs(ArrayRef<BasicBlock *> Blocks) {
  const SmallPtrSet<const BasicBlock *, 16> Inside(Blocks.begin(), Blocks.end());
  SmallPtrSet<const Value *, 32> Inputs;
  for (const BasicBlock *Block : Blocks)
    for (const Instruction &I : *Block)
      for (const Value *Operand : I.operand_values()) {
        const auto *Source = dyn_cast<Instruction>(Operand);
        if (isa<Argument>(Operand) || (Source && !Inside.contains(Source->getParent())))
          Inputs.insert(Operand);
      }
  return Inputs.size();
}

void NestCopy::hoistLoads(AAResults &AA, DominatorTree &DT, unsigned MaxInputs,
                          function_ref<bool(Type *)> CanPass) {
  SmallVector<InvariantLoads> Invariant = invariantLoads(Blocks, AA, CanPass);
  const size_t Used = countInputs(Blocks) + Joined.size();
  Invariant.resize(
      std::min<size_t>(Invariant.size(), MaxInputs - std::min<size_t>(Used, MaxInputs)));
  if (Invariant.empty())
    return;
  BasicBlock *const Entry = Blocks.front();
  Before = BasicBlock::Create(Entry->getContext(), "inputs", Entry->getParent(), Entry);
  Choice->replaceSuccessorWith(Entry, Before);
  BranchInst::Create(Entry, Before)->setDebugLoc(Choice->getDebugLoc());
  for (const InvariantLoads &Same : Invariant) {
    LoadInst *const First = Same.All.front();
    First->setOperand(0, computeBefore(First->getPointerOperand(), Blocks, *Before));
    First->moveBefore(Before->getTerminator()->getIterator());
    First->dropUBImplyingAttrsAndMetadata();
    for (LoadInst *Other : drop_begin(Same.All)) {
      Other->replaceAllUsesWith(First);
      Other->eraseFromParent();
    }
    Hoisted.push_back(First);
  }
  DT.recalculate(*Choice->getFunction());
}

void NestCopy::remove(DominatorTree &DT, AssumptionCache &AC) {
  for (AssumeInst *Guard : Guards) {
    AC.unregisterAssumption(Guard);
    Value *Holds = Guard->getArgOperand(0);
    Guard->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructions(Holds);
  }
  for (PHINode *Both : Joined) {
    Both->replaceAllUsesWith(Both->getIncomingValue(0));
    Both->eraseFromParent();
  }
  BranchInst *Jump = BranchInst::Create(Choice->getSuccessor(0), Choice->getIterator());
  Jump->setDebugLoc(Choice->getDebugLoc());
  Function &F = *Choice->getFunction();
  Choice->eraseFromParent();
  if (Before)
    Blocks.push_back(Before);
  DeleteDeadBlocks(Blocks);
  for (Instruction *I : reverse(Outside))
    I->eraseFromParent();
  DT.recalculate(F);
}

} // namespace specrt
