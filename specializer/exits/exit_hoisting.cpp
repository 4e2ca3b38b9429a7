//===- specializer/exits/exit_hoisting.cpp - hoists data-dependent loop exits ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/exits/exit_hoisting.h"
#include "specializer/exits/exit_slice.h"
#include "specializer/polyhedral/model/iteration_scopes.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace specrt {
namespace {

/// Limit on loops with data-dependent ends.
constexpr unsigned MaxLoops = 8;

/// Returns the index of the successor of \p Branch that stays in the loop.
unsigned insideOf(const BranchInst &Branch, const Loop &L) {
  return L.contains(Branch.getSuccessor(0)) ? 0 : 1;
}

/// Turns one loop into three.
class Split {
public:
  Split(const ExitSlice &Slice, BasicBlock &CountBefore)
      : Slice(Slice), L(Slice.loop()), F(*L.getHeader()->getParent()), Context(F.getContext()),
        CountType(Type::getInt64Ty(Context)), At(L.getHeader()->getTerminator()->getDebugLoc()),
        CountBefore(CountBefore), Entry(L.getLoopPreheader()) {}

  /// Leaves unreachable blocks behind.
  void run();

private:
  BasicBlock *newBlock(const Twine &Name, BasicBlock *Before) {
    return BasicBlock::Create(Context, Name, &F, Before);
  }
  Value *full(Value *V) const {
    Value *Copy = Full.lookup(V);
    return Copy ? Copy : V;
  }
  bool leavesByLatch() const { return Slice.isLatch(*Slice.exits().back()); }
  bool leavesOtherwise() const { return !Slice.isLatch(*Slice.exits().front()); }
  Value *copy(Value *V, IRBuilder<> &B);
  void countAhead();
  void leave(const BranchInst &Exit, BasicBlock *On, Value *Done, IRBuilder<> &B);
  BasicBlock *countExits(BasicBlock *Header, Value *Number, Value *More);
  void cloneLoop();
  void countIterations(BasicBlock *Start, BasicBlock *After);
  void goOn(BasicBlock *After, BasicBlock *Rest);
  void startAgain(BasicBlock *Rest, BasicBlock *After);

  const ExitSlice &Slice;
  Loop &L;
  Function &F;
  LLVMContext &Context;
  Type *CountType;
  DebugLoc At;
  BasicBlock &CountBefore;
  BasicBlock *Entry;         ///< before the loop
  ValueToValueMapTy Hoisted; ///< the slice, in the counting loop
  ValueToValueMapTy Full;    ///< all values, in the loop of full iterations
  PHINode *Count = nullptr;
  PHINode *ByLatch = nullptr; ///< whether the exit that is taken is at the latch
};

/// Returns the counting loop's copy of \p V; appends missing instructions.
Value *Split::copy(Value *V, IRBuilder<> &B) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return V;
  if (Value *Known = Hoisted.lookup(I))
    return Known;
  SmallVector<Value *, 4> Operands;
  for (Value *Operand : I->operands())
    Operands.push_back(copy(Operand, B));
  Instruction *New = I->clone();
  for (auto [Index, Operand] : enumerate(Operands))
    New->setOperand(Index, Operand);
  B.Insert(New, I->getName() + ".hoisted");
  New->setDebugLoc(I->getDebugLoc());
  return Hoisted[I] = New;
}

/// Emits a test of the counting loop, which ends it after \p Done full iterations or continues at
/// \p On.
void Split::leave(const BranchInst &Exit, BasicBlock *On, Value *Done, IRBuilder<> &B) {
  BasicBlock *To[] = {Count->getParent(), Count->getParent()};
  To[insideOf(Exit, L)] = On;
  Value *Condition = copy(Exit.getCondition(), B);
  Count->addIncoming(Done, B.GetInsertBlock());
  ByLatch->addIncoming(B.getInt1(Slice.isLatch(Exit)), B.GetInsertBlock());
  B.CreateCondBr(Condition, To[0], To[1]);
}

