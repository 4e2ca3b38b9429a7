//===- specializer/sparse/runner.cpp - segments of rows, class by class ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/class_body.h"
#include "specializer/sparse/lanes/lane_body.h"
#include "specializer/sparse/loop_copy.h"
#include "specializer/sparse/row_code.h"

using namespace llvm;

namespace specrt {
namespace {

/// Entries of all classes that have code for lanes, and of one.
constexpr unsigned MaxLaneEntries = 512, MaxEntriesInLane = 80;

/// Of the loop with this latch hardly more is left than a few rows.
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

class RunnerBuilder {
public:
  RunnerBuilder(const RowLoop &Rows, const LoopInfo &LI, ArrayRef<specrt_row_class> Classes,
                unsigned VectorBytes)
      : Rows(Rows), LI(LI), Classes(Classes), VectorBytes(VectorBytes),
        F(*Rows.L->getHeader()->getParent()), Context(F.getContext()), B(Context),
        Word(B.getInt64Ty()), Pointer(B.getPtrTy()) {}

  Function *build();

private:
  Value *field(Value *Of, Type *T, size_t Offset) {
    return B.CreateLoad(T, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Of, Offset));
  }
  void createFunction();
  void addRest();
  PHINode *countRows(BasicBlock &Header, BasicBlock &Latch, BasicBlock &Before);
  void addClass(unsigned Number, SwitchInst &Which);
  unsigned lanesOf(const ClassScript &Script) const;
  void addStep(const specrt_row_class &Class, const ClassScript &Script, Value *T,
               ArrayRef<SmallVector<Value *>> Known);
  void addLanes(unsigned Number, SwitchInst &Which);
  Value *rowOf(const specrt_row_class &Class, Value *T);
  std::pair<BasicBlock *, Value *> addVectors(const specrt_row_class &Class,
                                              const ClassScript &Script, BasicBlock &Before,
                                              ArrayRef<Value *> Known);
  Value *narrowed(Value *V, Type *To) {
    return To->isPointerTy() ? B.CreateIntToPtr(V, To) : B.CreateTrunc(V, To);
  }
  Value *listed(Value *T, unsigned I);
  BasicBlock *addListedRest();
  void addListedClass(unsigned Number, SwitchInst &Which);
  bool isFirstOfItsKind(unsigned Number) const;
  void addListed(SwitchInst &Which);

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
    Phi->setIncomingValueForBlock(Rest, counterInRow(B, C, Start, First));
  }
  for (auto [I, Original] : enumerate(Rows.Carried)) {
    auto *Phi = cast<PHINode>(Map.lookup(Original));
    Value *V = B.CreateLoad(Word, B.CreateConstInBoundsGEP1_64(Word, Origins, I));
    Phi->setIncomingValueForBlock(Rest, narrowed(V, Phi->getType()));
  }
  B.CreateBr(Header);

  countRows(*Header, *Latch, *Rest);
}

/// The copied loop from \p Header to \p Latch, which \p Before enters, ends after Count rows.
/// Returns how many are done.
PHINode *RunnerBuilder::countRows(BasicBlock &Header, BasicBlock &Latch, BasicBlock &Before) {
  PHINode *Done = PHINode::Create(Word, 2, "rows.done", Header.begin());
  Done->addIncoming(B.getInt64(0), &Before);
  auto *Branch = cast<BranchInst>(Latch.getTerminator());
  B.SetInsertPoint(Branch);
  Value *Following = B.CreateAdd(Done, B.getInt64(1), "", true, true);
  Done->addIncoming(Following, &Latch);
  Branch->setCondition(B.CreateICmpEQ(Following, Count));
  Branch->setSuccessor(0, Next);
  Branch->setSuccessor(1, &Header);
  Branch->setMetadata(LLVMContext::MD_prof, nullptr);
  return Done;
}

