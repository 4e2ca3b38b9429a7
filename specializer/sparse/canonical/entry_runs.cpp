//===- specializer/sparse/canonical/entry_runs.cpp - cuts loops over entries into row runs ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/canonical/entry_runs.h"
#include "specializer/loops/loop_shape.h"
#include "specrt/rows.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <cstddef>
#include <optional>

using namespace llvm;

namespace specrt {
namespace {

constexpr const char *CutName = "specrt.runs";

/// A loop over entries.
struct EntryLoop {
  Loop *L;
  const SCEV *Entries; ///< number of entries, an i64
  const SCEV *Names;   ///< address of the first row number
  unsigned NameBytes;  ///< size of a row number
  /// All phis of its header, and their steps per entry.
  SmallVector<std::pair<PHINode *, APInt>> Counters;
};

/// Inspects one loop.
class EntryFinder {
public:
  EntryFinder(Loop &L, const DominatorTree &DT, ScalarEvolution &SE) : L(L), DT(DT), SE(SE) {}

  std::optional<EntryLoop> find();

private:
  bool staysAround(const SCEV *S) const;
  bool hasShape(const SCEV *Trips) const;
  const LoadInst *indexBehind(Value &Pointer) const;
  const SCEVAddRecExpr *placesOf(const LoadInst &Index) const;
  bool isReadBefore(const StoreInst &Store) const;

  Loop &L;
  const DominatorTree &DT;
  ScalarEvolution &SE;
};

/// Returns whether \p S is invariant in the loops around. In a loop over rows, the entries change
/// with the row.
bool EntryFinder::staysAround(const SCEV *S) const {
  for (const Loop *Around = L.getParentLoop(); Around; Around = Around->getParentLoop())
    if (!SE.isLoopInvariant(S, Around))
      return false;
  return true;
}

/// Returns whether the loop only carries counters and accesses memory.
bool EntryFinder::hasShape(const SCEV *Trips) const {
  if (!Trips || !isKnownBefore(L, Trips, SE) || !staysAround(Trips) ||
      !isa<BranchInst>(L.getLoopLatch()->getTerminator()))
    return false;
  const auto Counts = [&](PHINode &Phi) {
    const SCEVAddRecExpr *Counter = counterOf(Phi, L, SE);
    return Counter && isa<SCEVConstant>(Counter->getStepRecurrence(SE)) &&
           SE.getTypeSizeInBits(Phi.getType()) == 64;
  };
  if (!all_of(L.getHeader()->phis(), Counts))
    return false;
  const auto Stays = [&](const Instruction &I) {
    return !I.isVolatile() && !I.isAtomic() && (!isa<CallBase>(I) || isa<IntrinsicInst>(I)) &&
           isGuaranteedToTransferExecutionToSuccessor(&I) &&
           all_of(I.users(), [&](const User *U) { return L.contains(cast<Instruction>(U)); });
  };
  return all_of(L.blocks(), [&](const BasicBlock *BB) { return all_of(*BB, Stays); });
}

/// Returns the load in the loop that determines where \p Pointer points; null if there is none or
/// more than one.
const LoadInst *EntryFinder::indexBehind(Value &Pointer) const {
  SmallSetVector<const Value *, 8> Work;
  Work.insert(&Pointer);
  const LoadInst *Index = nullptr;
  for (unsigned I = 0; I < Work.size(); ++I) {
    const auto *Step = dyn_cast<Instruction>(Work[I]);
    if (!Step || !L.contains(Step))
      continue;
    if (const auto *Load = dyn_cast<LoadInst>(Step)) {
      if (Index)
        return nullptr;
      Index = Load;
    } else if (isa<BinaryOperator, CastInst, GetElementPtrInst>(Step)) {
      Work.insert_range(Step->operand_values());
    } else {
      return nullptr;
    }
  }
  return Index;
}

/// Returns the addresses that \p Index reads if it reads consecutive elements; otherwise null.
const SCEVAddRecExpr *EntryFinder::placesOf(const LoadInst &Index) const {
  if (!Index.getType()->isIntegerTy() || Index.getPointerAddressSpace() != 0 ||
      !DT.dominates(Index.getParent(), L.getLoopLatch()))
    return nullptr;
  const unsigned Bits = Index.getType()->getIntegerBitWidth();
  if ((Bits != 32 && Bits != 64) || Index.getAlign() < Align(Bits / 8))
    return nullptr;
  const auto *Places =
      dyn_cast<SCEVAddRecExpr>(SE.getSCEV(const_cast<Value *>(Index.getPointerOperand())));
  if (!Places || Places->getLoop() != &L || !Places->isAffine() ||
      !isKnownBefore(L, Places->getStart(), SE) || !staysAround(Places->getStart()))
    return nullptr;
  const auto *Step = dyn_cast<SCEVConstant>(Places->getStepRecurrence(SE));
  return Step && Step->getAPInt() == Bits / 8 ? Places : nullptr;
}

bool EntryFinder::isReadBefore(const StoreInst &Store) const {
  return any_of(Store.getPointerOperand()->users(), [&](const User *U) {
    const auto *Load = dyn_cast<LoadInst>(U);
    return Load && L.contains(Load) && DT.dominates(Load, &Store);
  });
}

std::optional<EntryLoop> EntryFinder::find() {
  const SCEV *Trips =
      L.isInnermost() && !getBooleanLoopAttribute(&L, CutName) ? tripsOf(L, SE) : nullptr;
  if (!hasShape(Trips))
    return std::nullopt;
  SmallSetVector<const LoadInst *, 4> Indices;
  const LoadInst *Row = nullptr;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      Value *Pointer = getLoadStorePointerOperand(&I);
      const LoadInst *Index = Pointer ? indexBehind(*Pointer) : nullptr;
      if (!Index || !placesOf(*Index))
        continue;
      Indices.insert(Index);
      if (const auto *Store = dyn_cast<StoreInst>(&I); Store && !Row && isReadBefore(*Store))
        Row = Index;
    }
  if (!Row || Indices.size() < 2)
    return std::nullopt;
  EntryLoop Found{.L = &L,
                  .Entries = Trips,
                  .Names = placesOf(*Row)->getStart(),
                  .NameBytes = unsigned(SE.getTypeSizeInBits(Row->getType()) / 8),
                  .Counters = {}};
  for (PHINode &Phi : L.getHeader()->phis())
    Found.Counters.emplace_back(
        &Phi, cast<SCEVConstant>(counterOf(Phi, L, SE)->getStepRecurrence(SE))->getAPInt());
  return Found;
}

/// Turns a loop into two.
class Cutter {
public:
  Cutter(const EntryLoop &Of, ScalarEvolution &SE)
      : Of(Of), L(*Of.L), SE(SE), F(*L.getHeader()->getParent()), Context(F.getContext()),
        Word(Type::getInt64Ty(Context)) {}

