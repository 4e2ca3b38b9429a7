//===- specializer/sparse/classes/class_loops.cpp - loops over the rows of a class ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/classes/class_loops.h"
#include "specializer/sparse/classes/class_body.h"
#include "specializer/sparse/classes/runner.h"

using namespace llvm;

namespace specrt {
namespace {

/// Limit on the entries that each row gets from memory beside a pattern; with more of them, a list
/// needs less memory.
constexpr int64_t MaxGiven = 4;

/// Marks the loop with this latch as not worth vectorising: it has few iterations.
void forbidVectors(Instruction &Latch) {
  LLVMContext &Context = Latch.getContext();
  const auto Said = [&](StringRef Name, uint32_t Value) {
    return MDNode::get(
        Context, {MDString::get(Context, Name),
                  ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(Context), Value))});
  };
  MDNode *Of = MDNode::getDistinct(
      Context,
      {nullptr, Said("llvm.loop.vectorize.width", 1), Said("llvm.loop.interleave.count", 1),
       MDNode::get(Context, MDString::get(Context, "llvm.loop.unroll.disable"))});
  Of->replaceOperandWith(0, Of);
  Latch.setMetadata(LLVMContext::MD_loop, Of);
}

/// Returns how many rows of a class with this script fill a vector; 1 if it cannot use vectors.
unsigned lanesOf(const ClassScript &Script, unsigned VectorBytes) {
  const unsigned Bytes = widestElement(Script);
  return Bytes ? std::max(1u, VectorBytes / Bytes) : 1;
}

/// Returns the numbers of rows in the vectors of a block. Three rows use a vector of four.
SmallVector<unsigned> partsOf(unsigned Rows, unsigned Lanes) {
  SmallVector<unsigned> Parts;
  for (unsigned Left = Rows; Left > 0; Left -= Parts.back())
    Parts.push_back(Left >= Lanes ? Lanes : Left == 3 ? 3 : llvm::bit_floor(Left));
  return Parts;
}

/// Returns the vectors for the rows of a block; empty if the rows cannot be vectorised.
std::vector<LanePlan> plansOf(const RowLoop &Rows, const specrt_row_class &Class,
                              const ClassScript &Script, unsigned VectorBytes) {
  const unsigned Lanes = lanesOf(Script, VectorBytes);
  std::vector<LanePlan> Plans;
  if (Lanes == 1 || Class.step == 1 ||
      any_of(ArrayRef(Class.entries, Class.num_entries), [](const specrt_row_entry &E) {
        return E.kind == SPECRT_ROW_VALUE && !(E.ties & SPECRT_ROW_APART);
      }))
    return Plans;
  for (const unsigned Part : partsOf(Class.step, Lanes)) {
    std::optional<LanePlan> Plan =
        LanePlan::make(Rows, Class, Script, LaneRelation::ofBlock(Part, Class));
    if (!Plan)
      return {};
    Plans.push_back(std::move(*Plan));
  }
  return Plans;
}

/// Returns the entries of listed rows: all values are loaded, because consecutive rows of a list
/// have little else in common.
SmallVector<specrt_row_entry> listedEntries(const RowLoop &Rows, const specrt_row_class &Of) {
  SmallVector<specrt_row_entry> Entries(ArrayRef(Of.entries, Of.num_entries));
  for (auto [I, E] : enumerate(Entries))
    if (E.kind == SPECRT_ROW_VALUE)
      E = {.kind = SPECRT_ROW_VALUE,
           .mode = uint32_t(I < Rows.Carried.size() ? SPECRT_ROW_AFFINE : SPECRT_ROW_LOADED),
           .number = 0,
           .ties = 0,
           .beside = 0,
           .apart = 0};
  return Entries;
}

/// Returns how many rows of a group fill a vector.
unsigned lanesOfGroup(const ClassScript &Script, unsigned VectorBytes) {
  return std::min(lanesOf(Script, VectorBytes), SPECRT_ROWS_LANES);
}

} // namespace

