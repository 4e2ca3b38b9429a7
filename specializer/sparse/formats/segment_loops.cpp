//===- specializer/sparse/formats/segment_loops.cpp - loops over the rows of a segment ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/formats/segment_loops.h"

using namespace llvm;

namespace specrt {
namespace {

/// Limits on the entries of all classes with code for lanes of dependent rows, and of one class.
constexpr unsigned MaxLaneEntries = 512, MaxEntriesInLane = 80;

/// Returns whether dependent rows of this class could be executed in lanes.
bool allowsLanes(const RowLoop &Rows, const specrt_row_class &Class) {
  // A loop that stays one contains enough independent work.
  return Rows.MayDepend && Rows.Opaque.empty() && Class.step == 1 &&
         Class.num_entries <= MaxEntriesInLane &&
         none_of(ArrayRef(Class.entries, Class.num_entries),
                 [](const specrt_row_entry &E) { return E.mode == SPECRT_ROW_LOADED; });
}

} // namespace

bool mayHaveLanes(const LoopClasses &Of, unsigned I) {
  if (!Of.script(I) || !allowsLanes(Of.Rows, Of.Classes[I]))
    return false;
  unsigned Entries = 0;
  for (const unsigned Each : seq_inclusive(0u, I))
    if (Of.script(Each) && allowsLanes(Of.Rows, Of.Classes[Each]))
      Entries += Of.Classes[Each].num_entries;
  return Entries <= MaxLaneEntries;
}

unsigned lanesOf(const ClassScript &Script, unsigned VectorBytes) {
  const unsigned Bytes = widestElement(Script);
  return Bytes ? std::max(1u, VectorBytes / Bytes) : 1;
}

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

Value *SegmentLoops::listedWord(Value *T, unsigned I) {
  Type *Number = Of.Rows.hasNarrowCarried() ? B.getInt32Ty() : B.getInt64Ty();
  auto *Record = ArrayType::get(Number, 1 + Of.Rows.Carried.size());
  Value *At = B.CreateInBoundsGEP(Record, Segment.Origins, T);
  Value *V = B.CreateLoad(Number, B.CreateConstInBoundsGEP1_64(Number, At, I));
  // Only the low bits of carried values matter, but the code may use the word to which they were
  // extended.
  return I == 0 ? B.CreateZExt(V, B.getInt64Ty()) : B.CreateSExt(V, B.getInt64Ty());
}

SmallVector<Value *> SegmentLoops::loadOrigins(const specrt_row_class &Class) {
  SmallVector<Value *> Known(Class.num_entries);
  for (unsigned I = 0; I < Class.num_entries; ++I)
    if (Class.entries[I].mode == SPECRT_ROW_AFFINE)
      Known[I] = word(Segment.Origins, I);
  return Known;
}

PHINode *SegmentLoops::countFrom(Value *From, BasicBlock &Before) {
  PHINode *T = B.CreatePHI(Word, 2, "t");
  T->addIncoming(From, &Before);
  return T;
}

Instruction *SegmentLoops::countOn(PHINode &T, BasicBlock &Loop) {
  Value *Following = B.CreateAdd(&T, B.getInt64(1), "", true, true);
  T.addIncoming(Following, B.GetInsertBlock());
  return B.CreateCondBr(B.CreateICmpEQ(Following, Segment.Count), Segment.Next, &Loop);
}

void SegmentLoops::addLaneLoop(const ClassScript &Script, ArrayRef<LaneSet> Sets,
                               BasicBlock &Before, Value *End, unsigned By, BasicBlock &After) {
  BasicBlock *Loop = B.GetInsertBlock();
  PHINode *T = countFrom(B.getInt64(0), Before);
  SmallVector<LaneBody, 4> Bodies;
  for (const LaneSet &Set : Sets)
    Bodies.emplace_back(Of.Rows, Script, *Set.Plan, Outer);
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

} // namespace specrt
