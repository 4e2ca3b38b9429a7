//===- instrument/emit/stub.cpp - emits the stub around a nest that is a region -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/emit/stub.h"
#include "instrument/emit/runtime_calls.h"
#include "instrument/nest/nest_copy.h"
#include "specrt/abi.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace specrt {
namespace {

class StubEmitter {
public:
  StubEmitter(const OutlinedRegion &Region, Constant *Record)
      : Region(Region), Record(Record), Location(Region.Call->getDebugLoc()) {
    S.Args.append(Region.Call->arg_begin(), Region.Call->arg_end());
    S.Loaded.insert_range(Region.Loaded);
  }

  Stub emit();

private:
  LoadInst *loadSlot();
  CallInst *callSlot(LoadInst *Target);
  void choose(LoadInst *Target, CallInst *Call);
  void tellExit(CallInst *Call);
  void endIfObserved(BasicBlock &Block, BasicBlock &Next);

  const OutlinedRegion &Region;
  Constant *Record;
  const DebugLoc Location;
  Stub S;
};

/// Loads the slot without acquire ordering, which would make the optimizer forget all it knows of
/// memory in front of the nest. callSlot() orders the accesses instead: x86 needs no instruction
/// for that, and the compiler does not hoist reads over a call. The load is volatile so that it
/// stays in loops around the nest.
LoadInst *StubEmitter::loadSlot() {
  IRBuilder<> B(Region.Choice);
  LoadInst *Target = B.CreateAlignedLoad(B.getPtrTy(), Record, Align(8), /*isVolatile=*/true);
  Target->setAtomic(AtomicOrdering::Unordered);
  return Target;
}

/// Emits the call with the attributes of Region.Call, which are valid for the nest. The record is
/// the last argument, so that the attributes of the others keep their indices.
CallInst *StubEmitter::callSlot(LoadInst *Target) {
  const CallInst &Old = *Region.Call;
  IRBuilder<> B(Region.Call);
  if (!Old.getModule()->getTargetTriple().isX86())
    B.CreateFence(AtomicOrdering::Acquire);
  SmallVector<Value *> Args(S.Args);
  Args.push_back(Record);
  SmallVector<Type *> Types(Region.Body->getFunctionType()->params());
  Types.push_back(Record->getType());
  CallInst *Call = B.CreateCall(FunctionType::get(B.getInt32Ty(), Types, false), Target, Args);
  Call->setAttributes(
      Old.getAttributes().removeAttributesAtIndex(Old.getContext(), AttributeList::ReturnIndex));
  Call->addParamAttr(S.Args.size(), staticChain(B.getContext()));
  if (Region.Body->doesNotThrow())
    Call->setDoesNotThrow();
  return Call;
}

void StubEmitter::choose(LoadInst *Target, CallInst *Call) {
  BasicBlock *Before = Region.Choice->getParent(), *Cold = Call->getParent();
  MDBuilder Metadata(Call->getContext());
  S.Done = SplitBlock(Cold, std::next(Call->getIterator()));
  Cold->getTerminator()->eraseFromParent();
  IRBuilder<> B(Cold);
  B.SetCurrentDebugLocation(Location);
  Value *IsDone = B.CreateICmpSGE(Call, B.getInt32(SPECRT_DONE));
  B.CreateCondBr(IsDone, S.Done, Region.Entry, Metadata.createLikelyBranchWeights());

  IRBuilder<> AtNest(Region.Entry, Region.Entry->begin());
  PHINode *Token = AtNest.CreatePHI(B.getInt32Ty(), 2, "token");
  Token->addIncoming(B.getInt32(SPECRT_UNDONE), Before);
  Token->addIncoming(Call, Cold);
  S.Token = Token;

  B.SetInsertPoint(Region.Choice);
  Region.Choice->setCondition(B.CreateIsNull(Target));
}

/// Replaces the uses of Region.Call, whose result counts exits from 0 or is void, by Left.
void StubEmitter::tellExit(CallInst *Call) {
  IRBuilder<> B(S.Done, S.Done->begin());
  B.SetCurrentDebugLocation(Location);
  S.Left = B.CreatePHI(Call->getType(), 2, "left");
  S.Left->addIncoming(Call, Call->getParent());
  CallInst *Old = Region.Call;
  if (!Old->getType()->isVoidTy())
    Old->replaceAllUsesWith(
        B.CreateTrunc(B.CreateSub(S.Left, B.getInt32(SPECRT_DONE)), Old->getType()));
  Old->eraseFromParent();
}

/// Ends \p Block, which has no terminator, with "if (token < 0) specrt_end_nest(token)" and a
/// branch to \p Next.
void StubEmitter::endIfObserved(BasicBlock &Block, BasicBlock &Next) {
  Function &F = *Block.getParent();
  BasicBlock *Leave = BasicBlock::Create(F.getContext(), "leave", &F);
  IRBuilder<> B(&Block);
  B.SetCurrentDebugLocation(Location);
  B.CreateCondBr(B.CreateICmpSLT(S.Token, B.getInt32(SPECRT_UNDONE)), Leave, &Next,
                 MDBuilder(F.getContext()).createUnlikelyBranchWeights());
  B.SetInsertPoint(Leave);
  CallInst *Call = B.CreateCall(endNestFunction(*F.getParent()), {S.Token});
  Call->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  Call->setDoesNotThrow();
  Call->addFnAttr(Attribute::WillReturn);
  Call->addFnAttr(Attribute::Cold);
  // A tail call would need an epilogue of its own.
  Call->setTailCallKind(CallInst::TCK_NoTail);
  B.CreateBr(&Next);
}

Stub StubEmitter::emit() {
  LoadInst *Target = loadSlot();
  CallInst *Call = callSlot(Target);
  S.Calls.push_back(Call);
  choose(Target, Call);
  tellExit(Call);
  for (BasicBlock *Exit : Region.Exits) {
    BasicBlock *Next = SplitBlock(Exit, Exit->getTerminator());
    Exit->getTerminator()->eraseFromParent();
    endIfObserved(*Exit, *Next);
  }
  return S;
}

} // namespace

SmallVector<Value *> Stub::argsAt(IRBuilderBase &B) const {
  SmallVector<Value *> Here;
  for (Value *Arg : Args)
    Here.push_back(Loaded.contains(Arg) ? B.Insert(cast<LoadInst>(Arg)->clone()) : Arg);
  return Here;
}

Stub emitStub(const OutlinedRegion &Region, Constant *Record, FunctionAnalysisManager &FAM) {
  BasicBlock *Before = Region.Choice->getParent();
  Function &F = *Before->getParent();
  // The stub lets two paths meet in front of the nest, so conditions known there become
  // assumptions.
  assumeGuards(*Before, *Region.Entry, FAM.getResult<LoopAnalysis>(F),
               FAM.getResult<AssumptionAnalysis>(F));
  Stub Made = StubEmitter(Region, Record).emit();
  FAM.invalidate(F, PreservedAnalyses::none());
  return Made;
}

} // namespace specrt
