//===- instrument/emit/poll.cpp - where a running nest can change over ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The original must stay as fast as it was. To the optimizer the loop therefore gets no more than a
// load and a call that touches only the region's descriptor and its own stack memory: neither keeps
// loads and stores of the nest from moving. The version itself is called outside of the loop, where
// everything that the loop kept in registers has been written back.
//
//===----------------------------------------------------------------------===//
#include "instrument/emit/poll.h"
#include "analysis/resumption.h"
#include "instrument/emit/packing.h"
#include "instrument/emit/runtime_calls.h"
#include "specrt/abi.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
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
  PollEmitter(Function &Body, Constant *Descriptor, Loop &L, ScalarEvolution &SE)
      : Body(Body), Descriptor(Descriptor), L(L), SE(SE), M(*Body.getParent()),
        Context(Body.getContext()), I64(Type::getInt64Ty(Context)) {}

  void emit();

private:
  Value *iterationNumber();
  CallInst *callPoll(IRBuilder<> &Builder, Value *Iteration);
  BasicBlock *emitReplacement(Value *Target);

  Function &Body;
  Constant *Descriptor;
  Loop &L;
  ScalarEvolution &SE;
  Module &M;
  LLVMContext &Context;
  Type *I64;
  AllocaInst *Call = nullptr;
};

/// An existing counter from 0 when there is one, so that no register is needed for another.
Value *PollEmitter::iterationNumber() {
  BasicBlock *Header = L.getHeader();
  for (PHINode &Phi : Header->phis())
    if (Phi.getType() == I64) {
      const auto *AddRec = cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
      if (AddRec->getStart()->isZero() && AddRec->getStepRecurrence(SE)->isOne())
        return &Phi;
    }
  PHINode *Counter = PHINode::Create(I64, 2, "iteration", Header->begin());
  IRBuilder<> Builder(L.getLoopLatch()->getTerminator());
  Counter->addIncoming(ConstantInt::get(I64, 0), L.getLoopPreheader());
  Counter->addIncoming(Builder.CreateNUWAdd(Counter, ConstantInt::get(I64, 1)), L.getLoopLatch());
  return Counter;
}

CallInst *PollEmitter::callPoll(IRBuilder<> &Builder, Value *Iteration) {
  BasicBlock &Entry = Body.getEntryBlock();
  IRBuilder<> AtEntry(&Entry, Entry.getFirstInsertionPt());
  AllocaInst *Packed = AtEntry.CreateAlloca(packedType(Body));
  Call = AtEntry.CreateAlloca(ArrayType::get(I64, sizeof(specrt_call) / 8));
  packArguments(Builder, Body, Packed);
  CallInst *Target = Builder.CreateCall(pollFunction(M), {Descriptor, Packed, Iteration, Call});
  Target->setMemoryEffects(MemoryEffects::inaccessibleOrArgMemOnly());
  Target->setDoesNotThrow();
  Target->addFnAttr(Attribute::WillReturn);
  Target->addFnAttr(Attribute::Cold);
  return Target;
}

/// r = target(args...); specrt_leave(region, &call); return r
BasicBlock *PollEmitter::emitReplacement(Value *Target) {
  BasicBlock *Block = BasicBlock::Create(Context, "hand.over", &Body);
  IRBuilder<> Builder(Block);
  Builder.SetCurrentDebugLocation(cast<Instruction>(Target)->getDebugLoc());
  SmallVector<Value *> Args(make_pointer_range(Body.args()));
  CallInst *Run = Builder.CreateCall(Body.getFunctionType(), Target, Args);
  Run->setDoesNotThrow();
  Builder.CreateCall(leaveFunction(M), {Descriptor, Call})->setDoesNotThrow();
  if (Run->getType()->isVoidTy())
    Builder.CreateRetVoid();
  else
    Builder.CreateRet(Run);
  return Block;
}

void PollEmitter::emit() {
  DebugLoc Location = L.getStartLoc();
  Value *Iteration = iterationNumber();
  BasicBlock *Header = L.getHeader();
  BasicBlock *Rest = SplitBlock(Header, Header->getFirstNonPHIIt());
  BasicBlock *Poll = BasicBlock::Create(Context, "poll", &Body);

  Header->getTerminator()->eraseFromParent();
  IRBuilder<> Builder(Header);
  Builder.SetCurrentDebugLocation(Location);
  Value *Place = Builder.CreateConstInBoundsGEP1_64(Type::getInt8Ty(Context), Descriptor,
                                                    offsetof(specrt_region, poll_at));
  // Another thread may write it. Volatile keeps it in the loop; an ordering that it does not need
  // would tie the nest's own loads and stores to it.
  LoadInst *At = Builder.CreateAlignedLoad(I64, Place, Align(8), /*isVolatile=*/true);
  At->setAtomic(AtomicOrdering::Unordered);
  MDBuilder Metadata(Context);
  Builder.CreateCondBr(Builder.CreateICmpEQ(Iteration, At), Poll, Rest,
                       Metadata.createUnlikelyBranchWeights());

  Builder.SetInsertPoint(Poll);
  CallInst *Target = callPoll(Builder, Iteration);
  Builder.CreateCondBr(Builder.CreateIsNull(Target), Rest, emitReplacement(Target),
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

void emitPoll(Function &Body, Constant *Descriptor, FunctionAnalysisManager &FAM) {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(Body);
  Loop *L = findResumableLoop(Body, FAM.getResult<LoopAnalysis>(Body), SE);
  PollEmitter(Body, Descriptor, *L, SE).emit();
  FAM.invalidate(Body, PreservedAnalyses::none());
}

} // namespace specrt
