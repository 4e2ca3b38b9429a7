//===- specializer/sparse/inspect/inspector.cpp - builds the inspector of a row loop -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/inspect/inspector.h"
#include "specializer/loops/loop_copy.h"
#include "specializer/sparse/inspect/row_extents.h"
#include "specializer/sparse/inspect/run_prediction_code.h"
#include "specializer/sparse/loops/row_inputs.h"
#include "specializer/sparse/loops/row_notes.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace specrt {

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
  Value *field(IRBuilderBase &B, Type *T, size_t Offset) { return loadField(B, T, Trace, Offset); }
  BasicBlock *of(const BasicBlock *BB) { return cast<BasicBlock>(Map.lookup(BB)); }
  Value *place(IRBuilderBase &B, Value *Number, Value *Most);
  Value *place(IRBuilderBase &B, Value *Number) {
    return place(B, Number, B.getInt64(SPECRT_ROWS_ROOM - 1));
  }
  /// Returns the address of entry \p At of an array of words of the phase.
  Value *ofPhase(IRBuilderBase &B, size_t Array, Value *At) {
    return B.CreateInBoundsGEP(Word, B.CreateConstInBoundsGEP1_64(Byte, OfPhase, Array), At);
  }
  void compare(IRBuilderBase &B, Value *At, Value *V, bool IsControl);
  void write(IRBuilderBase &B, Value *At, Value *V, bool IsControl);
  void emit(IRBuilderBase &B, unsigned Kind, Value *V, const RowOrigin &From = {});
  Value *asWord(IRBuilderBase &B, Value *V);
  void beginRow();
  Value *notes(IRBuilderBase &B, size_t Offset);
  void storeNote(IRBuilderBase &B, const Instruction &I, Value *From);
  void loadNote(IRBuilderBase &B, const Instruction &I, Value *From);
  void endNotes(IRBuilderBase &B);
  void noteAccess(const Instruction &I);
  void noteOrder(IRBuilderBase &B, const Instruction &I, Value *From);
  void noteLoop(const Loop &Inner);
  void noteBranch(const BasicBlock &BB);
  Value *isPredicted(IRBuilderBase &B, Value *Silent);
  void passSilently(IRBuilderBase &B, Value *Silent);
  Value *tell(IRBuilderBase &B);
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
  Value *Trace = nullptr, *OfPhase = nullptr; ///< of the current row
  Value *Accesses = nullptr, *LastAccess = nullptr, *Notes = nullptr;
  AllocaInst *Phase = nullptr, *Count = nullptr, *Differs = nullptr;
  AllocaInst *NumAccesses = nullptr;
  std::optional<RowExtents> Extents;
  std::optional<RunPredictionCode> Prediction; ///< set if the loop is linear
};

/// Returns the index for entry \p Number: entries that have no room share the last place, \p Most.
Value *InspectorBuilder::place(IRBuilderBase &B, Value *Number, Value *Most) {
  return B.CreateSelect(B.CreateICmpULT(Number, Most), Number, Most);
}

/// Compares entry \p At with its prediction. Trip counts and branches do not change.
void InspectorBuilder::compare(IRBuilderBase &B, Value *At, Value *V, bool IsControl) {
  Value *Before = B.CreateLoad(Word, ofPhase(B, offsetof(specrt_row_phase, values), At));
  Value *Delta = ofPhase(B, offsetof(specrt_row_phase, deltas), At);
  Value *By = IsControl ? B.CreateXor(V, Before)
                        : B.CreateXor(B.CreateSub(V, Before), B.CreateLoad(Word, Delta));
  B.CreateStore(B.CreateOr(B.CreateLoad(Word, Differs), By), Differs);
}

void InspectorBuilder::write(IRBuilderBase &B, Value *At, Value *V, bool IsControl) {
  compare(B, At, V, IsControl);
  B.CreateStore(V, ofPhase(B, offsetof(specrt_row_phase, values), At));
}

void InspectorBuilder::emit(IRBuilderBase &B, unsigned Kind, Value *V, const RowOrigin &From) {
  Value *Number = B.CreateLoad(Word, Count);
  Value *At = place(B, Number);
  if (V)
    write(B, At, V, Kind != SPECRT_ROW_VALUE);
  if (Prediction)
    Prediction->write(B, At, From);
  Value *Kinds = B.CreateConstInBoundsGEP1_64(Byte, Trace, offsetof(specrt_row_trace, kinds));
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
  B.CreateStore(ConstantInt::get(Word, 0), Differs);
  OfPhase = B.CreateLoad(Pointer, Phase);
  if (Prediction)
    Prediction->beginRow(OfPhase);
  Extents->beginRow(B);
  for (PHINode *Phi : Rows.Carried)
    emit(B, SPECRT_ROW_VALUE, asWord(B, Map.lookup(Phi)), RunPredictionCode::ofCarried(B, *Phi));
}

