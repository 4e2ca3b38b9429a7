//===- specializer/sparse/formats/runner.cpp - segments of rows, class by class ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/formats/runner.h"
#include "specializer/loops/loop_copy.h"
#include "specializer/sparse/formats/segment_loops.h"
#include "specializer/sparse/formats/segment_switch.h"
#include "specializer/sparse/loops/row_inputs.h"

using namespace llvm;

namespace specrt {
namespace {

/// Emits the code for all kinds of segments. The switch over the record at \p Record, at the end
/// of \p B's block, leads to it.
void addCode(IRBuilderBase &B, Value *Record, SegmentLoops &Loops, ArrayRef<ClassCode> Codes) {
  SegmentSwitch Which(B, Record, Codes.size(), asWritten().emit(Loops, 0));
  if (listedAsWritten().matches(Loops.Of, 0, {}))
    Which.add(listedAsWritten().kind(), 0, listedAsWritten().emit(Loops, 0));
  for (auto [I, Code] : enumerate(Codes))
    for (const Format *Each : allFormats())
      if (Code.runs(Each->kind()))
        Which.add(Each->kind(), unsigned(I), Each->emit(Loops, unsigned(I)));
}

} // namespace

Function *buildRunner(const LoopClasses &Of, ArrayRef<ClassCode> Codes) {
  const RowLoop &Rows = Of.Rows;
  LLVMContext &Context = Rows.L->getHeader()->getContext();
  IRBuilder<> B(Context);
  Type *Word = B.getInt64Ty(), *Pointer = B.getPtrTy();
  Function *New = createWithInputs(Rows, {Pointer, Word, Word}, ".rows");
  ValueToValueMapTy Outer; // inputs to arguments
  mapInputs(Rows, *New, Outer);
  Value *Table = New->getArg(unsigned(Rows.Inputs.size()));
  Value *Begin = New->getArg(unsigned(Rows.Inputs.size()) + 1);
  Value *End = New->getArg(unsigned(Rows.Inputs.size()) + 2);
  auto *Entry = BasicBlock::Create(Context, "entry", New);
  auto *Head = BasicBlock::Create(Context, "segment", New);
  SegmentValues Segment;
  Segment.Next = BasicBlock::Create(Context, "segment.end", New);
  auto *Exit = BasicBlock::Create(Context, "exit", New);
  ReturnInst::Create(Context, Exit);

  B.SetInsertPoint(Entry);
  Value *Segments = loadField(B, Pointer, Table, offsetof(specrt_rows_table, segments));
  B.CreateCondBr(B.CreateICmpULT(Begin, End), Head, Exit);
  B.SetInsertPoint(Head);
  PHINode *Number = B.CreatePHI(Word, 2, "segment.number");
  Number->addIncoming(Begin, Entry);
  Value *At = B.CreateInBoundsGEP(ArrayType::get(B.getInt8Ty(), sizeof(specrt_rows_segment)),
                                  Segments, Number);
  Segment.Origins = loadField(B, Pointer, At, offsetof(specrt_rows_segment, origins));
  Segment.First = loadField(B, Word, At, offsetof(specrt_rows_segment, first));
  Segment.Count = loadField(B, Word, At, offsetof(specrt_rows_segment, count));
  SegmentLoops Loops(Of, *New, Outer, Segment);
  addCode(B, At, Loops, Codes);
  B.SetInsertPoint(Segment.Next);
  Value *Following = B.CreateAdd(Number, B.getInt64(1), "", true, true);
  Number->addIncoming(Following, Segment.Next);
  B.CreateCondBr(B.CreateICmpULT(Following, End), Head, Exit);
  return New;
}

} // namespace specrt
