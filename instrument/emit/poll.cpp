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
  PollEmitter(const OutlinedRegion &Region, Stub &S, Constant *Record, HandOver What, Loop &L,
              ScalarEvolution &SE)
      : Region(Region), S(S), Record(Record), What(What), L(L), SE(SE),
        F(*L.getHeader()->getParent()), M(*F.getParent()), Location(L.getStartLoc()),
        I64(Type::getInt64Ty(F.getContext())) {}

  void emit();

private:
  Value *iterationNumber();
  CallInst *callPoll(IRBuilder<> &B, Value *Iteration);
  CallInst *callCode(IRBuilder<> &B, Value *Code);
  BasicBlock *emitReplacement(CallInst *Found);

  const OutlinedRegion &Region;
  Stub &S;
  Constant *Record;
  const HandOver What;
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

/// target, token = specrt_poll_nest(args..., iteration; record).
CallInst *PollEmitter::callPoll(IRBuilder<> &B, Value *Iteration) {
  SmallVector<Value *> Args = S.argsAt(B);
  append_values(Args, Iteration, Record);
  SmallVector<Type *> Types;
  for (const Value *Arg : Args)
    Types.push_back(Arg->getType());
  Type *Result = StructType::get(B.getPtrTy(), B.getInt32Ty());
  CallInst *Found =
      B.CreateCall(FunctionType::get(Result, Types, false), pollNestFunction(M), Args);
  Found->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  for (auto [I, Arg] : enumerate(Args))
    if (Arg->getType()->isPointerTy())
      Found->addParamAttr(I, Attribute::getWithCaptureInfo(F.getContext(), CaptureInfo::none()));
  Found->addParamAttr(Args.size() - 1, staticChain(F.getContext()));
  // The nest need not free registers for a call that it hardly ever makes.
  Found->setCallingConv(CallingConv::PreserveMost);
  Found->setDoesNotThrow();
  Found->addFnAttr(Attribute::WillReturn);
  Found->addFnAttr(Attribute::Cold);
  return Found;
}

CallInst *PollEmitter::callCode(IRBuilder<> &B, Value *Code) {
  CallInst *Run = B.CreateCall(Region.Body->getFunctionType(), Code, S.argsAt(B));
  if (Region.Body->doesNotThrow())
    Run->setDoesNotThrow();
  S.Calls.push_back(Run);
  return Run;
}

BasicBlock *PollEmitter::emitReplacement(CallInst *Found) {
  BasicBlock *Begin = BasicBlock::Create(F.getContext(), "hand.over", &F);
  BasicBlock *Ended = BasicBlock::Create(F.getContext(), "handed.over", &F);
  IRBuilder<> B(Begin);
  B.SetCurrentDebugLocation(Location);
  Value *Token = B.CreateExtractValue(Found, 1);
  CallInst *First = callCode(B, B.CreateExtractValue(Found, 0));
  Value *Left = First;
  if (What == HandOver::AnyPart) {
    BasicBlock *Remainder = BasicBlock::Create(F.getContext(), "remainder", &F);
    CallInst *Next = B.CreateCall(continueFunction(M), {Token});
    Next->setDoesNotThrow();
    B.CreateCondBr(B.CreateIsNull(Next), Ended, Remainder);
    B.SetInsertPoint(Remainder);
    CallInst *Second = callCode(B, Next);
    B.CreateBr(Ended);
    B.SetInsertPoint(Ended);
    PHINode *Last = B.CreatePHI(First->getType(), 2, "left");
    Last->addIncoming(First, Begin);
    Last->addIncoming(Second, Remainder);
    Left = Last;
  } else {
    B.CreateBr(Ended);
    B.SetInsertPoint(Ended);
  }
  CallInst *End = B.CreateCall(endHandedOverFunction(M), {Token, S.Token});
  End->setDoesNotThrow();
  End->setTailCallKind(CallInst::TCK_NoTail);
  B.CreateBr(S.Done);
  S.Left->addIncoming(Left, Ended);
  return Begin;
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
      B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Record, offsetof(specrt_record, poll_at));
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

HandOver handOverOf(Function &Body, FunctionAnalysisManager &FAM) {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(Body);
  Loop *L = findResumableLoop(Body, FAM.getResult<LoopAnalysis>(Body), SE);
  if (!L || L->isInnermost())
    return HandOver::Nothing;
  unsigned MaxTripCount = SE.getSmallConstantMaxTripCount(L);
  if (MaxTripCount != 0 && MaxTripCount < MinTripCount)
    return HandOver::Nothing;
  return canLimitIterations(*L, SE) ? HandOver::AnyPart : HandOver::Rest;
}

void emitPoll(const OutlinedRegion &Region, Stub &S, Constant *Record, HandOver What,
              FunctionAnalysisManager &FAM) {
  Function &F = *Region.Header->getParent();
  Loop *L = FAM.getResult<LoopAnalysis>(F).getLoopFor(Region.Header);
  dropLifetimes(S);
  PollEmitter(Region, S, Record, What, *L, FAM.getResult<ScalarEvolutionAnalysis>(F)).emit();
  FAM.invalidate(F, PreservedAnalyses::none());
}

} // namespace specrt