/// Records accesses to memory that rows write, from which libspecrt.so derives the order of rows.
void InspectorBuilder::noteOrder(IRBuilderBase &B, const Instruction &I, Value *From) {
  const uint64_t Bytes = F.getDataLayout().getTypeStoreSize(getLoadStoreType(&I));
  static_assert(sizeof(specrt_row_access) == 16);
  Value *Number = B.CreateLoad(Word, NumAccesses);
  Value *At = B.CreateInBoundsGEP(ArrayType::get(Word, 2), Accesses, place(B, Number, LastAccess));
  B.CreateStore(From, At);
  const uint64_t Which = 2 * uint64_t{Rows.BaseOf.lookup(&I)} + isa<StoreInst>(I);
  B.CreateStore(ConstantInt::get(Word, Bytes | Which << 32),
                B.CreateConstInBoundsGEP1_64(Word, At, 1));
  B.CreateStore(B.CreateAdd(Number, ConstantInt::get(Word, 1)), NumAccesses);
}

Value *InspectorBuilder::notes(IRBuilderBase &B, size_t Offset) {
  return B.CreateConstInBoundsGEP1_64(Byte, Notes, Offset);
}

/// Records the store of a note. Only constants and deciding values are known here.
void InspectorBuilder::storeNote(IRBuilderBase &B, const Instruction &I, Value *From) {
  Value *V = cast<StoreInst>(Map.lookup(&I))->getValueOperand();
  const bool Decides = Rows.Bases[Rows.BaseOf.lookup(&I)].Flags & SPECRT_ROWS_DECIDES;
  const bool IsKnown = Decides || isClear(cast<StoreInst>(I));
  const auto Bits = unsigned(V->getType()->getPrimitiveSizeInBits());
  Value *Stored = ConstantInt::get(Word, 0);
  if (IsKnown)
    Stored = B.CreateZExt(B.CreateBitCast(V, B.getIntNTy(Bits)), Word);
  auto *T = FunctionType::get(B.getVoidTy(), {Pointer, Word, B.getInt32Ty(), Word, B.getInt32Ty()},
                              false);
  CallInst *Call =
      B.CreateCall(T, B.CreateLoad(Pointer, notes(B, offsetof(specrt_row_notes, store))),
                   {Notes, From, B.getInt32(Bits / 8), Stored, B.getInt32(IsKnown)});
  Call->setDoesNotThrow();
  Extents->access(I, *Call, From);
}

void InspectorBuilder::loadNote(IRBuilderBase &B, const Instruction &I, Value *From) {
  auto *Copy = cast<LoadInst>(Map.lookup(&I));
  const auto Bits = unsigned(Copy->getType()->getPrimitiveSizeInBits());
  auto *T = FunctionType::get(Word, {Pointer, Word, B.getInt32Ty()}, false);
  CallInst *Source =
      B.CreateCall(T, B.CreateLoad(Pointer, notes(B, offsetof(specrt_row_notes, load))),
                   {Notes, From, B.getInt32(Bits / 8)});
  Source->setDoesNotThrow();
  Extents->access(I, *Source, From);
  emit(B, SPECRT_ROW_SOURCE, Source);
  Value *IsUnknown = B.CreateICmpEQ(Source, ConstantInt::get(Word, SPECRT_ROWS_NO_SOURCE));
  LoadInst *Loaded = B.CreateLoad(Word, notes(B, offsetof(specrt_row_notes, loaded)));
  Extents->leaveIf(IsUnknown, *Loaded, SPECRT_ROWS_NOTED);
  if (!Rows.Deciding.contains(&I))
    return;
  Value *V = B.CreateTrunc(Loaded, Copy->getType());
  Copy->replaceAllUsesWith(V);
  emit(B, SPECRT_ROW_VALUE, asWord(B, V));
}

void InspectorBuilder::noteAccess(const Instruction &I) {
  auto *Copy = cast<Instruction>(Map.lookup(&I));
  IRBuilder<> B(Copy);
  Value *From = B.CreatePtrToInt(getLoadStorePointerOperand(Copy), Word);
  if (Rows.isOfNote(I)) {
    isa<StoreInst>(I) ? storeNote(B, I, From) : loadNote(B, I, From);
    if (isa<StoreInst>(I) || Rows.Deciding.contains(&I))
      Copy->eraseFromParent();
    return;
  }
  if (Rows.MayDepend && (Rows.Bases[Rows.BaseOf.lookup(&I)].Flags & SPECRT_ROWS_WRITTEN))
    noteOrder(B, I, From);
  Extents->access(I, *Copy, From);
  if (Rows.Deciding.contains(&I)) {
    B.SetInsertPoint(Copy->getParent(), std::next(Copy->getIterator()));
    emit(B, SPECRT_ROW_VALUE, asWord(B, Copy),
         Prediction ? Prediction->ofLoad(B, I, From) : RowOrigin());
  } else if (isa<StoreInst>(Copy)) {
    Copy->eraseFromParent();
  }
}

