//===- specializer/sparse/formats/register_blocks.cpp - blocks of consecutive rows ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/formats/register_blocks.h"
#include "specializer/sparse/formats/format.h"
#include "specializer/sparse/formats/segment_loops.h"

using namespace llvm;

namespace specrt {
namespace {

/// Returns the numbers of rows in the vectors of a block. Three rows use a vector of four.
SmallVector<unsigned> partsOf(unsigned Rows, unsigned Lanes) {
  SmallVector<unsigned> Parts;
  for (unsigned Left = Rows; Left > 0; Left -= Parts.back())
    Parts.push_back(Left >= Lanes ? Lanes : Left == 3 ? 3 : llvm::bit_floor(Left));
  return Parts;
}

/// Blocks with their rows in lanes.
class RegisterBlocks final : public Format {
public:
  constexpr RegisterBlocks() : Format(SPECRT_SEGMENT_REGISTER_BLOCKS) {}

  bool matches(const LoopClasses &Of, unsigned I, ArrayRef<ClassCode>) const override {
    return !blockPlans(Of, I).empty();
  }
  BasicBlock *emit(SegmentLoops &Into, unsigned I) const override {
    IRBuilder<> &B = Into.B;
    const specrt_row_class &Class = Into.Of.Classes[I];
    const std::vector<LanePlan> Plans = blockPlans(Into.Of, I);
    BasicBlock *Before = Into.block("blocks"), *Loop = Into.block("blocks.rows");
    B.SetInsertPoint(Before);
    const SmallVector<Value *> First = Into.loadOrigins(Class);
    SmallVector<SmallVector<Value *>> Known(Plans.size(), First); // of the first row of each part
    SmallVector<LaneSet> Sets;
    uint64_t Row = 0;
    for (auto [Plan, Words] : zip_equal(Plans, Known)) {
      for (unsigned Entry = 0; Entry < Class.num_entries; ++Entry)
        if (Words[Entry])
          Words[Entry] =
              B.CreateAdd(Words[Entry], B.getInt64(uint64_t(Class.entries[Entry].apart) * Row));
      Value *FirstRow = B.CreateAdd(Into.Segment.First, B.getInt64(Row));
      Sets.push_back({.Plan = &Plan, .Of = {.T = nullptr, .Row = {FirstRow}, .Origins = {Words}}});
      Row += Plan.lanes().Rows;
    }
    B.CreateBr(Loop);
    B.SetInsertPoint(Loop);
    Into.addLaneLoop(*Into.Of.script(I), Sets, *Before, Into.Segment.Count, 1, *Into.Segment.Next);
    return Before;
  }
};

/// The same blocks, with the rows one after the other in the order of memory.
class StreamedBlocks final : public Format {
public:
  constexpr StreamedBlocks() : Format(SPECRT_SEGMENT_STREAMED_BLOCKS) {}

  bool matches(const LoopClasses &Of, unsigned I, ArrayRef<ClassCode>) const override {
    return !blockPlans(Of, I).empty();
  }
  BasicBlock *emit(SegmentLoops &Into, unsigned I) const override {
    IRBuilder<> &B = Into.B;
    const specrt_row_class &Class = Into.Of.Classes[I];
    const ClassScript &Script = *Into.Of.script(I);
    const std::optional<LanePlan> Plan =
        LanePlan::make(Into.Of.Rows, Class, Script, LaneRelation::ofBlock(1, Class));
    BasicBlock *Before = Into.block("streamed.blocks"), *Begin = Into.block("block"),
               *Loop = Into.block("block.row"), *End = Into.block("block.end");
    B.SetInsertPoint(Before);
    const SmallVector<Value *> First = Into.loadOrigins(Class);
    B.CreateBr(Begin);
    B.SetInsertPoint(Begin);
    PHINode *T = Into.countFrom(B.getInt64(0), *Before);
    B.CreateBr(Loop);
    B.SetInsertPoint(Loop);
    PHINode *Row = Into.countFrom(B.getInt64(0), *Begin);
    SmallVector<Value *> Known(First);
    for (unsigned Entry = 0; Entry < Class.num_entries; ++Entry)
      if (const int64_t Apart = Class.entries[Entry].apart; Known[Entry] && Apart != 0)
        Known[Entry] = B.CreateAdd(Known[Entry], B.CreateMul(Row, B.getInt64(uint64_t(Apart))));
    LaneBody Body(Into.Of.Rows, Script, *Plan, Into.Outer);
    Body.readAhead();
    Body.begin(B, {.T = T, .Row = {B.CreateAdd(Into.Segment.First, Row)}, .Origins = {Known}},
               *Begin);
    executeTogether(B, Body, Script.size());
    Value *NextRow = B.CreateAdd(Row, B.getInt64(1), "", true, true);
    Row->addIncoming(NextRow, Loop);
    Instruction *Latch =
        B.CreateCondBr(B.CreateICmpULT(NextRow, B.getInt64(Class.step)), Loop, End);
    forbidVectors(*Latch);
    B.SetInsertPoint(End);
    Into.countOn(*T, *Begin);
    return Before;
  }
};

constexpr RegisterBlocks TheRegisterBlocks;
constexpr StreamedBlocks TheStreamedBlocks;

} // namespace

std::vector<LanePlan> blockPlans(const LoopClasses &Of, unsigned I) {
  const specrt_row_class &Class = Of.Classes[I];
  const ClassScript *Script = Of.script(I);
  if (!Script || Class.step == 1 ||
      any_of(ArrayRef(Class.entries, Class.num_entries), [](const specrt_row_entry &E) {
        return E.kind == SPECRT_ROW_VALUE && !(E.ties & SPECRT_ROW_APART);
      }))
    return {};
  const unsigned Lanes = lanesOf(*Script, Of.VectorBytes);
  if (Lanes == 1)
    return {};
  std::vector<LanePlan> Plans;
  for (const unsigned Part : partsOf(Class.step, Lanes)) {
    std::optional<LanePlan> Plan =
        LanePlan::make(Of.Rows, Class, *Script, LaneRelation::ofBlock(Part, Class));
    if (!Plan)
      return {};
    Plans.push_back(std::move(*Plan));
  }
  return Plans;
}

const Format &registerBlocks() { return TheRegisterBlocks; }
const Format &streamedBlocks() { return TheStreamedBlocks; }

} // namespace specrt
