//===- specializer/sparse/formats/pattern_rows.cpp - rows described by patterns ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/formats/format.h"
#include "specializer/sparse/formats/segment_loops.h"

using namespace llvm;

namespace specrt {
namespace {

/// Limit on the entries that each row gets from memory beside a pattern; with more of them, a list
/// needs less memory.
constexpr int64_t MaxGiven = 4;

/// Returns how many rows of a group fill a vector.
unsigned lanesOfGroup(const ClassScript &Script, unsigned VectorBytes) {
  return std::min(lanesOf(Script, VectorBytes), SPECRT_ROWS_LANES);
}

/// Returns ClassCode::Given for class number \p I; nothing if its rows cannot have patterns.
std::optional<SmallVector<bool>> givenBesidePattern(const LoopClasses &Of, unsigned I) {
  const ClassScript &Script = *Of.script(I);
  const unsigned Lanes = lanesOfGroup(Script, Of.VectorBytes);
  if (Lanes == 1)
    return std::nullopt;
  const std::optional<LanePlan> Plan =
      LanePlan::make(Of.Rows, Of.Classes[I], Script, LaneRelation::ofGroup(Lanes));
  if (!Plan)
    return std::nullopt;
  SmallVector<bool> Given;
  for (unsigned Entry = 0; Entry < Of.Classes[I].num_entries; ++Entry)
    Given.push_back(Plan->needs(Entry));
  if (count(Given, true) > MaxGiven)
    return std::nullopt;
  return Given;
}

/// Rows with the control of a class, some at a time, which do not wait for each other.
class RowsWithPattern final : public Format {
public:
  /// \p Together: the number of rows at a time.
  constexpr RowsWithPattern(specrt_segment_kind Kind, unsigned Together)
      : Format(Kind), Together(Together) {}

  /// The first class with some control has the code for all rows with this control.
  bool matches(const LoopClasses &Of, unsigned I, ArrayRef<ClassCode> Before) const override {
    return mayHaveLanes(Of, I) &&
           none_of(Of.alikeBefore(I), [&](unsigned Other) { return Before[Other].runs(kind()); }) &&
           givenBesidePattern(Of, I);
  }
  void describe(const LoopClasses &Of, unsigned I, ClassCode &Into) const override {
    Into.Given = *givenBesidePattern(Of, I);
  }
  BasicBlock *emit(SegmentLoops &Into, unsigned I) const override;

private:
  const unsigned Together;
};

BasicBlock *RowsWithPattern::emit(SegmentLoops &Into, unsigned I) const {
  IRBuilder<> &B = Into.B;
  const specrt_row_class &Class = Into.Of.Classes[I];
  const ClassScript &Script = *Into.Of.script(I);
  const unsigned Lanes = std::min(Together, lanesOfGroup(Script, Into.Of.VectorBytes));
  const std::optional<LanePlan> Plan =
      LanePlan::make(Into.Of.Rows, Class, Script, LaneRelation::ofGroup(Lanes));
  assert(Plan && "fewer lanes need no more");
  BasicBlock *Before = Into.block("by.pattern"), *Loop = Into.block("by.pattern.rows");
  B.SetInsertPoint(Before);
  Value *Pattern = B.CreateIntToPtr(Into.Segment.First, B.getPtrTy());
  SmallVector<Value *> Offsets(Class.num_entries);
  SmallVector<unsigned> Given;
  for (unsigned Entry = 0; Entry < Class.num_entries; ++Entry) {
    if (SPECRT_ROW_FOLLOWS_PATTERN(Class.entries[Entry]))
      Offsets[Entry] = Into.word(Pattern, Entry);
    else if (Plan->needs(Entry))
      Given.push_back(Entry);
  }
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *T = Into.countFrom(B.getInt64(0), *Before);
  auto *Group = ArrayType::get(Into.Word, Together * (1 + Given.size()));
  Value *Words = B.CreateInBoundsGEP(Group, Into.Segment.Origins, T);
  SmallVector<SmallVector<Value *>> Known(Together, SmallVector<Value *>(Class.num_entries));
  SmallVector<LaneBody, 4> Bodies;
  for (unsigned First = 0; First < Together; First += Lanes) {
    LaneRows Of = {.T = T, .Row = {}, .Origins = {}, .Offsets = Offsets};
    for (unsigned Lane = First; Lane < First + Lanes; ++Lane) {
      const uint64_t At = uint64_t(Lane) * (1 + Given.size());
      Of.Row.push_back(Into.word(Words, At));
      for (auto [Number, Entry] : enumerate(Given))
        Known[Lane][Entry] = Into.word(Words, At + 1 + Number);
      Of.Origins.push_back(Known[Lane]);
    }
    Bodies.emplace_back(Into.Of.Rows, Script, *Plan, Into.Outer).begin(B, Of, *Before);
  }
  executeTogether(B, Bodies, Script.size());
  Into.countOn(*T, *Loop);
  return Before;
}

constexpr RowsWithPattern TheGroups{SPECRT_SEGMENT_PATTERN_GROUPS, SPECRT_ROWS_LANES};
constexpr RowsWithPattern TheRows{SPECRT_SEGMENT_PATTERN_ROWS, 1};

} // namespace

const Format &patternGroups() { return TheGroups; }
const Format &patternRows() { return TheRows; }

} // namespace specrt
