//===- specializer/sparse/classes/runner.cpp - segments of rows, class by class ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/classes/runner.h"
#include "specializer/loops/loop_copy.h"
#include "specializer/sparse/classes/class_loops.h"
#include "specializer/sparse/classes/segment_switch.h"
#include "specializer/sparse/loops/row_inputs.h"
#include "support/row_control.h"

using namespace llvm;

namespace specrt {
namespace {

/// Limits on the entries of all classes with code for lanes, and of one class.
constexpr unsigned MaxLaneEntries = 512, MaxEntriesInLane = 80;
/// A row with more loads takes longer than the next one of its lane waits, so that groups are as
/// good as lanes.
constexpr int64_t MaxLoadsInLane = 32;

constexpr specrt_segment_kind KindsWithClass[] = {
    SPECRT_SEGMENT_AFFINE,      SPECRT_SEGMENT_REGISTER_BLOCKS, SPECRT_SEGMENT_STREAMED_BLOCKS,
    SPECRT_SEGMENT_LISTED,      SPECRT_SEGMENT_WAVEFRONT,       SPECRT_SEGMENT_PATTERN_GROUPS,
    SPECRT_SEGMENT_PATTERN_ROWS};

/// Returns whether dependent rows of this class could be executed in lanes.
bool allowsLanes(const RowLoop &Rows, const specrt_row_class &Class) {
  // A loop that stays one contains enough independent work.
  return Rows.MayDepend && Rows.Opaque.empty() && Class.step == 1 &&
         Class.num_entries <= MaxEntriesInLane &&
         none_of(ArrayRef(Class.entries, Class.num_entries),
                 [](const specrt_row_entry &E) { return E.mode == SPECRT_ROW_LOADED; });
}

class RunnerBuilder {
public:
  RunnerBuilder(const RowLoop &Rows, const LoopInfo &LI, ArrayRef<specrt_row_class> Classes,
                unsigned VectorBytes)
      : Rows(Rows), LI(LI), Classes(Classes), VectorBytes(VectorBytes),
        F(*Rows.L->getHeader()->getParent()), Context(F.getContext()), B(Context),
        Word(B.getInt64Ty()), Pointer(B.getPtrTy()) {}

  Function *build();

private:
  void addRest();
  void copyBehind(BasicBlock &Before, ValueToValueMapTy &Map);
  PHINode *countRows(const ValueToValueMapTy &Map, BasicBlock &Before);
  Value *listed(Value *T, unsigned I) {
    return ClassLoops::listedWord(B, Rows, Segment.Origins, T, I);
  }
  BasicBlock *addListedRest();
  BasicBlock *addClass(unsigned I, specrt_segment_kind Kind);
  void addCode(SegmentSwitch &Which);

