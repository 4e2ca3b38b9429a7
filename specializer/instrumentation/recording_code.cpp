//===- specializer/instrumentation/recording_code.cpp - a function that records its accesses ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/instrumentation/recording_code.h"
#include "specializer/feedback/loop_values.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/Reg2Mem.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace specrt {
namespace {

/// Returns why \p F cannot be copied, or its values cannot be kept in memory; null if they can.
const char *obstacle(const Function &F) {
  for (const BasicBlock &BB : F) {
    if (!isa<BranchInst, SwitchInst, ReturnInst, UnreachableInst>(BB.getTerminator()) ||
        BB.isEHPad())
      return "its control flow is not made of branches";
    for (const Instruction &I : BB)
      if (I.getType()->isTokenTy() || I.getType()->isScalableTy() || I.getType()->isX86_AMXTy() ||
          (isa<AllocaInst>(I) && !cast<AllocaInst>(I).isStaticAlloca()))
        return "it keeps values that cannot be copied";
  }
  return nullptr;
}

/// Drops metadata and attributes about memory: facts about accesses of one copy do not hold between
/// copies, and facts about the function's memory ignore the recording.
void forgetMemoryPromises(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    for (unsigned Kind : {LLVMContext::MD_noalias, LLVMContext::MD_alias_scope,
                          LLVMContext::MD_access_group, LLVMContext::MD_loop})
      I.setMetadata(Kind, nullptr);
    if (isa<NoAliasScopeDeclInst>(I))
      I.eraseFromParent();
  }
  F.removeFnAttr(Attribute::Memory);
  F.removeFnAttr(Attribute::NoSync);
  for (Argument &A : F.args()) {
    A.removeAttr(Attribute::Captures);
    A.removeAttr(Attribute::ReadNone);
  }
}

/// Trip counts of outermost loops, as far as they are known before these begin.
using TripSlots = DenseMap<const BasicBlock *, AllocaInst *>;

/// Adds the copies and the recording code.
class Recorder {
public:
  Recorder(Function &F, const RecordedTables &Tables, const TripSlots &Trips,
           const specrt_recording &Into);

  void instrument(const Loop &L);
  uint32_t words() const { return Words; }
  /// Must be called last: reports the end of the words when the function returns.
  void finish();

private:
  struct Copy {
    ValueToValueMapTy Map;
    SmallVector<BasicBlock *> Blocks;

    BasicBlock *of(const BasicBlock *BB) const { return cast<BasicBlock>(Map.lookup(BB)); }
  };

  AllocaInst *slot(Type *T, const Twine &Name);
  Constant *constantPointer(const void *To) const;
  Constant *field(size_t Offset) const;
  Value *callback(IRBuilderBase &B, size_t Offset, FunctionType *T, ArrayRef<Value *> Arguments);
  void copyBlocks(const Loop &L, Copy &To, const Twine &Suffix);
  BasicBlock *makeDispatch(const Loop &L, const Copy &Plain, const Copy &Recording);
  void returnToDispatch(const Loop &L, const Copy &From, BasicBlock *Dispatch);
  void countIterations(const Loop &L, const Copy &In);
  void recordIterations(const Loop &L, const Copy &In);
  void recordAccesses(const Loop &L, const Copy &In);
  void write(IRBuilderBase &B, ArrayRef<Value *> New);

  Function &F;
  LLVMContext &Context;
  const RecordedTables &Tables;
  const TripSlots &Trips;
  const specrt_recording &Into;
  IntegerType *const Word;
  PointerType *const Pointer;
  AllocaInst *Next, *Limit;
  DenseMap<const BasicBlock *, AllocaInst *> Iteration; ///< by the header of the original
  uint32_t Words = 0;
};