/// Number \p I of what the list says of row \p T of a segment: the row, then what is carried.
Value *RunnerBuilder::listed(Value *T, unsigned I) {
  Type *Number = Rows.hasNarrowCarried() ? B.getInt32Ty() : Word;
  auto *Record = ArrayType::get(Number, 1 + Rows.Carried.size());
  Value *At = B.CreateInBoundsGEP(Record, Origins, T);
  Value *V = B.CreateLoad(Number, B.CreateConstInBoundsGEP1_64(Number, At, I));
  // Of what is carried the low bits count. It may be wanted as a word that it was extended to.
  return I == 0 ? B.CreateZExt(V, Word) : B.CreateSExt(V, Word);
}

/// Any rows as they were written, in the order of a list.
BasicBlock *RunnerBuilder::addListedRest() {
  auto *Before = BasicBlock::Create(Context, "listed", New);
  ValueToValueMapTy Map;
  for (const auto &Entry : Outer)
    Map[Entry.first] = Entry.second;
  const Loop &L = *Rows.L;
  Map[L.getLoopPreheader()] = Before;
  Map[L.getExitBlock()] = Next;
  copyLoop(L, *New, Map);
  auto *Header = cast<BasicBlock>(Map.lookup(L.getHeader()));
  BranchInst::Create(Header, Before);
  PHINode *T = countRows(*Header, *cast<BasicBlock>(Map.lookup(L.getLoopLatch())), *Before);
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
    Replace(Original, narrowed(listed(T, unsigned(I) + 1), Original->getType()));
  return Before;
}

/// Listed rows that have the control of class \p Number. All other entries are loaded: rows that
/// follow each other in a list have little else in common.
void RunnerBuilder::addListedClass(unsigned Number, SwitchInst &Which) {
  SmallVector<specrt_row_entry> Entries(
      ArrayRef(Classes[Number].entries, Classes[Number].num_entries));
  for (auto [I, E] : enumerate(Entries))
    if (E.kind == SPECRT_ROW_VALUE)
      E = {SPECRT_ROW_VALUE,
           uint32_t(I < Rows.Carried.size() ? SPECRT_ROW_AFFINE : SPECRT_ROW_LOADED), 0};
  specrt_row_class Class = Classes[Number];
  Class.entries = Entries.data();
  const std::optional<ClassScript> Script = scriptOf(Rows, LI, Class);
  if (!Script)
    return;
  auto *Before = BasicBlock::Create(Context, "listed.class", New);
  auto *Loop = BasicBlock::Create(Context, "listed.rows", New);
  Which.addCase(B.getInt32(uint32_t(Classes.size()) + Number), Before);
  BranchInst::Create(Loop, Before);
  B.SetInsertPoint(Loop);
  PHINode *T = B.CreatePHI(Word, 2, "t");
  T->addIncoming(B.getInt64(0), Before);
  SmallVector<Value *> Known(Class.num_entries);
  for (unsigned I = 0; I < Rows.Carried.size(); ++I)
    Known[I] = listed(T, I + 1);
  ClassBody(Rows, Class, *Script, Outer).build(B, listed(T, 0), T, Known);
  Value *Following = B.CreateAdd(T, B.getInt64(1), "", true, true);
  T->addIncoming(Following, B.GetInsertBlock());
  B.CreateCondBr(B.CreateICmpEQ(Following, Count), Next, Loop);
}

/// How many rows of a class with this script vectors have; 1: none.
unsigned RunnerBuilder::lanesOf(const ClassScript &Script) const {
  const unsigned Bytes = widestElement(Script);
  return Bytes ? std::max(1u, VectorBytes / Bytes) : 1;
}

/// The rows of one step, which do not wait for each other.
void RunnerBuilder::addStep(const specrt_row_class &Class, const ClassScript &Script, Value *T,
                            ArrayRef<SmallVector<Value *>> Known) {
  const unsigned Lanes = std::min(lanesOf(Script), unsigned(Known.size()));
  std::optional<LanePlan> Plan;
  if (Lanes > 1)
    Plan = LanePlan::make(Rows, Class, Script, {.Lanes = Lanes, .OfOrigins = {}});
  if (!Plan) {
    ClassBody Body(Rows, Class, Script, Outer);
    for (ArrayRef<Value *> Words : Known)
      Body.build(B, B.CreateAdd(Words.front(), T, "row", true, true), T, Words.drop_front());
    return;
  }
  LaneBody Body(Rows, Script, *Plan, Outer);
  for (unsigned First = 0; First < Known.size(); First += Lanes) {
    LaneRows Of = {.T = T, .Row = {}, .Origins = {}};
    for (unsigned Lane = First; Lane < First + Lanes; ++Lane) {
      Of.Row.push_back(Known[Lane].front());
      Of.Origins.push_back(ArrayRef(Known[Lane]).drop_front());
    }
    Body.build(B, Of);
  }
}

