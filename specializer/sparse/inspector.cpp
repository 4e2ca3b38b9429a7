//===- specializer/sparse/inspector.cpp - a loop that shows what its rows are ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/loop_copy.h"
#include "specializer/sparse/row_code.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace specrt {

Function *createLike(const Function &Like, Type *Result, ArrayRef<Type *> Arguments,
                     const Twine &Name) {
  auto *T = FunctionType::get(Result, Arguments, /*isVarArg=*/false);
  Function *New = Function::Create(T, GlobalValue::InternalLinkage, Name,
                                   const_cast<Module *>(Like.getParent()));
  for (const Attribute &A : Like.getAttributes().getFnAttrs())
    if (A.isStringAttribute() && A.getKindAsString() != "specrt-region")
      New->addFnAttr(A);
  for (Attribute::AttrKind Kind :
       {Attribute::NoUnwind, Attribute::MustProgress, Attribute::StrictFP})
    if (Like.hasFnAttribute(Kind))
      New->addFnAttr(Kind);
  New->setUWTableKind(Like.getUWTableKind());
  return New;
}

Value *packInputs(IRBuilderBase &B, const RowLoop &Rows) {
  Function &F = *B.GetInsertBlock()->getParent();
  Type *Word = B.getInt64Ty();
  BasicBlock &Entry = F.getEntryBlock();
  auto *Room = ArrayType::get(Word, Rows.Inputs.size() + 1);
  Value *Words = IRBuilder<>(&Entry, Entry.begin()).CreateAlloca(Room, nullptr, "rows.inputs");
  for (auto [I, V] : enumerate(Rows.Inputs)) {
    Value *Bits = V;
    if (V->getType()->isPointerTy())
      Bits = B.CreatePtrToInt(V, Word);
    else if (!V->getType()->isIntegerTy())
      Bits = B.CreateBitCast(V, B.getIntNTy(unsigned(V->getType()->getPrimitiveSizeInBits())));
    B.CreateStore(B.CreateZExt(B.CreateFreeze(Bits), Word),
                  B.CreateConstInBoundsGEP1_64(Word, Words, I));
  }
  return Words;
}

Value *unpackInput(IRBuilderBase &B, const RowLoop &Rows, Value *Words, unsigned I) {
  Type *T = Rows.Inputs[I]->getType();
  Value *Bits =
      B.CreateLoad(B.getInt64Ty(), B.CreateConstInBoundsGEP1_64(B.getInt64Ty(), Words, I));
  if (T->isPointerTy())
    return B.CreateIntToPtr(Bits, T);
  if (T->isIntegerTy())
    return B.CreateTrunc(Bits, T);
  return B.CreateBitCast(B.CreateTrunc(Bits, B.getIntNTy(unsigned(T->getPrimitiveSizeInBits()))),
                         T);
}

Value *counterInRow(IRBuilderBase &B, const RowCounter &C, Value *Start, Value *Row) {
  Type *T = C.Phi->getType();
  if (T->isPointerTy())
    return B.CreateGEP(B.getInt8Ty(), Start,
                       B.CreateMul(Row, B.getInt64(uint64_t(C.Step.getSExtValue()))));
  // A loop that counts ends before its counter is beyond its width.
  Value *By = ConstantInt::get(T, C.Step.sextOrTrunc(T->getIntegerBitWidth()));
  return B.CreateAdd(Start, B.CreateMul(B.CreateZExtOrTrunc(Row, T), By));
}

namespace {

class InspectorBuilder {
public:
  InspectorBuilder(const RowLoop &Rows, const LoopInfo &LI)
      : Rows(Rows), LI(LI), F(*Rows.L->getHeader()->getParent()), Context(F.getContext()),
        Word(Type::getInt64Ty(Context)), Byte(Type::getInt8Ty(Context)),
        Pointer(PointerType::get(Context, 0)) {}

  Function *build();

private:
  AllocaInst *slot(const Twine &Name) {
    return IRBuilder<>(Entry, Entry->begin()).CreateAlloca(Word, nullptr, Name);
  }
  Value *field(IRBuilderBase &B, Type *T, size_t Offset) {
    return B.CreateLoad(T, B.CreateConstInBoundsGEP1_64(Byte, Trace, Offset));
  }
  BasicBlock *of(const BasicBlock *BB) { return cast<BasicBlock>(Map.lookup(BB)); }
  Value *place(IRBuilderBase &B, Value *Number, Value *Most);
  void emit(IRBuilderBase &B, unsigned Kind, Value *V);
  Value *asWord(IRBuilderBase &B, Value *V);
  void beginRow();
  void noteAccess(const Instruction &I);
  void noteOrder(IRBuilderBase &B, const Instruction &I, Value *From, uint64_t Bytes);
  void noteWrite(IRBuilderBase &B, unsigned Base, Value *From, Value *To);
  Value *wasWritten(IRBuilderBase &B, Value *From, Value *To);
  void leaveWhereWritten(BasicBlock *Exit);
  void noteLoop(const Loop &Inner);
  void noteBranch(const BasicBlock &BB);
  void endRow();