  void cut() {
    askForRuns();
    addOuterLoop();
    countEntries();
    addStringMetadataToLoop(&L, CutName, 1);
  }

private:
  void askForRuns();
  void addOuterLoop();
  void countEntries();
  Value *startOf(IRBuilderBase &B, Value *Run) {
    return B.CreateLoad(Word, B.CreateGEP(Word, Starts, Run));
  }

  const EntryLoop &Of;
  Loop &L;
  ScalarEvolution &SE;
  Function &F;
  LLVMContext &Context;
  Type *const Word;
  Value *Runs = nullptr, *Starts = nullptr; ///< number of runs, and begin of the first one
  Value *Begin = nullptr, *End = nullptr;   ///< begin and end of the current run
  BasicBlock *Outer = nullptr, *Next = nullptr, *Over = nullptr;
};

void Cutter::askForRuns() {
  static_assert(offsetof(specrt_entry_runs, starts) == 8);
  Instruction *Before = L.getLoopPreheader()->getTerminator();
  SCEVExpander Expander(SE, "runs");
  IRBuilder<> B(Before);
  Value *Names = Expander.expandCodeFor(Of.Names, B.getPtrTy(), Before);
  Value *Entries = Expander.expandCodeFor(Of.Entries, Word, Before);
  auto *Own =
      IRBuilder<>(&F.getEntryBlock(), F.getEntryBlock().begin())
          .CreateAlloca(ArrayType::get(Word, sizeof(specrt_entry_runs) / 8), nullptr, "own");
  Module &M = *F.getParent();
  CallInst *Found =
      B.CreateCall(M.getOrInsertFunction(SPECRT_ENTRY_RUNS_BEGIN, B.getPtrTy(), B.getPtrTy(), Word,
                                         B.getInt32Ty(), B.getPtrTy()),
                   {Names, Entries, B.getInt32(Of.NameBytes), Own});
  Found->setDoesNotThrow();
  Over = BasicBlock::Create(Context, "runs.over", &F, L.getExitBlock());
  IRBuilder<> AtEnd(Over);
  CallInst *End = AtEnd.CreateCall(
      M.getOrInsertFunction(SPECRT_ENTRY_RUNS_END, B.getVoidTy(), B.getPtrTy(), B.getPtrTy()),
      {Found, Own});
  End->setDoesNotThrow();
  AtEnd.CreateBr(L.getExitBlock());
  Runs = B.CreateLoad(Word, Found, "runs");
  Starts = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Found, offsetof(specrt_entry_runs, starts));
}

