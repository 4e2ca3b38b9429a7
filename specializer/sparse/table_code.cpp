//===- specializer/sparse/table_code.cpp - executes rows by a table -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/table_code.h"
#include "specializer/loops/loop_copy.h"
#include "specializer/loops/parallel_worker.h"
#include "specializer/sparse/loops/row_inputs.h"

using namespace llvm;

namespace specrt {
namespace {

/// Builds void (ptr words, i64 begin, i64 end), which executes the segments from begin to end. The
/// words are the inputs, then the table.
Function *buildSegments(const RowLoop &Rows, Function &Runner) {
  Function &F = *Rows.L->getHeader()->getParent();
  IRBuilder<> B(F.getContext());
  Type *Word = B.getInt64Ty();
  Function *Segments =
      createLike(F, B.getVoidTy(), {B.getPtrTy(), Word, Word}, F.getName() + ".rows.segments");
  B.SetInsertPoint(BasicBlock::Create(F.getContext(), "entry", Segments));
  SmallVector<Value *> Arguments;
  for (unsigned I = 0; I < Rows.Inputs.size(); ++I)
    Arguments.push_back(unpackInput(B, Rows, Segments->getArg(0), I));
  Value *Table = B.CreateLoad(
      B.getPtrTy(), B.CreateConstInBoundsGEP1_64(Word, Segments->getArg(0), Rows.Inputs.size()));
  append_range(Arguments, ArrayRef<Value *>{Table, Segments->getArg(1), Segments->getArg(2)});
  B.CreateCall(&Runner, Arguments);
  B.CreateRetVoid();
  return Segments;
}

/// Builds a worker that takes parts until none is left, with the words of buildSegments.
Function *buildWorker(const RowLoop &Rows, Function &Segments) {
  Function &F = *Rows.L->getHeader()->getParent();
  Value *Words = nullptr, *Table = nullptr, *Share = nullptr, *Lent = nullptr;
  const auto OfTable = [&](IRBuilder<> &B, size_t Offset) {
    return B.CreateLoad(B.getPtrTy(), B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Table, Offset));
  };
  const auto LoadTable = [&](IRBuilder<> &B, Value *At) -> Value * {
    Words = At;
    Type *Pointer = B.getPtrTy(), *Word = B.getInt64Ty();
    Table = B.CreateLoad(Pointer, B.CreateConstInBoundsGEP1_64(Word, Words, Rows.Inputs.size()));
    Share = OfTable(B, offsetof(specrt_rows_table, share));
    if (!Rows.hasNotes())
      return nullptr;
    Words = B.CreateAlloca(ArrayType::get(Word, Rows.Inputs.size() + 1));
    auto *T = FunctionType::get(B.getInt32Ty(), {Pointer, Pointer, Pointer}, false);
    CallInst *Call =
        B.CreateCall(T, OfTable(B, offsetof(specrt_rows_table, lend)), {Table, At, Words});
    Call->setDoesNotThrow();
    Lent = Call;
    return B.CreateIsNotNull(Lent);
  };
  const auto Execute = [&](IRBuilder<> &B, Value *From, Value *To) {
    if (!Rows.MayDepend) {
      B.CreateCall(&Segments, {Words, From, To});
      return;
    }
    Function *Worker = B.GetInsertBlock()->getParent();
    auto *InAnyOrder = BasicBlock::Create(F.getContext(), "any", Worker);
    auto *InOrder = BasicBlock::Create(F.getContext(), "order", Worker);
    auto *Next = BasicBlock::Create(F.getContext(), "next", Worker);
    B.CreateCondBr(B.CreateIsNull(Share), InAnyOrder, InOrder);
    B.SetInsertPoint(InAnyOrder);
    B.CreateCall(&Segments, {Words, From, To});
    B.CreateBr(Next);
    B.SetInsertPoint(InOrder);
    Type *Pointer = B.getPtrTy();
    B.CreateCall(FunctionType::get(B.getVoidTy(), {Pointer, Pointer, Pointer}, false), Share,
                 {Table, &Segments, Words})
        ->setDoesNotThrow();
    B.CreateBr(Next);
    B.SetInsertPoint(Next);
  };
  const auto GiveBack = [&](IRBuilder<> &B) {
    if (!Lent)
      return;
    auto *T = FunctionType::get(B.getVoidTy(), {B.getPtrTy(), B.getInt32Ty()}, false);
    B.CreateCall(T, OfTable(B, offsetof(specrt_rows_table, give_back)), {Table, Lent})
        ->setDoesNotThrow();
  };
  return buildParallelWorker(F, F.getName() + ".rows.worker",
                             {.Begin = LoadTable, .Part = Execute, .End = GiveBack});
}

} // namespace

Function &TableCode::segments() {
  if (!Segments)
    Segments = buildSegments(Rows, Runner);
  return *Segments;
}

Function &TableCode::worker() {
  if (!Worker)
    Worker = buildWorker(Rows, segments());
  return *Worker;
}

void TableCode::runInParallel(IRBuilderBase &B, Value *Words, Value *Table) {
  B.CreateStore(Table, B.CreateConstInBoundsGEP1_64(B.getInt64Ty(), Words, Rows.Inputs.size()));
  runParallelWorker(B, worker(), Words, B.getInt32(0),
                    loadField(B, B.getInt64Ty(), Table, offsetof(specrt_rows_table, num_parts)));
}

/// Emits the choice between threads and one thread; \p Alone emits the code for one.
void TableCode::choose(IRBuilder<> &B, Value *Words, Value *Table, function_ref<void()> Alone) {
  if (!MayShare)
    return Alone();
  BasicBlock *Before = B.GetInsertBlock();
  Function &F = *Before->getParent();
  BasicBlock *Next = Before->getNextNode();
  auto *Shared = BasicBlock::Create(F.getContext(), "rows.shared", &F, Next);
  auto *ByOne = BasicBlock::Create(F.getContext(), "rows.alone", &F, Next);
  auto *Over = BasicBlock::Create(F.getContext(), "rows.over", &F, Next);
  Value *IsParallel =
      loadField(B, B.getInt32Ty(), &SparseLoop, offsetof(specrt_sparse_loop, is_parallel));
  B.CreateCondBr(B.CreateIsNotNull(IsParallel), Shared, ByOne);
  B.SetInsertPoint(Shared);
  runInParallel(B, Words, Table);
  B.CreateBr(Over);
  B.SetInsertPoint(ByOne);
  Alone();
  B.CreateBr(Over);
  B.SetInsertPoint(Over);
}

void TableCode::run(IRBuilder<> &B, Value *Words, Value *Table) {
  choose(B, Words, Table, [&] {
    SmallVector<Value *> Arguments(Rows.Inputs.begin(), Rows.Inputs.end());
    Value *Count = loadField(B, B.getInt64Ty(), Table, offsetof(specrt_rows_table, num_segments));
    append_range(Arguments, ArrayRef<Value *>{Table, B.getInt64(0), Count});
    B.CreateCall(&Runner, Arguments);
  });
}

void TableCode::runPacked(IRBuilder<> &B, Value *Words, Value *Table) {
  choose(B, Words, Table, [&] {
    Type *Word = B.getInt64Ty();
    B.CreateStore(Table, B.CreateConstInBoundsGEP1_64(Word, Words, Rows.Inputs.size()));
    B.CreateCall(&segments(),
                 {Words, B.getInt64(0),
                  loadField(B, Word, Table, offsetof(specrt_rows_table, num_segments))});
  });
}

} // namespace specrt