/// Rows side by side.
void RunnerBuilder::addLanes(unsigned Number, SwitchInst &Which) {
  const specrt_row_class &Class = Classes[Number];
  auto *Before = BasicBlock::Create(Context, "lanes", New);
  auto *Loop = BasicBlock::Create(Context, "lanes.rows", New);
  Which.addCase(B.getInt32(uint32_t(2 * Classes.size()) + Number), Before);
  B.SetInsertPoint(Before);
  SmallVector<SmallVector<Value *>> Known(SPECRT_ROWS_LANES); // the row, then its trace
  for (auto [Lane, Words] : enumerate(Known))
    for (unsigned I = 0; I <= Class.num_entries; ++I)
      Words.push_back(B.CreateLoad(
          Word, B.CreateConstInBoundsGEP1_64(Word, Origins, Lane * (1 + Class.num_entries) + I)));
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *T = B.CreatePHI(Word, 2, "t");
  T->addIncoming(B.getInt64(0), Before);
  addStep(Class, *scriptOf(Rows, LI, Class), T, Known);
  Value *Following = B.CreateAdd(T, B.getInt64(1), "", true, true);
  T->addIncoming(Following, B.GetInsertBlock());
  B.CreateCondBr(B.CreateICmpEQ(Following, Count), Next, Loop);
}

/// Whether listed rows with the control of class \p Number are said to be of this class.
bool RunnerBuilder::isFirstOfItsKind(unsigned Number) const {
  auto EntriesOf = [&](unsigned I) { return ArrayRef(Classes[I].entries, Classes[I].num_entries); };
  return none_of(seq(Number), [&](unsigned Other) {
    return equal(EntriesOf(Other), EntriesOf(Number), [](const auto &A, const auto &B) {
      return A.kind == B.kind && (A.kind == SPECRT_ROW_VALUE || A.number == B.number);
    });
  });
}

void RunnerBuilder::addListed(SwitchInst &Which) {
  BasicBlock *Listed = addListedRest();
  Which.addCase(B.getInt32(SPECRT_ROWS_LISTED_REST), Listed);
  for (unsigned I = 0; I < Classes.size(); ++I) {
    if (hasLanes(Rows, LI, Classes, I))
      addLanes(I, Which);
    const unsigned Before = Which.getNumCases();
    if (isFirstOfItsKind(I))
      addListedClass(I, Which);
    if (Which.getNumCases() == Before)
      Which.addCase(B.getInt32(uint32_t(Classes.size()) + I), Listed);
  }
}

/// Row number \p T of a segment of \p Class.
Value *RunnerBuilder::rowOf(const specrt_row_class &Class, Value *T) {
  Value *Since = B.CreateMul(T, B.getInt64(Class.step), "", true, true);
  return B.CreateAdd(First, Since, "row", true, true);
}

