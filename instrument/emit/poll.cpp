//===- instrument/emit/poll.cpp - where a running nest can change over ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The nest must stay as fast as it was. To the optimizer its outermost loop therefore gets no more
// than a load and a call that touches nothing of the program's: neither keeps loads and stores of
// the nest from moving. The version itself is called outside of the loop, where everything that the
// loop kept in registers has been written back.
//
//===----------------------------------------------------------------------===//
#include "instrument/emit/poll.h"
#include "analysis/resumption.h"
#include "instrument/emit/helper.h"
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
  PollEmitter(const OutlinedRegion &Region, Stub &S, Constant *Descriptor, Loop &L,
              ScalarEvolution &SE)
      : Region(Region), S(S), Descriptor(Descriptor), L(L), SE(SE), F(*L.getHeader()->getParent()),
        M(*F.getParent()), Location(L.getStartLoc()), I64(Type::getInt64Ty(F.getContext())) {}

  void emit();

private:
  Value *iterationNumber();
  Function *pollFunctionOfNest();
  CallInst *callPoll(IRBuilder<> &B, Value *Iteration);
  BasicBlock *emitReplacement(CallInst *Found);

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

/// Writes the function that packs its arguments, calls specrt_poll and returns what that returns:
/// target, token = poll(args..., iteration).
Function *PollEmitter::pollFunctionOfNest() {
  Type *I32 = Type::getInt32Ty(F.getContext());
  Type *Result = StructType::get(PointerType::getUnqual(F.getContext()), I32);
  Function *Poll = addHelper(*Region.Body, F, Result, {I64}, "poll");
  IRBuilder<> B(BasicBlock::Create(F.getContext(), "", Poll));
  Value *Packed = B.CreateAlloca(packedType(*Region.Body));
  Value *Token = B.CreateAlloca(I32);
  SmallVector<Value *> Values(make_pointer_range(Poll->args()));
  Value *Iteration = Values.pop_back_val();
  packArguments(B, Values, Packed);
  Value *Target = B.CreateCall(pollFunction(M), {Descriptor, Packed, Iteration, Token});
  Value *Both = B.CreateInsertValue(PoisonValue::get(Result), Target, 0);
  B.CreateRet(B.CreateInsertValue(Both, B.CreateLoad(I32, Token), 1));
  return Poll;
}

CallInst *PollEmitter::callPoll(IRBuilder<> &B, Value *Iteration) {
  SmallVector<Value *> Args = S.argsAt(B);
  Args.push_back(Iteration);
  CallInst *Found = B.CreateCall(pollFunctionOfNest(), Args);
  Found->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  for (auto [I, Arg] : enumerate(Args))
    if (Arg->getType()->isPointerTy())
      Found->addParamAttr(I, Attribute::getWithCaptureInfo(F.getContext(), CaptureInfo::none()));
  Found->setDoesNotThrow();
  Found->addFnAttr(Attribute::WillReturn);
  Found->addFnAttr(Attribute::Cold);
  return Found;
}

BasicBlock *PollEmitter::emitReplacement(CallInst *Found) {
  BasicBlock *Block = BasicBlock::Create(F.getContext(), "hand.over", &F);
  IRBuilder<> B(Block);
  B.SetCurrentDebugLocation(Location);
  CallInst *Run =
      B.CreateCall(Region.Body->getFunctionType(), B.CreateExtractValue(Found, 0), S.argsAt(B));
  if (Region.Body->doesNotThrow())
    Run->setDoesNotThrow();
  S.Calls.push_back(Run);
  B.CreateCall(leaveNestFunction(M), {Descriptor, B.CreateExtractValue(Found, 1)})
      ->setDoesNotThrow();
  BasicBlock *Last = BasicBlock::Create(F.getContext(), "handed.over", &F);
  leaveIfObserved(S, *Block, *Last, Descriptor, Location);
  BranchInst::Create(S.Done, Last);
  S.Left->addIncoming(Run, Last);
  return Block;
}

/// CodeExtractor lets the memory of results live around the stub's call alone. The call behind the
/// loop writes it, too, so it lives as long as the function.
void dropLifetimes(const Stub &S) {
  for (BasicBlock *Block : {S.Calls.front()->getParent(), S.Done})
    for (Instruction &I : make_early_inc_range(*Block))
      if (I.isLifetimeStartOrEnd())
        I.eraseFromParent();
}

void PollEmitter::emit() {
  Value *Iteration = iterationNumber();
  BasicBlock *Header = L.getHeader();
  BasicBlock *Rest = SplitBlock(Header, Header->getFirstNonPHIIt());
  BasicBlock *Poll = BasicBlock::Create(F.getContext(), "poll", &F);

  Header->getTerminator()->eraseFromParent();
  IRBuilder<> B(Header);
  B.SetCurrentDebugLocation(Location);
  Value *Place =
      B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Descriptor, offsetof(specrt_region, poll_at));
  // Another thread may write it. Volatile keeps it in the loop; an ordering that it does not need
  // would tie the nest's own loads and stores to it.
  LoadInst *At = B.CreateAlignedLoad(I64, Place, Align(8), /*isVolatile=*/true);
  At->setAtomic(AtomicOrdering::Unordered);
  MDBuilder Metadata(F.getContext());
  B.CreateCondBr(B.CreateICmpEQ(Iteration, At), Poll, Rest, Metadata.createUnlikelyBranchWeights());

  B.SetInsertPoint(Poll);
  CallInst *Found = callPoll(B, Iteration);
  B.CreateCondBr(B.CreateIsNull(B.CreateExtractValue(Found, 0)), Rest, emitReplacement(Found),
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
  dropLifetimes(S);
  PollEmitter(Region, S, Descriptor, *L, FAM.getResult<ScalarEvolutionAnalysis>(F)).emit();
  FAM.invalidate(F, PreservedAnalyses::none());
}

} // namespace specrt