/// Reserves an entry for the trip count where a loop begins.
void InspectorBuilder::noteLoop(const Loop &Inner) {
  if (Rows.Opaque.contains(&Inner))
    return;
  for (const Loop *Sub : Inner)
    noteLoop(*Sub);
  if (Rows.Stepped.contains(&Inner))
    return;
  AllocaInst *At = slot("rows.at"), *Trips = slot("rows.trips");
  IRBuilder<> Before(of(Inner.getLoopPreheader())->getTerminator());
  Before.CreateStore(place(Before, Before.CreateLoad(Word, Count)), At);
  emit(Before, SPECRT_ROW_TRIPS, nullptr);
  Before.CreateStore(ConstantInt::get(Word, 0), Trips);
  BasicBlock *Header = of(Inner.getHeader());
  IRBuilder<> B(Header, Header->getFirstInsertionPt());
  B.CreateStore(B.CreateAdd(B.CreateLoad(Word, Trips), ConstantInt::get(Word, 1)), Trips);
  BasicBlock *Exit = of(Inner.getExitBlock());
  IRBuilder<> After(Exit, Exit->getFirstInsertionPt());
  Value *Place = After.CreateLoad(Word, At);
  write(After, Place, After.CreateLoad(Word, Trips), /*IsControl=*/true);
  if (Prediction) {
    const auto *Leaves = cast<BranchInst>(Inner.getExitingBlock()->getTerminator());
    Prediction->write(After, Place, Prediction->ofBranch(After, *Leaves));
  }
}

void InspectorBuilder::noteBranch(const BasicBlock &BB) {
  const auto *Branch = cast<BranchInst>(BB.getTerminator());
  if (!Branch->isConditional() || &BB == Rows.L->getLoopLatch() || Rows.opaqueAround(LI, &BB))
    return;
  if (Rows.leavesCounted(*LI.getLoopFor(&BB), BB))
    return;
  auto *Copy = cast<BranchInst>(of(&BB)->getTerminator());
  IRBuilder<> B(Copy);
  emit(B, SPECRT_ROW_BRANCH, B.CreateZExt(Copy->getCondition(), Word),
       Prediction ? Prediction->ofBranch(B, *Branch) : RowOrigin());
}

/// Returns whether the row is as predicted and need not be reported.
Value *InspectorBuilder::isPredicted(IRBuilderBase &B, Value *Silent) {
  Value *Predicted = B.CreateLoad(
      Word, B.CreateConstInBoundsGEP1_64(Byte, OfPhase, offsetof(specrt_row_phase, num_entries)));
  Value *Is = B.CreateAnd(B.CreateIsNull(B.CreateLoad(Word, Differs)),
                          B.CreateICmpEQ(B.CreateLoad(Word, Count), Predicted));
  return B.CreateAnd(B.CreateAnd(Is, B.CreateIsNotNull(Silent)), Extents->arePredicted(B));
}

void InspectorBuilder::passSilently(IRBuilderBase &B, Value *Silent) {
  B.CreateStore(B.CreateSub(Silent, ConstantInt::get(Word, 1)),
                B.CreateConstInBoundsGEP1_64(Byte, Trace, offsetof(specrt_row_trace, silent)));
  Extents->pass(B);
  Value *Next = B.CreateConstInBoundsGEP1_64(Byte, OfPhase, offsetof(specrt_row_phase, next));
  B.CreateStore(B.CreateLoad(Pointer, Next), Phase);
}

/// Reports the row. Returns by how many rows to advance; 0 stops.
Value *InspectorBuilder::tell(IRBuilderBase &B) {
  const auto Store = [&](Value *V, size_t Offset) {
    B.CreateStore(V, B.CreateConstInBoundsGEP1_64(Byte, Trace, Offset));
  };
  Extents->beforeTelling(B);
  Store(B.CreateLoad(Word, NumAccesses), offsetof(specrt_row_trace, num_accesses));
  Store(B.CreateLoad(Pointer, Phase), offsetof(specrt_row_trace, phase));
  auto *T = FunctionType::get(B.getInt32Ty(), {Pointer, Word}, false);
  CallInst *GoOn = B.CreateCall(T, field(B, Pointer, offsetof(specrt_row_trace, row)),
                                {Trace, B.CreateLoad(Word, Count)});
  GoOn->setDoesNotThrow();
  B.CreateStore(field(B, Pointer, offsetof(specrt_row_trace, phase)), Phase);
  Extents->afterTelling(B);
  return GoOn;
}