/// Emits the body of the counting loop; returns its latch.
BasicBlock *Split::countExits(BasicBlock *Header, Value *Number, Value *More) {
  IRBuilder<> B(Header);
  B.SetCurrentDebugLocation(At);
  for (const BranchInst *Exit : Slice.exits()) {
    if (Slice.isLatch(*Exit))
      break;
    BasicBlock *Next = newBlock("count.on", Count->getParent());
    leave(*Exit, Next, Number, B);
    B.SetInsertPoint(Next);
  }
  for (PHINode *Phi : Slice.phis()) {
    Value *Next = copy(Phi->getIncomingValueForBlock(L.getLoopLatch()), B);
    cast<PHINode>(Hoisted[Phi])->addIncoming(Next, B.GetInsertBlock());
  }
  if (leavesByLatch())
    leave(*Slice.exits().back(), Header, More, B);
  else
    B.CreateBr(Header);
  return B.GetInsertBlock();
}

/// Emits the counting loop behind CountBefore.
void Split::countAhead() {
  BasicBlock *Tail = SplitBlock(&CountBefore, CountBefore.getTerminator());
  if (Entry == &CountBefore)
    Entry = Tail;
  BasicBlock *Header = newBlock("count", Tail), *Done = newBlock("counted", Tail);
  CountBefore.getTerminator()->setSuccessor(0, Header);
  IRBuilder<> B(Done);
  B.SetCurrentDebugLocation(At);
  Count = B.CreatePHI(CountType, 2, "full");
  ByLatch = B.CreatePHI(B.getInt1Ty(), 2, "by.latch");
  B.CreateBr(Tail);

  B.SetInsertPoint(Header);
  PHINode *Number = B.CreatePHI(CountType, 2, "number");
  Number->addIncoming(B.getInt64(0), &CountBefore);
  for (PHINode *Phi : Slice.phis()) {
    PHINode *New = B.CreatePHI(Phi->getType(), 2, Phi->getName() + ".hoisted");
    New->addIncoming(Phi->getIncomingValueForBlock(Entry), &CountBefore);
    Hoisted[Phi] = New;
  }
  Value *More = B.CreateAdd(Number, B.getInt64(1), "", /*HasNUW=*/true, /*HasNSW=*/true);
  Number->addIncoming(More, countExits(Header, Number, More));
}

/// Copies the loop; the copy is left only at its latch.
void Split::cloneLoop() {
  SmallVector<BasicBlock *, 8> Blocks;
  for (BasicBlock *Block : L.blocks()) {
    BasicBlock *New = CloneBasicBlock(Block, Full, ".full", &F);
    Full[Block] = New;
    Blocks.push_back(New);
  }
  remapInstructionsInBlocks(Blocks, Full);
  for (BranchInst *Exit : Slice.exits())
    if (!Slice.isLatch(*Exit)) {
      auto *Copy = cast<BranchInst>(full(Exit));
      IRBuilder<>(Copy).CreateBr(Copy->getSuccessor(insideOf(*Exit, L)));
      Copy->eraseFromParent();
    }
}

/// Makes the copy begin behind \p Start, run Count times, and continue at \p After.
void Split::countIterations(BasicBlock *Start, BasicBlock *After) {
  auto *Header = cast<BasicBlock>(full(L.getHeader()));
  auto *Latch = cast<BasicBlock>(full(L.getLoopLatch()));
  IRBuilder<>(Start).CreateBr(Header)->setDebugLoc(At);
  Header->replacePhiUsesWith(Entry, Start);
  IRBuilder<> B(Header, Header->begin());
  PHINode *Number = B.CreatePHI(CountType, 2, "iteration");
  auto *Old = cast<BranchInst>(Latch->getTerminator());
  B.SetInsertPoint(Old);
  Value *Next = B.CreateAdd(Number, B.getInt64(1), "", /*HasNUW=*/true, /*HasNSW=*/true);
  BranchInst *New = B.CreateCondBr(B.CreateICmpEQ(Next, Count), After, Header);
  New->copyMetadata(*Old, {LLVMContext::MD_loop});
  Old->eraseFromParent();
  Number->addIncoming(B.getInt64(0), Start);
  Number->addIncoming(Next, Latch);
}

/// Continues from the end of the full iterations to the exit behind the last one, or to \p Rest if
/// there is one.
void Split::goOn(BasicBlock *After, BasicBlock *Rest) {
  IRBuilder<> B(After);
  B.SetCurrentDebugLocation(At);
  if (!leavesByLatch()) {
    B.CreateBr(Rest);
    return;
  }
  const BranchInst &Last = *Slice.exits().back();
  BasicBlock *Out = Last.getSuccessor(1 - insideOf(Last, L));
  for (PHINode &Phi : Out->phis())
    Phi.addIncoming(full(Phi.getIncomingValueForBlock(L.getLoopLatch())), After);
  if (Rest)
    B.CreateCondBr(ByLatch, Out, Rest);
  else
    B.CreateBr(Out);
}

