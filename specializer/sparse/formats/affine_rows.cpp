//===- specializer/sparse/formats/affine_rows.cpp - rows with affine integers ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/classes/class_body.h"
#include "specializer/sparse/formats/format.h"
#include "specializer/sparse/formats/register_blocks.h"
#include "specializer/sparse/formats/segment_loops.h"

using namespace llvm;

namespace specrt {
namespace {

/// Emits, behind \p Before, as many rows of a segment as fill vectors. Returns the block that
/// executes the remaining rows, and the first of these; \p Before and 0 if there are no vectors.
std::pair<BasicBlock *, Value *> addVectors(SegmentLoops &To, unsigned I, BasicBlock &Before,
                                            ArrayRef<Value *> Known) {
  IRBuilder<> &B = To.B;
  const specrt_row_class &Class = To.Of.Classes[I];
  const ClassScript &Script = *To.Of.script(I);
  const unsigned Lanes = lanesOf(Script, To.Of.VectorBytes);
  std::optional<LanePlan> Plan;
  if (Lanes > 1)
    Plan = LanePlan::make(To.Of.Rows, Class, Script, LaneRelation::neighbours(Lanes, Class));
  if (!Plan)
    return {&Before, B.getInt64(0)};
  BasicBlock *Loop = To.block("class.vectors"), *After = To.block("class.others");
  BasicBlock *Others = To.block("class.rest");
  Value *Whole = B.CreateAnd(To.Segment.Count, B.getInt64(-uint64_t(Lanes)));
  B.CreateCondBr(B.CreateIsNull(Whole), After, Loop);
  B.SetInsertPoint(Loop);
  const LaneSet Set = {.Plan = &*Plan,
                       .Of = {.T = nullptr, .Row = {To.Segment.First}, .Origins = {Known}},
                       .ReadsAhead = true};
  To.addLaneLoop(Script, Set, Before, Whole, Lanes, *After);
  B.SetInsertPoint(After);
  B.CreateCondBr(B.CreateICmpULT(Whole, To.Segment.Count), Others, To.Segment.Next);
  B.SetInsertPoint(Others);
  return {Others, Whole};
}

/// Rows at the class's distance, in vectors if possible.
class AffineRows final : public Format {
public:
  constexpr AffineRows() : Format(SPECRT_SEGMENT_AFFINE) {}

  bool matches(const LoopClasses &Of, unsigned I, ArrayRef<ClassCode>) const override {
    return Of.script(I);
  }
  BasicBlock *emit(SegmentLoops &Into, unsigned I) const override {
    IRBuilder<> &B = Into.B;
    const specrt_row_class &Class = Into.Of.Classes[I];
    BasicBlock *Before = Into.block("class");
    B.SetInsertPoint(Before);
    const SmallVector<Value *> Known = Into.loadOrigins(Class);
    // Rows that fit blocks but are in no block are rare, so they get no vectors.
    const bool IsRare = !blockPlans(Into.Of, I).empty();
    BasicBlock *Begin = Before;
    Value *From = B.getInt64(0);
    if (!IsRare)
      std::tie(Begin, From) = addVectors(Into, I, *Before, Known);
    BasicBlock *Loop = Into.block("class.rows");
    B.CreateBr(Loop);
    B.SetInsertPoint(Loop);
    PHINode *T = Into.countFrom(From, *Begin);
    Value *Since = B.CreateMul(T, B.getInt64(Class.step), "", true, true);
    Value *Row = B.CreateAdd(Into.Segment.First, Since, "row", true, true);
    ClassBody(Into.Of.Rows, Class, *Into.Of.script(I), Into.Outer).build(B, Row, T, Known);
    Instruction *Latch = Into.countOn(*T, *Loop);
    if (IsRare || Begin != Before)
      forbidVectors(*Latch);
    return Before;
  }
};

constexpr AffineRows TheAffineRows;

} // namespace

const Format &affineRows() { return TheAffineRows; }

} // namespace specrt