Recorder::Recorder(Function &F, const RecordedTables &Tables, const TripSlots &Trips,
                   const specrt_recording &Into)
    : F(F), Context(F.getContext()), Tables(Tables), Trips(Trips), Into(Into),
      Word(Type::getInt64Ty(Context)), Pointer(PointerType::get(Context, 0)),
      Next(slot(Pointer, "next")), Limit(slot(Word, "limit")) {
  BasicBlock &Entry = F.getEntryBlock();
  IRBuilder<> B(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  B.CreateStore(B.CreateLoad(Pointer, field(offsetof(specrt_recording, next))), Next);
}

AllocaInst *Recorder::slot(Type *T, const Twine &Name) {
  BasicBlock &Entry = F.getEntryBlock();
  return IRBuilder<>(&Entry, Entry.begin()).CreateAlloca(T, nullptr, Name);
}

Constant *Recorder::constantPointer(const void *To) const {
  return ConstantExpr::getIntToPtr(ConstantInt::get(Word, reinterpret_cast<uint64_t>(To)), Pointer);
}

Constant *Recorder::field(size_t Offset) const {
  return constantPointer(reinterpret_cast<const char *>(&Into) + Offset);
}

/// Calls a function of the recording, which reads and may change the position of the next word.
Value *Recorder::callback(IRBuilderBase &B, size_t Offset, FunctionType *T,
                          ArrayRef<Value *> Arguments) {
  Constant *Cursor = field(offsetof(specrt_recording, next));
  B.CreateStore(B.CreateLoad(Pointer, Next), Cursor);
  CallInst *Answer = B.CreateCall(T, B.CreateLoad(Pointer, field(Offset)), Arguments);
  Answer->setDoesNotThrow();
  B.CreateStore(B.CreateLoad(Pointer, Cursor), Next);
  return Answer;
}

void Recorder::copyBlocks(const Loop &L, Copy &To, const Twine &Suffix) {
  for (BasicBlock *BB : L.blocks()) {
    BasicBlock *New = CloneBasicBlock(BB, To.Map, Suffix, &F);
    To.Map[BB] = New;
    To.Blocks.push_back(New);
  }
  remapInstructionsInBlocks(To.Blocks, To.Map);
}

BasicBlock *Recorder::makeDispatch(const Loop &L, const Copy &Plain, const Copy &Recording) {
  BasicBlock *Header = L.getHeader();
  auto *Dispatch = BasicBlock::Create(Context, Header->getName() + ".dispatch", &F, Header);
  IRBuilder<> B(Dispatch);
  Type *Number = B.getInt32Ty();
  Value *Asked = callback(B, offsetof(specrt_recording, window),
                          FunctionType::get(Word, {Pointer, Number, Word, Word}, false),
                          {constantPointer(&Into), B.getInt32(Tables.LoopIndex.lookup(Header)),
                           B.CreateLoad(Word, Iteration.lookup(Header)),
                           B.CreateLoad(Word, Trips.lookup(Header))});
  B.CreateStore(Asked, Limit);
  Value *Mode = B.CreateLoad(Number, field(offsetof(specrt_recording, mode)));
  SwitchInst *Which = B.CreateSwitch(Mode, Header, 2);
  Which->addCase(B.getInt32(SPECRT_RECORD_NOT), Plain.of(Header));
  Which->addCase(B.getInt32(SPECRT_RECORD_ALL), Recording.of(Header));
  return Dispatch;
}

/// Makes \p From, a copy of \p L, return to the dispatch when its window ends.
void Recorder::returnToDispatch(const Loop &L, const Copy &From, BasicBlock *Dispatch) {
  BasicBlock *Header = From.of(L.getHeader()), *Latch = From.of(L.getLoopLatch());
  auto *Again = BasicBlock::Create(Context, Header->getName() + ".next", &F, Header);
  IRBuilder<> B(Again);
  AllocaInst *Number = Iteration.lookup(L.getHeader());
  Value *Following = B.CreateAdd(B.CreateLoad(Word, Number), ConstantInt::get(Word, 1));
  B.CreateStore(Following, Number);
  B.CreateCondBr(B.CreateICmpEQ(Following, B.CreateLoad(Word, Limit)), Dispatch, Header);
  Latch->getTerminator()->replaceSuccessorWith(Header, Again);
}

/// Gives inner loops counters, from 0 whenever they are entered.
void Recorder::countIterations(const Loop &L, const Copy &In) {
  for (const Loop *Inner : L.getLoopsInPreorder()) {
    if (Inner == &L)
      continue;
    AllocaInst *Number = Iteration.lookup(Inner->getHeader());
    for (const BasicBlock *From : predecessors(Inner->getHeader())) {
      // The copies of L and their entries are added later.
      if (!L.contains(From))
        continue;
      IRBuilder<> B(In.of(From)->getTerminator());
      Value *Following = ConstantInt::get(Word, 0);
      if (Inner->contains(From))
        Following = B.CreateAdd(B.CreateLoad(Word, Number), ConstantInt::get(Word, 1));
      B.CreateStore(Following, Number);
    }
  }
}

void Recorder::write(IRBuilderBase &B, ArrayRef<Value *> New) {
  Value *At = B.CreateLoad(Pointer, Next);
  for (auto [I, V] : enumerate(New))
    B.CreateStore(V, B.CreateConstInBoundsGEP1_64(Word, At, I));
  B.CreateStore(B.CreateConstInBoundsGEP1_64(Word, At, New.size()), Next);
  Words += uint32_t(New.size());
}

/// Disables loop optimisations: the recording loop spends its time on stores, so optimising it
/// would waste compile time.
void leaveAsItIs(Instruction &Latch) {
  LLVMContext &Context = Latch.getContext();
  MDNode *Left = MDNode::get(Context, MDString::get(Context, "llvm.loop.disable_nonforced"));
  MDNode *Id = MDNode::getDistinct(Context, {nullptr, Left});
  Id->replaceOperandWith(0, Id);
  Latch.setMetadata(LLVMContext::MD_loop, Id);
}

/// At the beginning of each iteration, checks for room and records the iteration's number.
void Recorder::recordIterations(const Loop &L, const Copy &In) {
  for (const Loop *Any : L.getLoopsInPreorder()) {
    if (BasicBlock *Latch = Any->getLoopLatch())
      leaveAsItIs(*In.of(Latch)->getTerminator());
    BasicBlock *Rest = Any->getHeader();
    BasicBlock *Header = In.of(Rest);
    BasicBlock *Body = Header->splitBasicBlock(Header->getFirstInsertionPt(), "record");
    Header->getTerminator()->eraseFromParent();
    auto *Full = BasicBlock::Create(Context, "full", &F, Body);
    IRBuilder<> B(Header);
    Value *At = B.CreateLoad(Pointer, Next);
    Value *End = B.CreateLoad(Pointer, field(offsetof(specrt_recording, end)));
    B.CreateCondBr(B.CreateICmpUGE(At, End), Full, Body);
    B.SetInsertPoint(Full);
    Value *More =
        callback(B, offsetof(specrt_recording, more),
                 FunctionType::get(B.getInt32Ty(), {Pointer}, false), {constantPointer(&Into)});
    B.CreateCondBr(B.CreateIsNotNull(More), Body, Rest);
    B.SetInsertPoint(Body, Body->begin());
    const uint64_t Mark = uint64_t(SPECRT_LOOP_MARK + Tables.LoopIndex.lookup(Rest))
                          << SPECRT_RECORDED_ADDRESS_BITS;
    write(B,
          {B.CreateOr(B.CreateLoad(Word, Iteration.lookup(Rest)), ConstantInt::get(Word, Mark))});
  }
}

void Recorder::recordAccesses(const Loop &L, const Copy &In) {
  const uint64_t Mask = (uint64_t{1} << SPECRT_RECORDED_ADDRESS_BITS) - 1;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &Original : *BB) {
      auto Found = Tables.AccessIndex.find(&Original);
      if (Found == Tables.AccessIndex.end())
        continue;
      const specrt_recorded_access &Access = Tables.Accesses[Found->second];
      auto *I = cast<Instruction>(In.Map.lookup(&Original));
      IRBuilder<> B(I->getNextNode());
      Value *Address = B.CreatePtrToInt(getLoadStorePointerOperand(I), Word);
      const uint64_t Which = uint64_t{Found->second} << SPECRT_RECORDED_ADDRESS_BITS;
      SmallVector<Value *, 2> New = {B.CreateOr(B.CreateAnd(Address, ConstantInt::get(Word, Mask)),
                                                ConstantInt::get(Word, Which))};
      if (Access.flags & SPECRT_RECORDED_POINTER)
        New.push_back(B.CreatePtrToInt(I, Word));
      else if (Access.flags & SPECRT_RECORDED_VALUE)
        New.push_back(B.CreateSExt(I, Word));
      write(B, New);
    }
}