void Cutter::addOuterLoop() {
  BasicBlock *Before = L.getLoopPreheader(), *Header = L.getHeader(), *Latch = L.getLoopLatch(),
             *Exit = L.getExitBlock();
  Outer = BasicBlock::Create(Context, "run", &F, Header);
  Next = BasicBlock::Create(Context, "run.next", &F, Exit);
  Before->getTerminator()->replaceSuccessorWith(Header, Outer);
  IRBuilder<> B(Outer);
  PHINode *Run = B.CreatePHI(Word, 2, "run");
  Run->addIncoming(B.getInt64(0), Before);
  Begin = startOf(B, Run);
  Value *After = B.CreateAdd(Run, B.getInt64(1), "", /*HasNUW=*/true, /*HasNSW=*/true);
  End = startOf(B, After);
  B.CreateBr(Header);
  Header->replacePhiUsesWith(Before, Outer);
  B.SetInsertPoint(Next);
  Run->addIncoming(After, Next);
  B.CreateCondBr(B.CreateICmpEQ(After, Runs), Over, Outer);
  Exit->replacePhiUsesWith(Latch, Over);
}

/// Recomputes all counters of the loop from the number of the entry.
void Cutter::countEntries() {
  BasicBlock *Header = L.getHeader(), *Latch = L.getLoopLatch();
  IRBuilder<> B(Header, Header->begin());
  PHINode *Entry = B.CreatePHI(Word, 2, "entry");
  Entry->addIncoming(Begin, Outer);
  B.SetInsertPoint(Header, Header->getFirstInsertionPt());
  for (const auto &[Phi, Step] : Of.Counters) {
    Value *Start = Phi->getIncomingValueForBlock(Outer);
    Value *By = B.CreateMul(Entry, ConstantInt::get(Word, Step));
    Value *New = Phi->getType()->isPointerTy() ? B.CreateGEP(B.getInt8Ty(), Start, By)
                                               : B.CreateAdd(Start, By);
    Phi->replaceAllUsesWith(New);
  }
  auto *Branch = cast<BranchInst>(Latch->getTerminator());
  B.SetInsertPoint(Branch);
  Value *After = B.CreateAdd(Entry, B.getInt64(1), "", /*HasNUW=*/true, /*HasNSW=*/true);
  Entry->addIncoming(After, Latch);
  Value *Condition = Branch->getCondition();
  B.CreateCondBr(B.CreateICmpEQ(After, End), Next, Header);
  Branch->eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(Condition);
  for (const auto &[Phi, Step] : Of.Counters)
    RecursivelyDeleteDeadPHINode(Phi);
}

} // namespace

bool cutIntoRuns(Function &F, FunctionAnalysisManager &FAM) {
  const LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  const auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  for (Loop *L : LI.getLoopsInPreorder())
    if (const std::optional<EntryLoop> Found = EntryFinder(*L, DT, SE).find()) {
      Cutter(*Found, SE).cut();
      FAM.invalidate(F, PreservedAnalyses::none());
      return true;
    }
  return false;
}

bool isOverRuns(const Loop &L) {
  return any_of(L, [](const Loop *Inner) { return getBooleanLoopAttribute(Inner, CutName); });
}

bool isAboutRuns(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && (Callee->getName() == SPECRT_ENTRY_RUNS_BEGIN ||
                    Callee->getName() == SPECRT_ENTRY_RUNS_END);
}

} // namespace specrt