  const RowLoop &Rows;
  const LoopInfo &LI;
  Function &F;
  LLVMContext &Context;
  Type *const Word, *const Byte;
  PointerType *const Pointer;
  ValueToValueMapTy Map;
  Function *New = nullptr;
  BasicBlock *Entry = nullptr;
  Value *Trace = nullptr, *Values = nullptr, *Kinds = nullptr, *Last = nullptr;
  Value *Accesses = nullptr, *LastAccess = nullptr;
  AllocaInst *Count = nullptr, *Scattered = nullptr, *NumAccesses = nullptr;
  SmallVector<std::pair<AllocaInst *, AllocaInst *>> Extent; ///< by base: low and high
  /// What all rows until now have written through each base; null where nothing is written.
  SmallVector<std::pair<AllocaInst *, AllocaInst *>> Written;
  /// Loads that decide, and whether the original has overwritten what they read.
  SmallVector<std::pair<Instruction *, Value *>> Stale;
};

/// Where number \p Number goes: those that have no room share the last place, \p Most.
Value *InspectorBuilder::place(IRBuilderBase &B, Value *Number, Value *Most) {
  return B.CreateSelect(B.CreateICmpULT(Number, Most), Number, Most);
}

void InspectorBuilder::emit(IRBuilderBase &B, unsigned Kind, Value *V) {
  Value *Number = B.CreateLoad(Word, Count);
  Value *At = place(B, Number, Last);
  if (V)
    B.CreateStore(V, B.CreateInBoundsGEP(Word, Values, At));
  B.CreateStore(ConstantInt::get(Byte, Kind), B.CreateInBoundsGEP(Byte, Kinds, At));
  B.CreateStore(B.CreateAdd(Number, ConstantInt::get(Word, 1)), Count);
}

Value *InspectorBuilder::asWord(IRBuilderBase &B, Value *V) {
  return V->getType()->isPointerTy() ? B.CreatePtrToInt(V, Word) : B.CreateSExt(V, Word);
}

void InspectorBuilder::beginRow() {
  BasicBlock *Header = of(Rows.L->getHeader());
  IRBuilder<> B(Header, Header->getFirstInsertionPt());
  B.CreateStore(ConstantInt::get(Word, 0), Count);
  B.CreateStore(ConstantInt::get(Word, 0), NumAccesses);
  for (auto [Low, High] : Extent) {
    B.CreateStore(ConstantInt::getAllOnesValue(Word), Low);
    B.CreateStore(ConstantInt::get(Word, 0), High);
  }
  for (PHINode *Phi : Rows.Carried)
    emit(B, SPECRT_ROW_VALUE, asWord(B, Map.lookup(Phi)));
}

void InspectorBuilder::noteWrite(IRBuilderBase &B, unsigned Base, Value *From, Value *To) {
  auto [Low, High] = Written[Base];
  Value *OldLow = B.CreateLoad(Word, Low), *OldHigh = B.CreateLoad(Word, High);
  B.CreateStore(B.CreateSelect(B.CreateICmpULT(From, OldLow), From, OldLow), Low);
  B.CreateStore(B.CreateSelect(B.CreateICmpUGT(To, OldHigh), To, OldHigh), High);
}

Value *InspectorBuilder::wasWritten(IRBuilderBase &B, Value *From, Value *To) {
  Value *Any = nullptr;
  for (auto [Low, High] : Written) {
    if (!Low)
      continue;
    Value *Overlaps = B.CreateAnd(B.CreateICmpULT(From, B.CreateLoad(Word, High)),
                                  B.CreateICmpULT(B.CreateLoad(Word, Low), To));
    Any = Any ? B.CreateOr(Any, Overlaps) : Overlaps;
  }
  return Any;
}

/// The inspector writes nothing: from there on it would follow other integers than the original,
/// who knows where to.
void InspectorBuilder::leaveWhereWritten(BasicBlock *Exit) {
  for (auto [Load, IsStale] : Stale) {
    Instruction *Then = SplitBlockAndInsertIfThen(IsStale, Load->getIterator(), false);
    IRBuilder<> B(Then);
    B.CreateStore(ConstantInt::get(Word, SPECRT_ROWS_OVERWRITTEN),
                  B.CreateConstInBoundsGEP1_64(Byte, Trace, offsetof(specrt_row_trace, trouble)));
    ReplaceInstWithInst(Then, BranchInst::Create(Exit));
  }
}

/// What others write, or others access, may have to be done in order.
void InspectorBuilder::noteOrder(IRBuilderBase &B, const Instruction &I, Value *From,
                                 uint64_t Bytes) {
  static_assert(sizeof(specrt_row_access) == 16);
  Value *Number = B.CreateLoad(Word, NumAccesses);
  Value *At = B.CreateInBoundsGEP(ArrayType::get(Word, 2), Accesses, place(B, Number, LastAccess));
  B.CreateStore(From, At);
  const uint64_t Which = 2 * uint64_t{Rows.BaseOf.lookup(&I)} + isa<StoreInst>(I);
  B.CreateStore(ConstantInt::get(Word, Bytes | Which << 32),
                B.CreateConstInBoundsGEP1_64(Word, At, 1));
  B.CreateStore(B.CreateAdd(Number, ConstantInt::get(Word, 1)), NumAccesses);
}

void InspectorBuilder::noteAccess(const Instruction &I) {
  auto *Copy = cast<Instruction>(Map.lookup(&I));
  IRBuilder<> B(Copy);
  auto [Low, High] = Extent[Rows.BaseOf.lookup(&I)];
  const uint64_t Bytes = F.getDataLayout().getTypeStoreSize(getLoadStoreType(&I));
  Value *From = B.CreatePtrToInt(getLoadStorePointerOperand(Copy), Word);
  Value *To = B.CreateAdd(From, ConstantInt::get(Word, Bytes));
  Value *OldLow = B.CreateLoad(Word, Low), *OldHigh = B.CreateLoad(Word, High);
  if (Rows.Bases[Rows.BaseOf.lookup(&I)].Flags & SPECRT_ROWS_WRITTEN)
    noteOrder(B, I, From, Bytes);
  if (isa<StoreInst>(I))
    noteWrite(B, Rows.BaseOf.lookup(&I), From, To);
  if (Rows.Deciding.contains(&I)) {
    if (Value *IsStale = wasWritten(B, From, To))
      Stale.emplace_back(Copy, IsStale);
    Value *Near = ConstantInt::get(Word, SPECRT_ROWS_NEAR_BYTES);
    Value *IsFar = B.CreateOr(B.CreateICmpUGT(B.CreateSub(OldLow, Near), From),
                              B.CreateICmpUGT(From, B.CreateAdd(OldHigh, Near)));
    IsFar = B.CreateAnd(IsFar, B.CreateIsNotNull(OldHigh));
    B.CreateStore(B.CreateOr(B.CreateLoad(Word, Scattered), B.CreateZExt(IsFar, Word)), Scattered);
  }
  B.CreateStore(B.CreateSelect(B.CreateICmpULT(From, OldLow), From, OldLow), Low);
  B.CreateStore(B.CreateSelect(B.CreateICmpUGT(To, OldHigh), To, OldHigh), High);
  if (Rows.Deciding.contains(&I)) {
    B.SetInsertPoint(Copy->getParent(), std::next(Copy->getIterator()));
    emit(B, SPECRT_ROW_VALUE, asWord(B, Copy));
  } else if (isa<StoreInst>(Copy)) {
    Copy->eraseFromParent();
  }
}

/// Where a loop begins there is a place for its trip count.
void InspectorBuilder::noteLoop(const Loop &Inner) {
  if (Rows.Opaque.contains(&Inner))
    return;
  AllocaInst *At = slot("rows.at"), *Trips = slot("rows.trips");
  IRBuilder<> Before(of(Inner.getLoopPreheader())->getTerminator());
  Before.CreateStore(place(Before, Before.CreateLoad(Word, Count), Last), At);
  emit(Before, SPECRT_ROW_TRIPS, nullptr);
  Before.CreateStore(ConstantInt::get(Word, 0), Trips);
  BasicBlock *Header = of(Inner.getHeader());
  IRBuilder<> B(Header, Header->getFirstInsertionPt());
  B.CreateStore(B.CreateAdd(B.CreateLoad(Word, Trips), ConstantInt::get(Word, 1)), Trips);
  BasicBlock *Exit = of(Inner.getExitBlock());
  IRBuilder<> After(Exit, Exit->getFirstInsertionPt());
  After.CreateStore(After.CreateLoad(Word, Trips),
                    After.CreateInBoundsGEP(Word, Values, After.CreateLoad(Word, At)));
  for (const Loop *Sub : Inner)
    noteLoop(*Sub);
}

void InspectorBuilder::noteBranch(const BasicBlock &BB) {
  const auto *Branch = cast<BranchInst>(BB.getTerminator());
  if (!Branch->isConditional() || &BB == Rows.L->getLoopLatch() || Rows.opaqueAround(LI, &BB))
    return;
  if (const Loop *Inner = LI.getLoopFor(&BB); Inner != Rows.L && Inner->getExitingBlock() == &BB)
    return;
  auto *Copy = cast<BranchInst>(of(&BB)->getTerminator());
  IRBuilder<> B(Copy);
  emit(B, SPECRT_ROW_BRANCH, B.CreateZExt(Copy->getCondition(), Word));
}

/// Tells what the row was, and goes on unless the listener has enough.
void InspectorBuilder::endRow() {
  auto *Branch = cast<BranchInst>(of(Rows.L->getLoopLatch())->getTerminator());
  IRBuilder<> B(Branch);
  Value *Lows = field(B, Pointer, offsetof(specrt_row_trace, low));
  Value *Highs = field(B, Pointer, offsetof(specrt_row_trace, high));
  for (auto [I, Both] : enumerate(Extent)) {
    B.CreateStore(B.CreateLoad(Word, Both.first), B.CreateConstInBoundsGEP1_64(Word, Lows, I));
    B.CreateStore(B.CreateLoad(Word, Both.second), B.CreateConstInBoundsGEP1_64(Word, Highs, I));
  }
  B.CreateStore(B.CreateLoad(Word, Scattered),
                B.CreateConstInBoundsGEP1_64(Byte, Trace, offsetof(specrt_row_trace, trouble)));
  B.CreateStore(
      B.CreateLoad(Word, NumAccesses),
      B.CreateConstInBoundsGEP1_64(Byte, Trace, offsetof(specrt_row_trace, num_accesses)));
  auto *T = FunctionType::get(B.getInt32Ty(), {Pointer, Word}, false);
  CallInst *GoOn = B.CreateCall(T, field(B, Pointer, offsetof(specrt_row_trace, row)),
                                {Trace, B.CreateLoad(Word, Count)});
  GoOn->setDoesNotThrow();
  const bool StaysOnTrue = Branch->getSuccessor(0) == of(Rows.L->getHeader());
  Value *Condition = Branch->getCondition();
  Value *Wanted = B.CreateICmpNE(GoOn, B.getInt32(0));
  Branch->setCondition(StaysOnTrue ? B.CreateAnd(Condition, Wanted)
                                   : B.CreateOr(Condition, B.CreateNot(Wanted)));
}

Function *InspectorBuilder::build() {
  New = createLike(F, Type::getVoidTy(Context), {Pointer, Pointer}, F.getName() + ".inspect");
  Entry = BasicBlock::Create(Context, "entry", New);
  IRBuilder<> B(Entry);
  Trace = New->getArg(1);
  for (unsigned I = 0; I < Rows.Inputs.size(); ++I)
    Map[Rows.Inputs[I]] = unpackInput(B, Rows, New->getArg(0), I);
  Values = field(B, Pointer, offsetof(specrt_row_trace, values));
  Kinds = field(B, Pointer, offsetof(specrt_row_trace, kinds));
  Last =
      B.CreateSub(field(B, Word, offsetof(specrt_row_trace, capacity)), ConstantInt::get(Word, 1));
  Accesses = field(B, Pointer, offsetof(specrt_row_trace, accesses));
  LastAccess = B.CreateSub(field(B, Word, offsetof(specrt_row_trace, access_capacity)),
                           ConstantInt::get(Word, 1));
  Count = slot("rows.count");
  NumAccesses = slot("rows.accesses");
  Scattered = slot("rows.scattered");
  B.CreateStore(ConstantInt::get(Word, 0), Scattered);
  for (const RowBase &Base : Rows.Bases) {
    Extent.emplace_back(slot("rows.low"), slot("rows.high"));
    Written.emplace_back();
    if (!(Base.Flags & SPECRT_ROWS_WRITTEN))
      continue;
    Written.back() = {slot("rows.written.low"), slot("rows.written.high")};
    B.CreateStore(ConstantInt::getAllOnesValue(Word), Written.back().first);
    B.CreateStore(ConstantInt::get(Word, 0), Written.back().second);
  }

  auto *Exit = BasicBlock::Create(Context, "exit", New);
  ReturnInst::Create(Context, Exit);
  Map[Rows.L->getLoopPreheader()] = Entry;
  Map[Rows.L->getExitBlock()] = Exit;
  copyLoop(*Rows.L, *New, Map);
  B.CreateBr(of(Rows.L->getHeader()));
  beginRow();
  for (const BasicBlock *BB : Rows.L->blocks()) {
    for (const Instruction &I : *BB)
      if (Rows.BaseOf.contains(&I))
        noteAccess(I);
    noteBranch(*BB);
  }
  for (const Loop *Inner : *Rows.L)
    noteLoop(*Inner);
  endRow();
  leaveWhereWritten(Exit); // changes blocks
  return New;
}

} // namespace

Function *buildInspector(const RowLoop &Rows, const LoopInfo &LI) {
  return InspectorBuilder(Rows, LI).build();
}

} // namespace specrt