void Recorder::instrument(const Loop &L) {
  BasicBlock *Header = L.getHeader(), *Preheader = L.getLoopPreheader();
  for (const Loop *Any : L.getLoopsInPreorder())
    Iteration[Any->getHeader()] = slot(Word, "iteration");
  Copy Plain, Recording;
  copyBlocks(L, Plain, ".plain");
  copyBlocks(L, Recording, ".recording");
  recordAccesses(L, Recording);
  countIterations(L, Recording);
  BasicBlock *Dispatch = makeDispatch(L, Plain, Recording);
  returnToDispatch(L, Plain, Dispatch);
  returnToDispatch(L, Recording, Dispatch);
  recordIterations(L, Recording);
  IRBuilder<> B(Preheader->getTerminator());
  B.CreateStore(ConstantInt::get(Word, 0), Iteration.lookup(Header));
  Preheader->getTerminator()->replaceSuccessorWith(Header, Dispatch);
}

void Recorder::finish() {
  for (BasicBlock &BB : F)
    if (auto *Return = dyn_cast<ReturnInst>(BB.getTerminator())) {
      IRBuilder<> B(Return);
      B.CreateStore(B.CreateLoad(Pointer, Next), field(offsetof(specrt_recording, next)));
    }
}

/// Computes the trip counts of outermost loops before these begin.
TripSlots countTrips(Function &F, FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  Type *Word = Type::getInt64Ty(F.getContext());
  SCEVExpander Expander(SE, "trips");
  TripSlots Slots;
  for (const Loop *L : LI) {
    BasicBlock &Entry = F.getEntryBlock();
    auto *Slot = IRBuilder<>(&Entry, Entry.begin()).CreateAlloca(Word, nullptr, "trips");
    Slots[L->getHeader()] = Slot;
    Instruction *Before = L->getLoopPreheader()->getTerminator();
    const SCEV *Back = SE.getBackedgeTakenCount(L);
    Value *Count = ConstantInt::getAllOnesValue(Word);
    if (!isa<SCEVCouldNotCompute>(Back) && SE.getTypeSizeInBits(Back->getType()) <= 64 &&
        Expander.isSafeToExpandAt(Back, Before)) {
      const SCEV *Wide = SE.getNoopOrZeroExtend(Back, Word);
      Count = Expander.expandCodeFor(SE.getAddExpr(Wide, SE.getOne(Word)), Word, Before);
    }
    IRBuilder<> B(Before);
    B.CreateStore(B.CreateFreeze(Count), Slot);
  }
  return Slots;
}

