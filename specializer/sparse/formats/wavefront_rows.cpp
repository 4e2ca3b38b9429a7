//===- specializer/sparse/formats/wavefront_rows.cpp - runs of rows in lanes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/classes/class_body.h"
#include "specializer/sparse/formats/format.h"
#include "specializer/sparse/formats/segment_loops.h"

using namespace llvm;

namespace specrt {
namespace {

/// A row with more loads takes longer than the next one of its lane waits, so that groups are as
/// good as lanes.
constexpr int64_t MaxLoadsInLane = 32;

/// Rows in several lanes; the rows of a step do not wait for each other.
class WavefrontRows final : public Format {
public:
  constexpr WavefrontRows() : Format(SPECRT_SEGMENT_WAVEFRONT) {}

  bool matches(const LoopClasses &Of, unsigned I, ArrayRef<ClassCode>) const override {
    return mayHaveLanes(Of, I) && count_if(*Of.script(I), [](const RowStep &Step) {
                                    return Step.Is == RowStep::Kind::Plain && isa<LoadInst>(Step.I);
                                  }) <= MaxLoadsInLane;
  }
  BasicBlock *emit(SegmentLoops &Into, unsigned I) const override;
};

BasicBlock *WavefrontRows::emit(SegmentLoops &Into, unsigned I) const {
  IRBuilder<> &B = Into.B;
  const specrt_row_class &Class = Into.Of.Classes[I];
  const ClassScript &Script = *Into.Of.script(I);
  BasicBlock *Before = Into.block("lanes"), *Loop = Into.block("lanes.rows");
  B.SetInsertPoint(Before);
  SmallVector<SmallVector<Value *>> Known(SPECRT_ROWS_LANES); // the row, then its trace
  for (auto [Lane, Words] : enumerate(Known))
    for (unsigned Number = 0; Number <= Class.num_entries; ++Number)
      Words.push_back(Into.word(Into.Segment.Origins, Lane * (1 + Class.num_entries) + Number));
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  const unsigned Lanes = std::min(lanesOf(Script, Into.Of.VectorBytes), SPECRT_ROWS_LANES);
  std::optional<LanePlan> Plan;
  if (Lanes > 1)
    Plan = LanePlan::make(Into.Of.Rows, Class, Script, LaneRelation::ownSegments(Lanes));
  if (!Plan) {
    PHINode *T = Into.countFrom(B.getInt64(0), *Before);
    ClassBody Body(Into.Of.Rows, Class, Script, Into.Outer);
    for (ArrayRef<Value *> Words : Known)
      Body.build(B, B.CreateAdd(Words.front(), T, "row", true, true), T, Words.drop_front());
    Into.countOn(*T, *Loop);
    return Before;
  }
  SmallVector<LaneSet> Sets;
  for (unsigned First = 0; First < SPECRT_ROWS_LANES; First += Lanes) {
    LaneSet &Set = Sets.emplace_back(LaneSet{.Plan = &*Plan});
    for (const auto &Words : ArrayRef(Known).slice(First, Lanes)) {
      Set.Of.Row.push_back(Words.front());
      Set.Of.Origins.push_back(ArrayRef(Words).drop_front());
    }
  }
  Into.addLaneLoop(Script, Sets, *Before, Into.Segment.Count, 1, *Into.Segment.Next);
  return Before;
}

constexpr WavefrontRows TheWavefrontRows;

} // namespace

const Format &wavefrontRows() { return TheWavefrontRows; }

} // namespace specrt
