//===- specializer/sparse/fused_loops.cpp - fuses two row loops -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/fused_loops.h"
#include "analysis/between_loops.h"
#include "specializer/loops/loop_copy.h"
#include "specializer/sparse/loops/row_inputs.h"
#include "specrt/fused_rows.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace specrt {
namespace {

/// Index of `fused` among the elements of specrt_sparse_loop.
constexpr unsigned FusedElement = 17;

/// Returns whether \p I may be executed before the first loop instead of after it, provided that
/// what it reads stays unchanged.
bool mayComeFirst(const Instruction &I) {
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple();
  if (const auto *Branch = dyn_cast<BranchInst>(&I))
    return Branch->isUnconditional();
  return isOnlySaid(I) || isa<PHINode>(I) ||
         (!I.mayReadOrWriteMemory() && isSafeToSpeculativelyExecute(&I));
}

/// Returns whether an address read between the loops depends on another read between them. Such
/// code cannot run before the first loop, which may not have written the data yet.
bool readsFromReads(ArrayRef<BasicBlock *> Between) {
  SmallVector<const Value *> Pending;
  for (const BasicBlock *Block : Between)
    for (const Instruction &I : *Block)
      if (const auto *Load = dyn_cast<LoadInst>(&I))
        Pending.push_back(Load->getPointerOperand());
  SmallPtrSet<const Value *, 16> Seen;
  while (!Pending.empty()) {
    const auto *I = dyn_cast<Instruction>(Pending.pop_back_val());
    if (!I || !is_contained(Between, I->getParent()) || !Seen.insert(I).second)
      continue;
    if (isa<LoadInst>(I))
      return true;
    append_range(Pending, I->operand_values());
  }
  return false;
}

/// Returns whether rows of both loops may run in any order with the same final state. Excludes
/// loops with dense inner loops per entry, for which tracking each access takes too long.
bool mayTakeTurns(const RowLoop &Rows) {
  return !Rows.hasNotes() && Rows.ReportingErrors.empty() &&
         all_of(Rows.Opaque, [&](const Loop *L) { return L->getParentLoop() == Rows.L; });
}

class Fuser {
public:
  Fuser(LoopWithTable &First, LoopWithTable &Second, ArrayRef<BasicBlock *> Between)
      : First(First), Second(Second), Between(Between), Before(*First.Asks->getParent()),
        F(*Before.getParent()), M(*F.getParent()), B(F.getContext()) {}

  void fuse();

private:
  Value *earlier(Value *V);
  GlobalVariable *describeBoth();
  Value *packEarlier();
  Value *packReads();
  void runSteps(Value *Plan, Value *Words);
  void leave(GlobalVariable &Loops, Value *Plan);

  LoopWithTable &First, &Second;
  const ArrayRef<BasicBlock *> Between;
  BasicBlock &Before; ///< block of the first loop's request
  Function &F;
  Module &M;
  IRBuilder<> B;
  DenseMap<Value *, Value *> Earlier;
  SmallVector<LoadInst *> Reads;
};

/// Returns the value of \p V, which blocks between the loops compute, before both loops. Emits the
/// code at \p B.
Value *Fuser::earlier(Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !is_contained(Between, I->getParent()))
    return V;
  if (Value *Known = Earlier.lookup(V))
    return Known;
  if (const auto *Phi = dyn_cast<PHINode>(I)) // all incoming values are from before
    return Earlier[V] = earlier(Phi->getIncomingValue(0));
  SmallVector<Value *> Operands;
  for (Value *Operand : I->operand_values())
    Operands.push_back(earlier(Operand));
  Instruction *Copy = B.Insert(I->clone(), I->getName());
  Copy->setDebugLoc({});
  for (auto [Number, Operand] : enumerate(Operands))
    Copy->setOperand(unsigned(Number), Operand);
  if (auto *Load = dyn_cast<LoadInst>(Copy)) {
    Copy->dropUnknownNonDebugMetadata(); // facts that hold after the first loop need not hold here
    Reads.push_back(Load);
  }
  return Earlier[V] = Copy;
}

GlobalVariable *Fuser::describeBoth() {
  Constant *Null = ConstantPointerNull::get(B.getPtrTy());
  static_assert(sizeof(specrt_fused_loops) == 48);
  Constant *Init =
      ConstantStruct::getAnon({Null, First.SparseLoop, Second.SparseLoop, First.Footprint,
                               Second.Footprint, B.getInt64(UINT64_MAX)});
  auto *Loops = new GlobalVariable(M, Init->getType(), /*isConstant=*/false,
                                   GlobalValue::InternalLinkage, Init, "specrt.fused");
  Loops->setDSOLocal(true);
  Loops->setAlignment(Align(8));
  for (GlobalVariable *SparseLoop : {First.SparseLoop, Second.SparseLoop}) {
    const auto *Known = cast<ConstantStruct>(SparseLoop->getInitializer());
    SmallVector<Constant *> Elements;
    for (const Use &Element : Known->operands())
      Elements.push_back(cast<Constant>(Element));
    Elements[FusedElement] = Loops;
    SparseLoop->setInitializer(ConstantStruct::get(Known->getType(), Elements));
  }
  return Loops;
}

/// Packs the inputs of the second loop.
Value *Fuser::packEarlier() {
  return packInputs(B, Second.Rows, [&](Value *Input) { return earlier(Input); });
}