  const RowLoop &Rows;
  const LoopInfo &LI;
  const ArrayRef<specrt_row_class> Classes;
  const unsigned VectorBytes;
  Function &F;
  LLVMContext &Context;
  IRBuilder<> B;
  IntegerType *const Word;
  PointerType *const Pointer;
  Function *New = nullptr;
  ValueToValueMapTy Outer; ///< inputs to arguments
  BasicBlock *Rest = nullptr;
  SegmentValues Segment;
};

/// Emits the loop as written over Segment.Count rows from Segment.First on, with the carried values
/// of the row before.
void RunnerBuilder::addRest() {
  ValueToValueMapTy Map;
  copyBehind(*Rest, Map);
  auto *Header = cast<BasicBlock>(Map.lookup(Rows.L->getHeader()));

  B.SetInsertPoint(Rest);
  for (const RowCounter &C : Rows.Counters) {
    auto *Phi = cast<PHINode>(Map.lookup(C.Phi));
    Value *Start = Phi->getIncomingValueForBlock(Rest);
    Phi->setIncomingValueForBlock(Rest, counterInRow(B, C, Start, Segment.First));
  }
  for (auto [I, Original] : enumerate(Rows.Carried)) {
    auto *Phi = cast<PHINode>(Map.lookup(Original));
    Value *V = B.CreateLoad(Word, B.CreateConstInBoundsGEP1_64(Word, Segment.Origins, I));
    Phi->setIncomingValueForBlock(Rest, narrowed(B, V, Phi->getType()));
  }
  B.CreateBr(Header);

  countRows(Map, *Rest);
}

/// Copies the loop as written, entered from \p Before, and adds its copies to \p Map.
void RunnerBuilder::copyBehind(BasicBlock &Before, ValueToValueMapTy &Map) {
  for (const auto &Entry : Outer)
    Map[Entry.first] = Entry.second;
  Map[Rows.L->getLoopPreheader()] = &Before;
  Map[Rows.L->getExitBlock()] = Segment.Next;
  copyLoop(*Rows.L, *New, Map);
}

/// Makes the copied loop, which \p Before enters, end after Segment.Count rows. Returns the counter
/// of rows.
PHINode *RunnerBuilder::countRows(const ValueToValueMapTy &Map, BasicBlock &Before) {
  auto &Header = *cast<BasicBlock>(Map.lookup(Rows.L->getHeader()));
  auto &Latch = *cast<BasicBlock>(Map.lookup(Rows.L->getLoopLatch()));
  PHINode *Done = PHINode::Create(Word, 2, "rows.done", Header.begin());
  Done->addIncoming(B.getInt64(0), &Before);
  auto *Branch = cast<BranchInst>(Latch.getTerminator());
  B.SetInsertPoint(Branch);
  Value *Following = B.CreateAdd(Done, B.getInt64(1), "", true, true);
  Done->addIncoming(Following, &Latch);
  Branch->setCondition(B.CreateICmpEQ(Following, Segment.Count));
  Branch->setSuccessor(0, Segment.Next);
  Branch->setSuccessor(1, &Header);
  Branch->setMetadata(LLVMContext::MD_prof, nullptr);
  return Done;
}

/// Emits a loop over listed rows as written, in the order of the list.
BasicBlock *RunnerBuilder::addListedRest() {
  auto *Before = BasicBlock::Create(Context, "listed", New);
  ValueToValueMapTy Map;
  copyBehind(*Before, Map);
  auto *Header = cast<BasicBlock>(Map.lookup(Rows.L->getHeader()));
  BranchInst::Create(Header, Before);
  PHINode *T = countRows(Map, *Before);
  B.SetInsertPoint(Header, Header->getFirstInsertionPt());
  Value *Row = listed(T, 0);
  auto Replace = [&](const PHINode *Original, Value *By) {
    auto *Phi = cast<PHINode>(Map.lookup(Original));
    Phi->replaceAllUsesWith(By);
    Phi->eraseFromParent();
  };
  for (const RowCounter &C : Rows.Counters) {
    auto *Phi = cast<PHINode>(Map.lookup(C.Phi));
    Replace(C.Phi, counterInRow(B, C, Phi->getIncomingValueForBlock(Before), Row));
  }
  for (auto [I, Original] : enumerate(Rows.Carried))
    Replace(Original, narrowed(B, listed(T, unsigned(I) + 1), Original->getType()));
  return Before;
}

/// Emits the code of class number \p I for segments of \p Kind.
BasicBlock *RunnerBuilder::addClass(unsigned I, specrt_segment_kind Kind) {
  ClassLoops Loops(Rows, LI, *New, Outer, Segment, VectorBytes);
  const specrt_row_class &Class = Classes[I];
  switch (Kind) {
  case SPECRT_SEGMENT_AFFINE:
    return Loops.rows(Class);
  case SPECRT_SEGMENT_REGISTER_BLOCKS:
    return Loops.blocks(Class);
  case SPECRT_SEGMENT_STREAMED_BLOCKS:
    return Loops.streamedBlocks(Class);
  case SPECRT_SEGMENT_LISTED:
    return Loops.listed(Class);
  case SPECRT_SEGMENT_WAVEFRONT:
    return Loops.lanes(Class);
  case SPECRT_SEGMENT_PATTERN_GROUPS:
    return Loops.groups(Class);
  case SPECRT_SEGMENT_PATTERN_ROWS:
    return Loops.byPattern(Class);
  case SPECRT_SEGMENT_AS_WRITTEN:
  case SPECRT_SEGMENT_LISTED_AS_WRITTEN:
    break;
  }
  llvm_unreachable("these kinds have no class");
}

/// Emits the code for all kinds of segments. Which is reached through \p Which.
void RunnerBuilder::addCode(SegmentSwitch &Which) {
  addRest();
  if (Rows.MayDepend)
    Which.add(SPECRT_SEGMENT_LISTED_AS_WRITTEN, 0, addListedRest());
  for (unsigned I = 0; I < Classes.size(); ++I) {
    const ClassCode Has = classCode(Rows, LI, Classes, I, VectorBytes);
    for (const specrt_segment_kind Kind : KindsWithClass)
      if (Has.runs(Kind))
        Which.add(Kind, I, addClass(I, Kind));
  }
}

Function *RunnerBuilder::build() {
  New = createWithInputs(Rows, {Pointer, Word, Word}, ".rows");
  mapInputs(Rows, *New, Outer);
  Value *Table = New->getArg(unsigned(Rows.Inputs.size()));
  Value *Begin = New->getArg(unsigned(Rows.Inputs.size()) + 1);
  Value *End = New->getArg(unsigned(Rows.Inputs.size()) + 2);
  auto *Entry = BasicBlock::Create(Context, "entry", New);
  auto *Head = BasicBlock::Create(Context, "segment", New);
  Rest = BasicBlock::Create(Context, "rest", New);
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
  SegmentSwitch Which(B, At, Classes.size(), Rest);
  B.SetInsertPoint(Segment.Next);
  Value *Following = B.CreateAdd(Number, B.getInt64(1), "", true, true);
  Number->addIncoming(Following, Segment.Next);
  B.CreateCondBr(B.CreateICmpULT(Following, End), Head, Exit);

  addCode(Which);
  return New;
}

} // namespace

ClassCode classCode(const RowLoop &Rows, const LoopInfo &LI, ArrayRef<specrt_row_class> Classes,
                    unsigned Number, unsigned VectorBytes) {
  const specrt_row_class &Class = Classes[Number];
  ClassCode Has;
  const auto Add = [&](specrt_segment_kind Kind) { Has.Kinds |= SPECRT_SEGMENT_BIT(Kind); };
  // Classes with the same control have the same code for listed rows.
  const bool IsFirst = none_of(Classes.take_front(Number), [&](const specrt_row_class &Other) {
    return haveSameControl(Other, Class);
  });
  if (Rows.MayDepend && IsFirst && hasListed(Rows, LI, Class))
    Add(SPECRT_SEGMENT_LISTED);
  const std::optional<ClassScript> Script = scriptOf(Rows, LI, Class);
  if (!Script)
    return Has;
  const auto Loads = count_if(*Script, [](const RowStep &Step) {
    return Step.Is == RowStep::Kind::Plain && isa<LoadInst>(Step.I);
  });
  unsigned Entries = 0;
  for (const specrt_row_class &Each : Classes.take_front(Number + 1))
    if (allowsLanes(Rows, Each) && scriptOf(Rows, LI, Each))
      Entries += Each.num_entries;
  const bool IsForLanes = allowsLanes(Rows, Class) && Entries <= MaxLaneEntries;
  const bool IsToldByAnother = any_of(seq(Number), [&](unsigned Other) {
    return haveSameControl(Classes[Other], Class) &&
           classCode(Rows, LI, Classes, Other, VectorBytes).Given;
  });
  Add(SPECRT_SEGMENT_AFFINE);
  if (hasBlocks(Rows, LI, Class, VectorBytes)) {
    Add(SPECRT_SEGMENT_REGISTER_BLOCKS);
    Add(SPECRT_SEGMENT_STREAMED_BLOCKS);
  }
  if (IsForLanes && Loads <= MaxLoadsInLane)
    Add(SPECRT_SEGMENT_WAVEFRONT);
  if (IsForLanes && !IsToldByAnother)
    Has.Given = givenBesidePattern(Rows, LI, Class, VectorBytes);
  if (Has.Given) {
    Add(SPECRT_SEGMENT_PATTERN_GROUPS);
    Add(SPECRT_SEGMENT_PATTERN_ROWS);
  }
  return Has;
}

Function *buildRunner(const RowLoop &Rows, const LoopInfo &LI, ArrayRef<specrt_row_class> Classes,
                      unsigned VectorBytes) {
  return RunnerBuilder(Rows, LI, Classes, VectorBytes).build();
}

} // namespace specrt