Error normalizeLoops(Function &F, FunctionAnalysisManager &FAM) {
  FunctionPassManager FPM;
  FPM.addPass(LoopSimplifyPass());
  FAM.invalidate(F, FPM.run(F, FAM));
  for (const Loop *L : FAM.getResult<LoopAnalysis>(F))
    if (!L->getLoopPreheader() || !L->getLoopLatch())
      return createStringError("its loops have several entries");
  return Error::success();
}

} // namespace

Expected<RecordedFunction> recordAccesses(Function &F, FunctionAnalysisManager &FAM,
                                          const specrt_recording &Into) {
  if (const char *Why = obstacle(F))
    return createStringError(Why);
  forgetMemoryPromises(F);
  if (Error E = normalizeLoops(F, FAM))
    return std::move(E);
  RecordedFunction Result;
  Expected<RecordedTables> Tables =
      recordedTables(F, FAM.getResult<LoopAnalysis>(F), FAM.getResult<ScalarEvolutionAnalysis>(F));
  if (!Tables)
    return Tables.takeError();
  Result.Tables = std::move(*Tables);
  Result.Carried =
      carriedValues(FAM.getResult<LoopAnalysis>(F), FAM.getResult<ScalarEvolutionAnalysis>(F),
                    Result.Tables.LoopIndex);
  const TripSlots Trips = countTrips(F, FAM);
  FAM.invalidate(F, PreservedAnalyses::none());
  FunctionPassManager FPM;
  FPM.addPass(RegToMemPass());
  FPM.run(F, FAM);
  FAM.invalidate(F, PreservedAnalyses::none());

  const DominatorTree DT(F);
  const LoopInfo LI(DT);
  Recorder Writes(F, Result.Tables, Trips, Into);
  for (const Loop *L : LI) {
    if (!L->getLoopPreheader() || !L->getLoopLatch())
      return createStringError("its loops have several entries");
    Writes.instrument(*L);
  }
  Writes.finish();
  Result.Words = Writes.words();
  FAM.invalidate(F, PreservedAnalyses::none());
  return Result;
}

} // namespace specrt