/// Packs the addresses and sizes from which these inputs were read.
Value *Fuser::packReads() {
  Type *Word = B.getInt64Ty();
  BasicBlock &Entry = F.getEntryBlock();
  Value *Words =
      IRBuilder<>(&Entry, Entry.begin())
          .CreateAlloca(ArrayType::get(Word, 2 * Reads.size() + 1), nullptr, "rows.reads");
  for (auto [I, Load] : enumerate(Reads)) {
    const uint64_t Bytes = M.getDataLayout().getTypeStoreSize(Load->getType());
    B.CreateStore(B.CreatePtrToInt(Load->getPointerOperand(), Word),
                  B.CreateConstInBoundsGEP1_64(Word, Words, 2 * I));
    B.CreateStore(B.getInt64(Bytes), B.CreateConstInBoundsGEP1_64(Word, Words, 2 * I + 1));
  }
  return Words;
}

void Fuser::runSteps(Value *Plan, Value *Words) {
  Type *Word = B.getInt64Ty();
  Value *Steps = loadField(B, B.getPtrTy(), Plan, offsetof(specrt_fused_rows, steps));
  Value *Count = loadField(B, Word, Plan, offsetof(specrt_fused_rows, num_steps));
  BasicBlock *Entry = B.GetInsertBlock();
  auto *Step = BasicBlock::Create(F.getContext(), "fused.step", &F, Entry->getNextNode());
  auto *Over = BasicBlock::Create(F.getContext(), "fused.over", &F, Step->getNextNode());
  B.CreateBr(Step);
  B.SetInsertPoint(Step);
  PHINode *Number = B.CreatePHI(Word, 2);
  Number->addIncoming(B.getInt64(0), Entry);
  Value *At =
      B.CreateInBoundsGEP(ArrayType::get(B.getInt8Ty(), sizeof(specrt_fused_step)), Steps, Number);
  First.Code.runPacked(B, First.Words, At);
  Second.Code.runPacked(
      B, Words,
      B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), At, offsetof(specrt_fused_step, second)));
  Value *Next = B.CreateAdd(Number, B.getInt64(1), "", true, true);
  Number->addIncoming(Next, B.GetInsertBlock());
  B.CreateCondBr(B.CreateICmpULT(Next, Count), Step, Over);
  B.SetInsertPoint(Over);
}

/// Emits the end of both loops.
void Fuser::leave(GlobalVariable &Loops, Value *Plan) {
  FunctionCallee End = M.getOrInsertFunction(
      SPECRT_FUSED_ROWS_END, FunctionType::get(B.getVoidTy(), {B.getPtrTy(), B.getPtrTy()}, false));
  B.CreateCall(End, {&Loops, Plan})->setDoesNotThrow();
  BasicBlock *Exit = Second.Rows.L->getExitBlock();
  B.CreateBr(Exit);
  for (PHINode &Phi : Exit->phis())
    Phi.addIncoming(Phi.getIncomingValueForBlock(Second.Rows.L->getLoopLatch()),
                    B.GetInsertBlock());
}

void Fuser::fuse() {
  LLVMContext &Context = F.getContext();
  GlobalVariable *Loops = describeBoth();
  BasicBlock *ByOne = Before.splitBasicBlock(First.Asks, "fused.not");
  auto *Ask = BasicBlock::Create(Context, "fused.ask", &F, ByOne);
  auto *Run = BasicBlock::Create(Context, "fused.run", &F, ByOne);
  Type *Word = B.getInt64Ty(), *Pointer = B.getPtrTy();
  Before.getTerminator()->eraseFromParent();
  B.SetInsertPoint(&Before);
  LoadInst *Least = B.CreateAlignedLoad(
      Word,
      B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Loops, offsetof(specrt_fused_loops, least_rows)),
      Align(8));
  Least->setAtomic(AtomicOrdering::Monotonic); // other threads write it
  B.CreateCondBr(B.CreateICmpUGE(First.Count, Least), Ask, ByOne);

  B.SetInsertPoint(Ask);
  Value *Words = packEarlier(), *Count = earlier(Second.Count), *From = packReads();
  FunctionCallee Begin = M.getOrInsertFunction(
      SPECRT_FUSED_ROWS_BEGIN,
      FunctionType::get(Pointer, {Pointer, Pointer, Word, Pointer, Word, Pointer, Word}, false));
  CallInst *Plan = B.CreateCall(
      Begin, {Loops, First.Words, First.Count, Words, Count, From, B.getInt64(Reads.size())});
  Plan->setDoesNotThrow();
  B.CreateCondBr(B.CreateIsNull(Plan), ByOne, Run);

  B.SetInsertPoint(Run);
  runSteps(Plan, Words);
  leave(*Loops, Plan);
}

} // namespace

SmallVector<BasicBlock *> blocksToFuse(const RowLoop &First, const RowLoop &Second) {
  if (!mayTakeTurns(First) || !mayTakeTurns(Second))
    return {};
  SmallVector<BasicBlock *> Between;
  for (BasicBlock *Block = First.L->getExitBlock(); Block; Block = Block->getSingleSuccessor()) {
    const bool IsReachedOnce = Between.empty() || Block->getSinglePredecessor();
    if (!IsReachedOnce || !all_of(*Block, mayComeFirst))
      return {};
    Between.push_back(Block);
    if (Block == Second.L->getLoopPreheader())
      break;
  }
  const auto Follows = [&](const Value *V) { return followsFrom(*V, *First.L, Between); };
  const auto IsWithin = [&](const BasicBlock *Block) {
    return Second.L->contains(Block) || is_contained(Between, Block);
  };
  return Between.back() == Second.L->getLoopPreheader() && areUsedOnlyIn(Between, IsWithin) &&
                 !readsFromReads(Between) && none_of(Second.Inputs, Follows)
             ? Between
             : SmallVector<BasicBlock *>();
}

void fuseLoops(LoopWithTable &First, LoopWithTable &Second, ArrayRef<BasicBlock *> Between) {
  Fuser(First, Second, Between).fuse();
}

} // namespace specrt
