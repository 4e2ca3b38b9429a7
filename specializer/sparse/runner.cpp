//===- specializer/sparse/runner.cpp - segments of rows, class by class ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/class_body.h"
#include "specializer/sparse/loop_copy.h"
#include "specializer/sparse/row_code.h"

using namespace llvm;

namespace specrt {
namespace {

class RunnerBuilder {
public:
  RunnerBuilder(const RowLoop &Rows, const LoopInfo &LI, ArrayRef<specrt_row_class> Classes)
      : Rows(Rows), LI(LI), Classes(Classes), F(*Rows.L->getHeader()->getParent()),
        Context(F.getContext()), B(Context), Word(B.getInt64Ty()), Pointer(B.getPtrTy()) {}

  Function *build();

private:
  Value *field(Value *Of, Type *T, size_t Offset) {
    return B.CreateLoad(T, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Of, Offset));
  }
  void createFunction();
  void addRest();
  void addClass(unsigned Number, SwitchInst &Which);

  const RowLoop &Rows;
  const LoopInfo &LI;
  const ArrayRef<specrt_row_class> Classes;
  Function &F;
  LLVMContext &Context;
  IRBuilder<> B;
  IntegerType *const Word;
  PointerType *const Pointer;
  Function *New = nullptr;
  ValueToValueMapTy Outer; ///< inputs to arguments
  BasicBlock *Next = nullptr, *Rest = nullptr;
  Value *Origins = nullptr, *First = nullptr, *Count = nullptr;
};

void RunnerBuilder::createFunction() {
  SmallVector<Type *> Types;
  for (Value *Input : Rows.Inputs)
    Types.push_back(Input->getType());
  append_range(Types, ArrayRef<Type *>{Pointer, Word, Word});
  New = createLike(F, B.getVoidTy(), Types, F.getName() + ".rows");
  New->addFnAttr(Attribute::NoInline);
  for (auto [I, Input] : enumerate(Rows.Inputs)) {
    Outer[Input] = New->getArg(unsigned(I));
    // A table exists only where accesses through different bases are apart.
    if (I < Rows.Bases.size())
      New->addParamAttr(unsigned(I), Attribute::NoAlias);
  }
}

/// Any rows, as they were written: from First on, with what the row before gives.
void RunnerBuilder::addRest() {
  ValueToValueMapTy Map;
  for (const auto &Entry : Outer)
    Map[Entry.first] = Entry.second;
  const Loop &L = *Rows.L;
  Map[L.getLoopPreheader()] = Rest;
  Map[L.getExitBlock()] = Next;
  copyLoop(L, *New, Map);
  auto *Header = cast<BasicBlock>(Map.lookup(L.getHeader()));
  auto *Latch = cast<BasicBlock>(Map.lookup(L.getLoopLatch()));

  B.SetInsertPoint(Rest);
  for (const RowCounter &C : Rows.Counters) {
    auto *Phi = cast<PHINode>(Map.lookup(C.Phi));
    Value *Start = Phi->getIncomingValueForBlock(Rest);
    Value *Begin = nullptr;
    if (Phi->getType()->isPointerTy()) {
      Begin = B.CreateGEP(B.getInt8Ty(), Start,
                          B.CreateMul(First, B.getInt64(uint64_t(C.Step.getSExtValue()))));
    } else {
      Type *T = Phi->getType();
      Value *By = ConstantInt::get(T, C.Step.sextOrTrunc(T->getIntegerBitWidth()));
      Begin = B.CreateAdd(Start, B.CreateMul(B.CreateZExtOrTrunc(First, T), By));
    }
    Phi->setIncomingValueForBlock(Rest, Begin);
  }
  for (auto [I, Original] : enumerate(Rows.Carried)) {
    auto *Phi = cast<PHINode>(Map.lookup(Original));
    Value *V = B.CreateLoad(Word, B.CreateConstInBoundsGEP1_64(Word, Origins, I));
    Phi->setIncomingValueForBlock(Rest, Phi->getType()->isPointerTy()
                                            ? B.CreateIntToPtr(V, Phi->getType())
                                            : B.CreateTrunc(V, Phi->getType()));
  }
  B.CreateBr(Header);

  PHINode *Done = PHINode::Create(Word, 2, "rows.done", Header->begin());
  Done->addIncoming(B.getInt64(0), Rest);
  auto *Branch = cast<BranchInst>(Latch->getTerminator());
  B.SetInsertPoint(Branch);
  Value *Following = B.CreateAdd(Done, B.getInt64(1), "", true, true);
  Done->addIncoming(Following, Latch);
  Branch->setCondition(B.CreateICmpEQ(Following, Count));
  Branch->setSuccessor(0, Next);
  Branch->setSuccessor(1, Header);
  Branch->setMetadata(LLVMContext::MD_prof, nullptr);
}

void RunnerBuilder::addClass(unsigned Number, SwitchInst &Which) {
  const specrt_row_class &Class = Classes[Number];
  ClassBody Body(Rows, LI, Class, Outer);
  if (!Body.fits())
    return;
  auto *Before = BasicBlock::Create(Context, "class", New);
  auto *Loop = BasicBlock::Create(Context, "class.rows", New);
  Which.addCase(B.getInt32(Number), Before);
  B.SetInsertPoint(Before);
  SmallVector<Value *> Known(Class.num_entries);
  for (unsigned I = 0; I < Class.num_entries; ++I)
    if (Class.entries[I].mode == SPECRT_ROW_AFFINE)
      Known[I] = B.CreateLoad(Word, B.CreateConstInBoundsGEP1_64(Word, Origins, I));
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *T = B.CreatePHI(Word, 2, "t");
  T->addIncoming(B.getInt64(0), Before);
  Value *Row =
      B.CreateAdd(First, B.CreateMul(T, B.getInt64(Class.step), "", true, true), "row", true, true);
  Body.build(B, Row, T, Known);
  Value *Following = B.CreateAdd(T, B.getInt64(1), "", true, true);
  T->addIncoming(Following, B.GetInsertBlock());
  B.CreateCondBr(B.CreateICmpEQ(Following, Count), Next, Loop);
}

Function *RunnerBuilder::build() {
  createFunction();
  Value *Table = New->getArg(unsigned(Rows.Inputs.size()));
  Value *Begin = New->getArg(unsigned(Rows.Inputs.size()) + 1);
  Value *End = New->getArg(unsigned(Rows.Inputs.size()) + 2);
  auto *Entry = BasicBlock::Create(Context, "entry", New);
  auto *Head = BasicBlock::Create(Context, "segment", New);
  Rest = BasicBlock::Create(Context, "rest", New);
  Next = BasicBlock::Create(Context, "segment.end", New);
  auto *Exit = BasicBlock::Create(Context, "exit", New);
  ReturnInst::Create(Context, Exit);

  B.SetInsertPoint(Entry);
  Value *Segments = field(Table, Pointer, offsetof(specrt_rows_table, segments));
  B.CreateCondBr(B.CreateICmpULT(Begin, End), Head, Exit);
  B.SetInsertPoint(Head);
  PHINode *Number = B.CreatePHI(Word, 2, "segment.number");
  Number->addIncoming(Begin, Entry);
  Value *Segment = B.CreateInBoundsGEP(ArrayType::get(B.getInt8Ty(), sizeof(specrt_rows_segment)),
                                       Segments, Number);
  Origins = field(Segment, Pointer, offsetof(specrt_rows_segment, origins));
  First = field(Segment, Word, offsetof(specrt_rows_segment, first));
  Count = field(Segment, Word, offsetof(specrt_rows_segment, count));
  SwitchInst *Which = B.CreateSwitch(
      field(Segment, B.getInt32Ty(), offsetof(specrt_rows_segment, class_number)), Rest);
  B.SetInsertPoint(Next);
  Value *Following = B.CreateAdd(Number, B.getInt64(1), "", true, true);
  Number->addIncoming(Following, Next);
  B.CreateCondBr(B.CreateICmpULT(Following, End), Head, Exit);

  addRest();
  for (unsigned I = 0; I < Classes.size(); ++I)
    addClass(I, *Which);
  return New;
}

} // namespace

Function *buildRunner(const RowLoop &Rows, const LoopInfo &LI, ArrayRef<specrt_row_class> Classes) {
  return RunnerBuilder(Rows, LI, Classes).build();
}

} // namespace specrt
