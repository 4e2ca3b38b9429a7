//===- specializer/sparse/formats/segment_loops.h - loops over the rows of a segment ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats append their loops to the runner with this class, which knows the segment that runs.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_FORMATS_SEGMENT_LOOPS_H
#define SPECRT_SPECIALIZER_SPARSE_FORMATS_SEGMENT_LOOPS_H

#include "specializer/sparse/classes/lanes/lane_body.h"
#include "specializer/sparse/formats/loop_classes.h"
#include "llvm/IR/IRBuilder.h"

namespace specrt {

/// Values that describe a segment to its code (specrt/rows.h).
struct SegmentValues {
  llvm::Value *Origins = nullptr, *First = nullptr, *Count = nullptr;
  llvm::BasicBlock *Next = nullptr; ///< successor of the finished segment
};

/// Rows that are in lanes in a loop over T.
struct LaneSet {
  const LanePlan *Plan;
  LaneRows Of = {};
  bool ReadsAhead = false;
};

class SegmentLoops {
public:
  /// \p Outer maps the loop's inputs to values of \p Into.
  SegmentLoops(const LoopClasses &Of, llvm::Function &Into, const llvm::ValueToValueMapTy &Outer,
               const SegmentValues &Segment)
      : Of(Of), Into(Into), Outer(Outer), Segment(Segment), B(Into.getContext()),
        Word(B.getInt64Ty()) {}

  llvm::BasicBlock *block(const llvm::Twine &Name) {
    return llvm::BasicBlock::Create(Into.getContext(), Name, &Into);
  }
  /// Loads number \p I of \p Words.
  llvm::Value *word(llvm::Value *Words, uint64_t I) {
    return B.CreateLoad(Word, B.CreateConstInBoundsGEP1_64(Word, Words, I));
  }
  /// Loads word \p I of the list for row \p T: the row's number, then its carried values.
  llvm::Value *listedWord(llvm::Value *T, unsigned I);
  /// Loads the affine values of the segment's first row, by entry; others are null.
  llvm::SmallVector<llvm::Value *> loadOrigins(const specrt_row_class &Class);

  /// Emits the counter of rows in the builder's block, which \p Before enters.
  llvm::PHINode *countFrom(llvm::Value *From, llvm::BasicBlock &Before);
  /// Emits the increment of \p T and the end of the loop that begins in \p Loop. Returns the latch.
  llvm::Instruction *countOn(llvm::PHINode &T, llvm::BasicBlock &Loop);
  /// Emits the rows of \p Sets as a loop over T, \p By at a time, in the builder's block, which \p
  /// Before enters. The loop continues in \p After once all rows before \p End are done.
  void addLaneLoop(const ClassScript &Script, llvm::ArrayRef<LaneSet> Sets,
                   llvm::BasicBlock &Before, llvm::Value *End, unsigned By,
                   llvm::BasicBlock &After);

  const LoopClasses &Of;
  llvm::Function &Into;
  const llvm::ValueToValueMapTy &Outer;
  const SegmentValues Segment;
  llvm::IRBuilder<> B;
  llvm::IntegerType *const Word;
};

/// Returns how many rows of a class with this script fill a vector; 1 if it cannot use vectors.
unsigned lanesOf(const ClassScript &Script, unsigned VectorBytes);

/// Marks the loop with this latch as not worth vectorising: it has few iterations.
void forbidVectors(llvm::Instruction &Latch);

/// Returns whether class number \p I is among those whose dependent rows may be in lanes.
bool mayHaveLanes(const LoopClasses &Of, unsigned I);

} // namespace specrt

#endif