void InspectorBuilder::endNotes(IRBuilderBase &B) {
  auto *T = FunctionType::get(B.getInt32Ty(), {Pointer}, false);
  CallInst *IsAsBefore =
      B.CreateCall(T, B.CreateLoad(Pointer, notes(B, offsetof(specrt_row_notes, end))), {Notes});
  IsAsBefore->setDoesNotThrow();
  Value *Stays = B.CreateICmpEQ(IsAsBefore, B.getInt32(0));
  auto *Here = cast<Instruction>(field(B, Word, offsetof(specrt_row_trace, silent)));
  Extents->leaveIf(Stays, *Here, SPECRT_ROWS_NOTED);
}

/// Reports the row unless it is as predicted, and advances unless the callback has stopped.
void InspectorBuilder::endRow() {
  auto *Branch = cast<BranchInst>(of(Rows.L->getLoopLatch())->getTerminator());
  const bool StaysOnTrue = Branch->getSuccessor(0) == of(Rows.L->getHeader());
  IRBuilder<> B(Branch);
  if (Rows.hasNotes())
    endNotes(B);
  Value *Silent = field(B, Word, offsetof(specrt_row_trace, silent));
  Value *Passes = isPredicted(B, Silent);
  Instruction *Then = nullptr, *Else = nullptr;
  SplitBlockAndInsertIfThenElse(Passes, Branch->getIterator(), &Then, &Else);
  B.SetInsertPoint(Then);
  passSilently(B, Silent);
  B.SetInsertPoint(Else);
  Value *GoOn = tell(B);
  if (Prediction) {
    Value *Stays = Prediction->goOn(*Branch, *Then, *Else, GoOn);
    B.SetInsertPoint(Branch);
    Branch->setCondition(StaysOnTrue ? Stays : B.CreateNot(Stays));
    return;
  }
  B.SetInsertPoint(Branch->getParent(), Branch->getParent()->begin());
  PHINode *Wanted = B.CreatePHI(B.getInt32Ty(), 2);
  Wanted->addIncoming(B.getInt32(1), Then->getParent());
  Wanted->addIncoming(GoOn, Else->getParent());
  B.SetInsertPoint(Branch);
  Value *Stays = B.CreateIsNotNull(Wanted), *Condition = Branch->getCondition();
  Branch->setCondition(StaysOnTrue ? B.CreateAnd(Condition, Stays)
                                   : B.CreateOr(Condition, B.CreateNot(Stays)));
}

Function *InspectorBuilder::build() {
  New = createLike(F, Type::getVoidTy(Context), {Pointer, Pointer}, F.getName() + ".inspect");
  Entry = BasicBlock::Create(Context, "entry", New);
  IRBuilder<> B(Entry);
  Trace = New->getArg(1);
  for (unsigned I = 0; I < Rows.Inputs.size(); ++I)
    Map[Rows.Inputs[I]] = unpackInput(B, Rows, New->getArg(0), I);
  Accesses = field(B, Pointer, offsetof(specrt_row_trace, accesses));
  LastAccess = B.CreateSub(field(B, Word, offsetof(specrt_row_trace, access_capacity)),
                           ConstantInt::get(Word, 1));
  Notes = field(B, Pointer, offsetof(specrt_row_trace, notes));
  Phase = IRBuilder<>(Entry, Entry->begin()).CreateAlloca(Pointer, nullptr, "rows.phase");
  B.CreateStore(field(B, Pointer, offsetof(specrt_row_trace, phase)), Phase);
  Differs = slot("rows.differs");
  Count = slot("rows.count");
  NumAccesses = slot("rows.accesses");
  Extents.emplace(Rows, LI, B, Trace);
  if (Rows.Linearity)
    Prediction.emplace(Rows, Map, B, Trace);

  auto *Exit = BasicBlock::Create(Context, "exit", New);
  IRBuilder<> Leaving(Exit);
  Extents->store(Leaving);
  Extents->storeTrouble(Leaving);
  Leaving.CreateRetVoid();
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
  for (const CallInst *Call : Rows.ReportingErrors) {
    auto *Copy = cast<CallInst>(Map.lookup(Call));
    Copy->replaceAllUsesWith(PoisonValue::get(Copy->getType())); // nothing that decides uses it
    Copy->eraseFromParent();
  }
  for (const Loop *Inner : *Rows.L)
    noteLoop(*Inner);
  endRow(); // this and the following calls change blocks
  Extents->finish(Exit);
  return New;
}

} // namespace

Function *buildInspector(const RowLoop &Rows, const LoopInfo &LI) {
  return InspectorBuilder(Rows, LI).build();
}

} // namespace specrt