std::optional<SmallVector<bool>> givenBesidePattern(const RowLoop &Rows, const LoopInfo &LI,
                                                    const specrt_row_class &Class,
                                                    unsigned VectorBytes) {
  const std::optional<ClassScript> Script = scriptOf(Rows, LI, Class);
  if (!Script || lanesOfGroup(*Script, VectorBytes) == 1)
    return std::nullopt;
  const std::optional<LanePlan> Plan = LanePlan::make(
      Rows, Class, *Script, LaneRelation::ofGroup(lanesOfGroup(*Script, VectorBytes)));
  if (!Plan)
    return std::nullopt;
  SmallVector<bool> Given;
  for (unsigned I = 0; I < Class.num_entries; ++I)
    Given.push_back(Plan->needs(I));
  if (count(Given, true) > MaxGiven)
    return std::nullopt;
  return Given;
}

bool hasListed(const RowLoop &Rows, const LoopInfo &LI, const specrt_row_class &Of) {
  const SmallVector<specrt_row_entry> Entries = listedEntries(Rows, Of);
  specrt_row_class Class = Of;
  Class.entries = Entries.data();
  return scriptOf(Rows, LI, Class).has_value();
}

bool hasBlocks(const RowLoop &Rows, const LoopInfo &LI, const specrt_row_class &Class,
               unsigned VectorBytes) {
  const std::optional<ClassScript> Script = scriptOf(Rows, LI, Class);
  return Script && !plansOf(Rows, Class, *Script, VectorBytes).empty();
}

Value *ClassLoops::listedWord(IRBuilderBase &B, const RowLoop &Rows, Value *List, Value *T,
                              unsigned I) {
  Type *Number = Rows.hasNarrowCarried() ? B.getInt32Ty() : B.getInt64Ty();
  auto *Record = ArrayType::get(Number, 1 + Rows.Carried.size());
  Value *At = B.CreateInBoundsGEP(Record, List, T);
  Value *V = B.CreateLoad(Number, B.CreateConstInBoundsGEP1_64(Number, At, I));
  // Only the low bits of carried values matter, but the code may use the word to which they were
  // extended.
  return I == 0 ? B.CreateZExt(V, B.getInt64Ty()) : B.CreateSExt(V, B.getInt64Ty());
}

/// Emits the counter of rows in the builder's block, which \p Before enters.
PHINode *ClassLoops::countFrom(Value *From, BasicBlock &Before) {
  PHINode *T = B.CreatePHI(Word, 2, "t");
  T->addIncoming(From, &Before);
  return T;
}

/// Emits the increment of \p T and the end of the loop that begins in \p Loop. Returns the latch.
Instruction *ClassLoops::countOn(PHINode &T, BasicBlock &Loop) {
  Value *Following = B.CreateAdd(&T, B.getInt64(1), "", true, true);
  T.addIncoming(Following, B.GetInsertBlock());
  return B.CreateCondBr(B.CreateICmpEQ(Following, Segment.Count), Segment.Next, &Loop);
}

SmallVector<Value *> ClassLoops::loadOrigins(const specrt_row_class &Class) {
  SmallVector<Value *> Known(Class.num_entries);
  for (unsigned I = 0; I < Class.num_entries; ++I)
    if (Class.entries[I].mode == SPECRT_ROW_AFFINE)
      Known[I] = B.CreateLoad(Word, B.CreateConstInBoundsGEP1_64(Word, Segment.Origins, I));
  return Known;
}