/// Sets the initial values of the original loop after the full iterations; it does not complete
/// another iteration.
void Split::startAgain(BasicBlock *Rest, BasicBlock *After) {
  IRBuilder<> B(Rest);
  B.SetCurrentDebugLocation(At);
  for (PHINode &Phi : L.getHeader()->phis()) {
    PHINode *Start = B.CreatePHI(Phi.getType(), 2, Phi.getName() + ".rest");
    Start->addIncoming(Phi.getIncomingValueForBlock(Entry), Entry);
    Start->addIncoming(full(Phi.getIncomingValueForBlock(L.getLoopLatch())), After);
    Phi.setIncomingValueForBlock(Entry, Start);
  }
  L.getHeader()->replacePhiUsesWith(Entry, Rest);
  B.CreateBr(L.getHeader());

  const auto Others = Slice.exits().drop_back(leavesByLatch() ? 1 : 0);
  BranchInst *Last = Others.back();
  const unsigned Inside = insideOf(*Last, L);
  Last->getSuccessor(Inside)->removePredecessor(Last->getParent(), /*KeepOneInputPHIs=*/true);
  IRBuilder<>(Last).CreateBr(Last->getSuccessor(1 - Inside));
  Last->eraseFromParent();
}

void Split::run() {
  countAhead();
  BasicBlock *Start = newBlock("full.start", L.getHeader());
  BasicBlock *After = newBlock("full.end", L.getHeader());
  BasicBlock *Rest = leavesOtherwise() ? newBlock("rest", L.getHeader()) : nullptr;
  cloneLoop();
  countIterations(Start, After);
  goOn(After, Rest);
  Instruction *Old = Entry->getTerminator();
  IRBuilder<> B(Old);
  if (Rest) {
    B.CreateCondBr(B.CreateIsNull(Count), Rest, Start);
    startAgain(Rest, After);
  } else {
    // The original loop is not executed.
    B.CreateBr(Start);
    L.getHeader()->removePredecessor(Entry, /*KeepOneInputPHIs=*/true);
  }
  Old->eraseFromParent();
}

std::string nameOf(const Loop &L) {
  const DebugLoc Start = L.getStartLoc();
  return Start ? "the loop in line " + std::to_string(Start.getLine()) : "a loop";
}

/// Returns the next loop. Inner loops come first, as outer ones may need their ends.
Loop *nextLoop(FunctionAnalysisManager &FAM, Function &F, SmallPtrSetImpl<BasicBlock *> &Seen) {
  const auto Loops = FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder();
  for (Loop *L : reverse(Loops))
    if (Seen.insert(L->getHeader()).second && ExitSlice::isWanted(*L, FAM))
      return L;
  return nullptr;
}

bool hoistExit(Loop &L, FunctionAnalysisManager &FAM, Notes &Told) {
  Function &F = *L.getHeader()->getParent();
  formLCSSARecursively(L, FAM.getResult<DominatorTreeAnalysis>(F), &FAM.getResult<LoopAnalysis>(F),
                       &FAM.getResult<ScalarEvolutionAnalysis>(F));
  const std::string Name = nameOf(L);
  ExitSlice Slice(L);
  ExitRefusal Refused = Slice.find(FAM);
  if (Refused.Why) {
    if (*Refused.Why)
      Told.add(Refused.Code, Name + " has no known number of iterations: " + Refused.Why);
    return false;
  }
  if (declaresScopes(F)) {
    // Alias scopes of one iteration are not valid for the next.
    forgetIterationScopes(F, FAM);
    return hoistExit(L, FAM, Told);
  }
  Split(Slice, *Slice.outermost(FAM).getLoopPreheader()).run();
  removeUnreachableBlocks(F);
  FAM.invalidate(F, PreservedAnalyses::none());
  Told.add(Name + " ends where data says so: its iterations are counted before it runs");
  return true;
}

} // namespace

unsigned hoistExits(Function &F, FunctionAnalysisManager &FAM, Notes &Told) {
  SmallPtrSet<BasicBlock *, 8> Seen;
  unsigned Number = 0;
  while (Number < MaxLoops) {
    Loop *L = nextLoop(FAM, F, Seen);
    if (!L)
      break;
    Number += hoistExit(*L, FAM, Told);
  }
  return Number;
}

} // namespace specrt
