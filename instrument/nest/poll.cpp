//===- instrument/nest/poll.cpp - where a running nest can change over ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The nest must stay as fast as it was. To the optimizer its outermost loop therefore gets no more
// than a load and a call that touches only the region's descriptor and the frame: neither keeps
// loads and stores of the nest from moving. The version itself is called outside of the loop, where
// everything that the loop kept in registers has been written back.
//
//===----------------------------------------------------------------------===//
#include "instrument/nest/poll.h"
#include "analysis/resumption.h"
#include "instrument/emit/runtime_calls.h"
#include "specrt/abi.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace specrt {
namespace {

/// With fewer iterations there is hardly one to change over at.
constexpr unsigned MinTripCount = 4;

class PollEmitter {
public:
  PollEmitter(const OutlinedRegion &Region, Stub &S, Constant *Descriptor, Loop &L,
              ScalarEvolution &SE)
      : Region(Region), S(S), Descriptor(Descriptor), L(L), SE(SE),
        F(*L.getHeader()->getParent()), M(*F.getParent()), Location(L.getStartLoc()),
        I64(Type::getInt64Ty(F.getContext())) {}

  void emit();

private:
  Value *iterationNumber();
  CallInst *callPoll(IRBuilder<> &B, Value *Iteration);
  BasicBlock *emitReplacement(Value *Target);

  const OutlinedRegion &Region;
  Stub &S;
  Constant *Descriptor;
  Loop &L;
  ScalarEvolution &SE;
  Function &F;
  Module &M;
  const DebugLoc Location;
  Type *I64;
};

/// An existing counter from 0 when there is one, so that no register is needed for another.
Value *PollEmitter::iterationNumber() {
  BasicBlock *Header = L.getHeader();
  for (PHINode &Phi : Header->phis())
    if (Phi.getType() == I64) {
      const auto *AddRec = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
      if (AddRec && AddRec->getStart()->isZero() && AddRec->getStepRecurrence(SE)->isOne())
        return &Phi;
    }
  PHINode *Counter = PHINode::Create(I64, 2, "iteration", Header->begin());
  IRBuilder<> B(L.getLoopLatch()->getTerminator());
  Counter->addIncoming(ConstantInt::get(I64, 0), L.getLoopPreheader());
  Counter->addIncoming(B.CreateNUWAdd(Counter, ConstantInt::get(I64, 1)), L.getLoopLatch());
  return Counter;
}

CallInst *PollEmitter::callPoll(IRBuilder<> &B, Value *Iteration) {
  packInto(B, S.Frame, S.Args);
  CallInst *Target =
      B.CreateCall(pollFunction(M), {Descriptor, memberOf(B, S.Frame, offsetof(specrt_frame, packed)),
                                     Iteration, memberOf(B, S.Frame, offsetof(specrt_frame, poll))});
  Target->setMemoryEffects(MemoryEffects::inaccessibleOrArgMemOnly());
  Target->setDoesNotThrow();
  Target->addFnAttr(Attribute::WillReturn);
  Target->addFnAttr(Attribute::Cold);
  return Target;
}

BasicBlock *PollEmitter::emitReplacement(Value *Target) {
  BasicBlock *Block = BasicBlock::Create(F.getContext(), "hand.over", &F);
  IRBuilder<> B(Block);
  B.SetCurrentDebugLocation(Location);
  CallInst *Run = B.CreateCall(Region.Body->getFunctionType(), Target, S.Args);
  if (Region.Body->doesNotThrow())
    Run->setDoesNotThrow();
  S.Calls.push_back(Run);
  B.CreateCall(leaveFunction(M), {Descriptor, memberOf(B, S.Frame, offsetof(specrt_frame, poll))})
      ->setDoesNotThrow();
  BasicBlock *Last = BasicBlock::Create(F.getContext(), "handed.over", &F);
  leaveIfOpen(S, *Block, *Last, Descriptor, Location);
  BranchInst::Create(S.Done, Last);
  S.Left->addIncoming(Run, Last);
  return Block;
}

/// The memory of results is written behind the loop, too, where nothing has begun its lifetime.
void dropLifetimes(ArrayRef<Value *> Args) {
  SmallVector<Instruction *> Markers;
  for (Value *Arg : Args)
    if (isa<AllocaInst>(Arg))
      for (User *U : Arg->users())
        if (auto *Marker = dyn_cast<IntrinsicInst>(U); Marker && Marker->isLifetimeStartOrEnd())
          Markers.push_back(Marker);
  for (Instruction *Marker : Markers)
    Marker->eraseFromParent();
}

void PollEmitter::emit() {
  Value *Iteration = iterationNumber();
  BasicBlock *Header = L.getHeader();
  BasicBlock *Rest = SplitBlock(Header, Header->getFirstNonPHIIt());
  BasicBlock *Poll = BasicBlock::Create(F.getContext(), "poll", &F);

  Header->getTerminator()->eraseFromParent();
  IRBuilder<> B(Header);
  B.SetCurrentDebugLocation(Location);
  Value *Place = memberOf(B, Descriptor, offsetof(specrt_region, poll_at));
  // Another thread may write it. Volatile keeps it in the loop; an ordering that it does not need
  // would tie the nest's own loads and stores to it.
  LoadInst *At = B.CreateAlignedLoad(I64, Place, Align(8), /*isVolatile=*/true);
  At->setAtomic(AtomicOrdering::Unordered);
  MDBuilder Metadata(F.getContext());
  B.CreateCondBr(B.CreateICmpEQ(Iteration, At), Poll, Rest, Metadata.createUnlikelyBranchWeights());

  B.SetInsertPoint(Poll);
  CallInst *Target = callPoll(B, Iteration);
  B.CreateCondBr(B.CreateIsNull(Target), Rest, emitReplacement(Target),
                 Metadata.createLikelyBranchWeights());
}

} // namespace

bool canPoll(Function &Body, FunctionAnalysisManager &FAM) {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(Body);
  Loop *L = findResumableLoop(Body, FAM.getResult<LoopAnalysis>(Body), SE);
  if (!L || L->isInnermost())
    return false;
  unsigned MaxTripCount = SE.getSmallConstantMaxTripCount(L);
  return MaxTripCount == 0 || MaxTripCount >= MinTripCount;
}

void emitPoll(const OutlinedRegion &Region, Stub &S, Constant *Descriptor,
              FunctionAnalysisManager &FAM) {
  Function &F = *Region.Header->getParent();
  Loop *L = FAM.getResult<LoopAnalysis>(F).getLoopFor(Region.Header);
  dropLifetimes(S.Args);
  PollEmitter(Region, S, Descriptor, *L, FAM.getResult<ScalarEvolutionAnalysis>(F)).emit();
  FAM.invalidate(F, PreservedAnalyses::none());
}

} // namespace specrt