/// After \p Before, as many rows of a segment as fill vectors. Returns the block that goes on with
/// the others, and the first of these; \p Before and 0 where there are no vectors.
std::pair<BasicBlock *, Value *> RunnerBuilder::addVectors(const specrt_row_class &Class,
                                                           const ClassScript &Script,
                                                           BasicBlock &Before,
                                                           ArrayRef<Value *> Known) {
  const unsigned Lanes = lanesOf(Script);
  std::optional<LanePlan> Plan;
  if (Lanes > 1)
    Plan = LanePlan::make(
        Rows, Class, Script,
        {.Lanes = Lanes, .OfT = 1, .OfOrigins = SmallVector<int64_t>(Class.num_entries, 0)});
  if (!Plan)
    return {&Before, B.getInt64(0)};
  auto *Loop = BasicBlock::Create(Context, "class.vectors", New);
  auto *After = BasicBlock::Create(Context, "class.others", New);
  Value *Whole = B.CreateAnd(Count, B.getInt64(-uint64_t(Lanes)));
  B.CreateCondBr(B.CreateIsNull(Whole), After, Loop);
  B.SetInsertPoint(Loop);
  PHINode *T = B.CreatePHI(Word, 2, "t");
  T->addIncoming(B.getInt64(0), &Before);
  const LaneRows Of = {.T = T, .Row = {First}, .Origins = {Known}};
  LaneBody(Rows, Script, *Plan, Outer).build(B, Of);
  Value *Following = B.CreateAdd(T, B.getInt64(Lanes), "", true, true);
  T->addIncoming(Following, Loop);
  B.CreateCondBr(B.CreateICmpULT(Following, Whole), Loop, After);
  B.SetInsertPoint(After);
  auto *Rows = BasicBlock::Create(Context, "class.rest", New);
  B.CreateCondBr(B.CreateICmpULT(Whole, Count), Rows, Next);
  B.SetInsertPoint(Rows);
  return {Rows, Whole};
}

void RunnerBuilder::addClass(unsigned Number, SwitchInst &Which) {
  const specrt_row_class &Class = Classes[Number];
  const std::optional<ClassScript> Script = scriptOf(Rows, LI, Class);
  if (!Script)
    return;
  auto *Before = BasicBlock::Create(Context, "class", New);
  Which.addCase(B.getInt32(Number), Before);
  B.SetInsertPoint(Before);
  SmallVector<Value *> Known(Class.num_entries);
  for (unsigned I = 0; I < Class.num_entries; ++I)
    if (Class.entries[I].mode == SPECRT_ROW_AFFINE)
      Known[I] = B.CreateLoad(Word, B.CreateConstInBoundsGEP1_64(Word, Origins, I));
  const auto [Begin, From] = addVectors(Class, *Script, *Before, Known);
  auto *Loop = BasicBlock::Create(Context, "class.rows", New);
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *T = B.CreatePHI(Word, 2, "t");
  T->addIncoming(From, Begin);
  ClassBody(Rows, Class, *Script, Outer).build(B, rowOf(Class, T), T, Known);
  Value *Following = B.CreateAdd(T, B.getInt64(1), "", true, true);
  T->addIncoming(Following, B.GetInsertBlock());
  Instruction *Latch = B.CreateCondBr(B.CreateICmpEQ(Following, Count), Next, Loop);
  if (Begin != Before)
    forbidVectors(*Latch);
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
  if (Rows.MayWait)
    addListed(*Which);
  return New;
}

/// Rows of this class could be side by side.
bool allowsLanes(const RowLoop &Rows, const LoopInfo &LI, const specrt_row_class &Class) {
  // A loop that stays one has enough to do that does not wait.
  return Rows.MayWait && Rows.Opaque.empty() && Class.step == 1 &&
         Class.num_entries <= MaxEntriesInLane &&
         none_of(ArrayRef(Class.entries, Class.num_entries),
                 [](const specrt_row_entry &E) { return E.mode == SPECRT_ROW_LOADED; }) &&
         hasCode(Rows, LI, Class);
}

} // namespace

bool hasCode(const RowLoop &Rows, const LoopInfo &LI, const specrt_row_class &Class) {
  return scriptOf(Rows, LI, Class).has_value();
}

bool hasLanes(const RowLoop &Rows, const LoopInfo &LI, ArrayRef<specrt_row_class> Classes,
              unsigned Number) {
  unsigned Entries = 0;
  for (const specrt_row_class &Class : Classes.take_front(Number))
    if (allowsLanes(Rows, LI, Class))
      Entries += Class.num_entries;
  return allowsLanes(Rows, LI, Classes[Number]) &&
         Entries + Classes[Number].num_entries <= MaxLaneEntries;
}

Function *buildRunner(const RowLoop &Rows, const LoopInfo &LI, ArrayRef<specrt_row_class> Classes,
                      unsigned VectorBytes) {
  return RunnerBuilder(Rows, LI, Classes, VectorBytes).build();
}

} // namespace specrt
