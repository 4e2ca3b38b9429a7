//===- specializer/sparse/formats/as_written.cpp - rows by the loop as it is written ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/loop_copy.h"
#include "specializer/sparse/formats/format.h"
#include "specializer/sparse/formats/segment_loops.h"
#include "specializer/sparse/loops/row_inputs.h"

using namespace llvm;

namespace specrt {
namespace {

/// A copy of the loop that ends after Segment.Count rows.
class CountedCopy {
public:
  /// Copies the loop; \p Before enters the copy.
  CountedCopy(SegmentLoops &To, BasicBlock &Before);

  BasicBlock &header() const { return *cast<BasicBlock>(Map.lookup(To.Of.Rows.L->getHeader())); }
  PHINode &copyOf(const PHINode *Phi) const { return *cast<PHINode>(Map.lookup(Phi)); }
  /// Makes the copy end. Returns the counter of rows.
  PHINode *countRows();

private:
  SegmentLoops &To;
  BasicBlock &Before;
  ValueToValueMapTy Map;
};

CountedCopy::CountedCopy(SegmentLoops &To, BasicBlock &Before) : To(To), Before(Before) {
  for (const auto &Entry : To.Outer)
    Map[Entry.first] = Entry.second;
  const Loop &L = *To.Of.Rows.L;
  Map[L.getLoopPreheader()] = &Before;
  Map[L.getExitBlock()] = To.Segment.Next;
  copyLoop(L, To.Into, Map);
}

PHINode *CountedCopy::countRows() {
  IRBuilder<> &B = To.B;
  auto &Latch = *cast<BasicBlock>(Map.lookup(To.Of.Rows.L->getLoopLatch()));
  PHINode *Done = PHINode::Create(To.Word, 2, "rows.done", header().begin());
  Done->addIncoming(B.getInt64(0), &Before);
  auto *Branch = cast<BranchInst>(Latch.getTerminator());
  B.SetInsertPoint(Branch);
  Value *Following = B.CreateAdd(Done, B.getInt64(1), "", true, true);
  Done->addIncoming(Following, &Latch);
  Branch->setCondition(B.CreateICmpEQ(Following, To.Segment.Count));
  Branch->setSuccessor(0, To.Segment.Next);
  Branch->setSuccessor(1, &header());
  Branch->setMetadata(LLVMContext::MD_prof, nullptr);
  return Done;
}

/// Consecutive rows, with the carried values of the row before.
class AsWritten final : public Format {
public:
  constexpr AsWritten() : Format(SPECRT_SEGMENT_AS_WRITTEN) {}

  bool matches(const LoopClasses &, unsigned, ArrayRef<ClassCode>) const override { return true; }
  BasicBlock *emit(SegmentLoops &Into, unsigned) const override {
    IRBuilder<> &B = Into.B;
    BasicBlock *Before = Into.block("rest");
    CountedCopy Copy(Into, *Before);
    B.SetInsertPoint(Before);
    for (const RowCounter &C : Into.Of.Rows.Counters) {
      PHINode &Phi = Copy.copyOf(C.Phi);
      Value *Start = Phi.getIncomingValueForBlock(Before);
      Phi.setIncomingValueForBlock(Before, counterInRow(B, C, Start, Into.Segment.First));
    }
    for (auto [I, Original] : enumerate(Into.Of.Rows.Carried)) {
      PHINode &Phi = Copy.copyOf(Original);
      Phi.setIncomingValueForBlock(Before,
                                   narrowed(B, Into.word(Into.Segment.Origins, I), Phi.getType()));
    }
    B.CreateBr(&Copy.header());
    Copy.countRows();
    return Before;
  }
};

/// Rows in the order of a list.
class ListedAsWritten final : public Format {
public:
  constexpr ListedAsWritten() : Format(SPECRT_SEGMENT_LISTED_AS_WRITTEN) {}

  bool matches(const LoopClasses &Of, unsigned, ArrayRef<ClassCode>) const override {
    return Of.Rows.MayDepend;
  }
  BasicBlock *emit(SegmentLoops &Into, unsigned) const override {
    IRBuilder<> &B = Into.B;
    BasicBlock *Before = Into.block("listed");
    CountedCopy Copy(Into, *Before);
    BranchInst::Create(&Copy.header(), Before);
    PHINode *T = Copy.countRows();
    B.SetInsertPoint(&Copy.header(), Copy.header().getFirstInsertionPt());
    Value *Row = Into.listedWord(T, 0);
    const auto Replace = [](PHINode &Phi, Value *By) {
      Phi.replaceAllUsesWith(By);
      Phi.eraseFromParent();
    };
    for (const RowCounter &C : Into.Of.Rows.Counters) {
      PHINode &Phi = Copy.copyOf(C.Phi);
      Replace(Phi, counterInRow(B, C, Phi.getIncomingValueForBlock(Before), Row));
    }
    for (auto [I, Original] : enumerate(Into.Of.Rows.Carried)) {
      PHINode &Phi = Copy.copyOf(Original);
      Replace(Phi, narrowed(B, Into.listedWord(T, unsigned(I) + 1), Original->getType()));
    }
    return Before;
  }
};

constexpr AsWritten TheAsWritten;
constexpr ListedAsWritten TheListedAsWritten;

} // namespace

const Format &asWritten() { return TheAsWritten; }
const Format &listedAsWritten() { return TheListedAsWritten; }

} // namespace specrt