/// Emits the rows of \p Sets as a loop over T, \p By at a time, in the builder's block, which \p
/// Before enters. The loop continues in \p After once all rows before \p End are done.
void ClassLoops::addLaneLoop(const ClassScript &Script, ArrayRef<LaneSet> Sets, BasicBlock &Before,
                             Value *End, unsigned By, BasicBlock &After) {
  BasicBlock *Loop = B.GetInsertBlock();
  PHINode *T = countFrom(B.getInt64(0), Before);
  SmallVector<LaneBody, 4> Bodies;
  for (const LaneSet &Set : Sets)
    Bodies.emplace_back(Rows, Script, *Set.Plan, Outer);
  for (auto [Set, Body] : zip_equal(Sets, Bodies)) {
    if (Set.ReadsAhead)
      Body.readAhead();
    Body.begin(B, Set.Of, Before);
    Body.setT(T);
  }
  executeTogether(B, Bodies, Script.size());
  Value *Following = B.CreateAdd(T, B.getInt64(By), "", true, true);
  T->addIncoming(Following, Loop);
  for (LaneBody &Body : Bodies)
    Body.end(*Loop);
  B.CreateCondBr(B.CreateICmpULT(Following, End), Loop, &After);
}

/// Emits, behind \p Before, as many rows of a segment as fill vectors. Returns the block that
/// executes the remaining rows, and the first of these; \p Before and 0 if there are no vectors.
std::pair<BasicBlock *, Value *> ClassLoops::addVectors(const specrt_row_class &Class,
                                                        const ClassScript &Script,
                                                        BasicBlock &Before,
                                                        ArrayRef<Value *> Known) {
  const unsigned Lanes = lanesOf(Script, VectorBytes);
  std::optional<LanePlan> Plan;
  if (Lanes > 1)
    Plan = LanePlan::make(Rows, Class, Script, LaneRelation::neighbours(Lanes, Class));
  if (!Plan)
    return {&Before, B.getInt64(0)};
  BasicBlock *Loop = block("class.vectors"), *After = block("class.others");
  BasicBlock *Others = block("class.rest");
  Value *Whole = B.CreateAnd(Segment.Count, B.getInt64(-uint64_t(Lanes)));
  B.CreateCondBr(B.CreateIsNull(Whole), After, Loop);
  B.SetInsertPoint(Loop);
  const LaneSet Set = {.Plan = &*Plan,
                       .Of = {.T = nullptr, .Row = {Segment.First}, .Origins = {Known}},
                       .ReadsAhead = true};
  addLaneLoop(Script, Set, Before, Whole, Lanes, *After);
  B.SetInsertPoint(After);
  B.CreateCondBr(B.CreateICmpULT(Whole, Segment.Count), Others, Segment.Next);
  B.SetInsertPoint(Others);
  return {Others, Whole};
}

BasicBlock *ClassLoops::rows(const specrt_row_class &Class) {
  const std::optional<ClassScript> Script = scriptOf(Rows, LI, Class);
  if (!Script)
    return nullptr;
  BasicBlock *Before = block("class");
  B.SetInsertPoint(Before);
  const SmallVector<Value *> Known = loadOrigins(Class);
  // Rows that fit blocks but are in no block are rare, so they get no vectors.
  const bool IsRare = !plansOf(Rows, Class, *Script, VectorBytes).empty();
  BasicBlock *Begin = Before;
  Value *From = B.getInt64(0);
  if (!IsRare)
    std::tie(Begin, From) = addVectors(Class, *Script, *Before, Known);
  BasicBlock *Loop = block("class.rows");
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *T = countFrom(From, *Begin);
  Value *Since = B.CreateMul(T, B.getInt64(Class.step), "", true, true);
  Value *Row = B.CreateAdd(Segment.First, Since, "row", true, true);
  ClassBody(Rows, Class, *Script, Outer).build(B, Row, T, Known);
  Instruction *Latch = countOn(*T, *Loop);
  if (IsRare || Begin != Before)
    forbidVectors(*Latch);
  return Before;
}

BasicBlock *ClassLoops::listed(const specrt_row_class &Of) {
  const SmallVector<specrt_row_entry> Entries = listedEntries(Rows, Of);
  specrt_row_class Class = Of;
  Class.entries = Entries.data();
  const std::optional<ClassScript> Script = scriptOf(Rows, LI, Class);
  if (!Script)
    return nullptr;
  BasicBlock *Before = block("listed.class"), *Loop = block("listed.rows");
  BranchInst::Create(Loop, Before);
  B.SetInsertPoint(Loop);
  PHINode *T = countFrom(B.getInt64(0), *Before);
  SmallVector<Value *> Known(Class.num_entries);
  for (unsigned I = 0; I < Rows.Carried.size(); ++I)
    Known[I] = listedWord(B, Rows, Segment.Origins, T, I + 1);
  Value *Row = listedWord(B, Rows, Segment.Origins, T, 0);
  ClassBody(Rows, Class, *Script, Outer).build(B, Row, T, Known);
  countOn(*T, *Loop);
  return Before;
}

BasicBlock *ClassLoops::lanes(const specrt_row_class &Class) {
  const std::optional<ClassScript> Script = scriptOf(Rows, LI, Class);
  if (!Script)
    return nullptr;
  BasicBlock *Before = block("lanes"), *Loop = block("lanes.rows");
  B.SetInsertPoint(Before);
  SmallVector<SmallVector<Value *>> Known(SPECRT_ROWS_LANES); // the row, then its trace
  for (auto [Lane, Words] : enumerate(Known))
    for (unsigned I = 0; I <= Class.num_entries; ++I)
      Words.push_back(
          B.CreateLoad(Word, B.CreateConstInBoundsGEP1_64(Word, Segment.Origins,
                                                          Lane * (1 + Class.num_entries) + I)));
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  const unsigned Lanes = std::min(lanesOf(*Script, VectorBytes), SPECRT_ROWS_LANES);
  std::optional<LanePlan> Plan;
  if (Lanes > 1)
    Plan = LanePlan::make(Rows, Class, *Script, LaneRelation::ownSegments(Lanes));
  if (!Plan) {
    PHINode *T = countFrom(B.getInt64(0), *Before);
    ClassBody Body(Rows, Class, *Script, Outer);
    for (ArrayRef<Value *> Words : Known)
      Body.build(B, B.CreateAdd(Words.front(), T, "row", true, true), T, Words.drop_front());
    countOn(*T, *Loop);
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
  addLaneLoop(*Script, Sets, *Before, Segment.Count, 1, *Segment.Next);
  return Before;
}

/// Emits a loop over rows described by a pattern, \p Together at a time.
BasicBlock *ClassLoops::byPattern(const specrt_row_class &Class, unsigned Together) {
  const std::optional<ClassScript> Script = scriptOf(Rows, LI, Class);
  if (!Script)
    return nullptr;
  const unsigned Lanes = std::min(Together, lanesOfGroup(*Script, VectorBytes));
  const std::optional<LanePlan> Plan =
      LanePlan::make(Rows, Class, *Script, LaneRelation::ofGroup(Lanes));
  if (!Plan)
    return nullptr;
  BasicBlock *Before = block("by.pattern"), *Loop = block("by.pattern.rows");
  B.SetInsertPoint(Before);
  const auto WordOf = [&](Value *Words, uint64_t Number) {
    return B.CreateLoad(Word, B.CreateConstInBoundsGEP1_64(Word, Words, Number));
  };
  Value *Pattern = B.CreateIntToPtr(Segment.First, B.getPtrTy());
  SmallVector<Value *> Offsets(Class.num_entries);
  SmallVector<unsigned> Given;
  for (unsigned I = 0; I < Class.num_entries; ++I) {
    if (SPECRT_ROW_FOLLOWS_PATTERN(Class.entries[I]))
      Offsets[I] = WordOf(Pattern, I);
    else if (Plan->needs(I))
      Given.push_back(I);
  }
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *T = countFrom(B.getInt64(0), *Before);
  auto *Group = ArrayType::get(Word, Together * (1 + Given.size()));
  Value *Words = B.CreateInBoundsGEP(Group, Segment.Origins, T);
  SmallVector<SmallVector<Value *>> Known(Together, SmallVector<Value *>(Class.num_entries));
  SmallVector<LaneBody, 4> Bodies;
  for (unsigned First = 0; First < Together; First += Lanes) {
    LaneRows Of = {.T = T, .Row = {}, .Origins = {}, .Offsets = Offsets};
    for (unsigned Lane = First; Lane < First + Lanes; ++Lane) {
      const uint64_t At = uint64_t(Lane) * (1 + Given.size());
      Of.Row.push_back(WordOf(Words, At));
      for (auto [I, Entry] : enumerate(Given))
        Known[Lane][Entry] = WordOf(Words, At + 1 + I);
      Of.Origins.push_back(Known[Lane]);
    }
    Bodies.emplace_back(Rows, *Script, *Plan, Outer).begin(B, Of, *Before);
  }
  executeTogether(B, Bodies, Script->size());
  countOn(*T, *Loop);
  return Before;
}

BasicBlock *ClassLoops::blocks(const specrt_row_class &Class) {
  const std::optional<ClassScript> Script = scriptOf(Rows, LI, Class);
  if (!Script)
    return nullptr;
  const std::vector<LanePlan> Plans = plansOf(Rows, Class, *Script, VectorBytes);
  if (Plans.empty())
    return nullptr;
  BasicBlock *Before = block("blocks"), *Loop = block("blocks.rows");
  B.SetInsertPoint(Before);
  const SmallVector<Value *> First = loadOrigins(Class);
  SmallVector<SmallVector<Value *>> Known(Plans.size(), First); // of the first row of each part
  SmallVector<LaneSet> Sets;
  uint64_t Row = 0;
  for (auto [Plan, Words] : zip_equal(Plans, Known)) {
    for (unsigned I = 0; I < Class.num_entries; ++I)
      if (Words[I])
        Words[I] = B.CreateAdd(Words[I], B.getInt64(uint64_t(Class.entries[I].apart) * Row));
    Value *FirstRow = B.CreateAdd(Segment.First, B.getInt64(Row));
    Sets.push_back({.Plan = &Plan, .Of = {.T = nullptr, .Row = {FirstRow}, .Origins = {Words}}});
    Row += Plan.lanes().Rows;
  }
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  addLaneLoop(*Script, Sets, *Before, Segment.Count, 1, *Segment.Next);
  return Before;
}

BasicBlock *ClassLoops::streamedBlocks(const specrt_row_class &Class) {
  const std::optional<ClassScript> Script = scriptOf(Rows, LI, Class);
  if (!Script || plansOf(Rows, Class, *Script, VectorBytes).empty())
    return nullptr;
  const std::optional<LanePlan> Plan =
      LanePlan::make(Rows, Class, *Script, LaneRelation::ofBlock(1, Class));
  BasicBlock *Before = block("streamed.blocks"), *Begin = block("block"),
             *Loop = block("block.row"), *End = block("block.end");
  B.SetInsertPoint(Before);
  const SmallVector<Value *> First = loadOrigins(Class);
  B.CreateBr(Begin);
  B.SetInsertPoint(Begin);
  PHINode *T = countFrom(B.getInt64(0), *Before);
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *Row = countFrom(B.getInt64(0), *Begin);
  SmallVector<Value *> Known(First);
  for (unsigned I = 0; I < Class.num_entries; ++I)
    if (const int64_t Apart = Class.entries[I].apart; Known[I] && Apart != 0)
      Known[I] = B.CreateAdd(Known[I], B.CreateMul(Row, B.getInt64(uint64_t(Apart))));
  LaneBody Body(Rows, *Script, *Plan, Outer);
  Body.readAhead();
  Body.begin(B, {.T = T, .Row = {B.CreateAdd(Segment.First, Row)}, .Origins = {Known}}, *Begin);
  executeTogether(B, Body, Script->size());
  Value *NextRow = B.CreateAdd(Row, B.getInt64(1), "", true, true);
  Row->addIncoming(NextRow, Loop);
  Instruction *Latch = B.CreateCondBr(B.CreateICmpULT(NextRow, B.getInt64(Class.step)), Loop, End);
  forbidVectors(*Latch);
  B.SetInsertPoint(End);
  countOn(*T, *Begin);
  return Before;
}

} // namespace specrt
