//===- specializer/sparse/classes/class_loops.h - loops over the rows of a class ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_CLASSES_CLASS_LOOPS_H
#define SPECRT_SPECIALIZER_SPARSE_CLASSES_CLASS_LOOPS_H

#include "specializer/sparse/classes/class_script.h"
#include "specializer/sparse/classes/lanes/lane_body.h"
#include "llvm/IR/IRBuilder.h"

namespace specrt {

/// Returns whether the runner has code for listed rows with the control of the class.
bool hasListed(const RowLoop &Rows, const llvm::LoopInfo &LI, const specrt_row_class &Class);

/// Returns whether the runner has code for whole blocks of rows.
bool hasBlocks(const RowLoop &Rows, const llvm::LoopInfo &LI, const specrt_row_class &Class,
               unsigned VectorBytes);

/// Returns, by entry, whether code for rows described by a pattern gets the entry of each row from
/// memory; nothing if the runner has no such code.
std::optional<llvm::SmallVector<bool>> givenBesidePattern(const RowLoop &Rows,
                                                          const llvm::LoopInfo &LI,
                                                          const specrt_row_class &Class,
                                                          unsigned VectorBytes);

/// Values that describe a segment to its code (specrt/rows.h).
struct SegmentValues {
  llvm::Value *Origins = nullptr, *First = nullptr, *Count = nullptr;
  llvm::BasicBlock *Next = nullptr; ///< successor of the finished segment
};

/// Appends loops to a function. The public functions return the block in which their loop begins,
/// or null if the class has no such code.
class ClassLoops {
public:
  /// \p Outer maps the loop's inputs to values of \p Into.
  ClassLoops(const RowLoop &Rows, const llvm::LoopInfo &LI, llvm::Function &Into,
             const llvm::ValueToValueMapTy &Outer, const SegmentValues &Segment,
             unsigned VectorBytes)
      : Rows(Rows), LI(LI), Into(Into), Outer(Outer), Segment(Segment), VectorBytes(VectorBytes),
        B(Into.getContext()), Word(B.getInt64Ty()) {}

  /// Emits a loop over the rows of a segment, in vectors if possible.
  llvm::BasicBlock *rows(const specrt_row_class &Class);
  /// Emits a loop over the rows of a list, which only have the control of \p Class.
  llvm::BasicBlock *listed(const specrt_row_class &Class);
  /// Emits a loop over rows in several lanes; the rows of a step do not wait for each other.
  llvm::BasicBlock *lanes(const specrt_row_class &Class);
  /// Emits a loop over groups of SPECRT_ROWS_LANES independent rows described by a pattern.
  llvm::BasicBlock *groups(const specrt_row_class &Class) {
    return byPattern(Class, SPECRT_ROWS_LANES);
  }
  /// Emits a loop over single rows described by a pattern.
  llvm::BasicBlock *byPattern(const specrt_row_class &Class) { return byPattern(Class, 1); }
  /// Emits a loop over blocks, with the rows of a block in lanes.
  llvm::BasicBlock *blocks(const specrt_row_class &Class);
  /// Emits a loop over blocks, with the rows one after the other in the order of memory.
  llvm::BasicBlock *streamedBlocks(const specrt_row_class &Class);

  /// Loads word \p I of the list for row \p T: the row's number, then its carried values.
  static llvm::Value *listedWord(llvm::IRBuilderBase &B, const RowLoop &Rows, llvm::Value *List,
                                 llvm::Value *T, unsigned I);

private:
  /// Rows that are in lanes in a loop over T.
  struct LaneSet {
    const LanePlan *Plan;
    LaneRows Of = {};
    bool ReadsAhead = false;
  };

  llvm::BasicBlock *block(const llvm::Twine &Name) {
    return llvm::BasicBlock::Create(Into.getContext(), Name, &Into);
  }
  llvm::BasicBlock *byPattern(const specrt_row_class &Class, unsigned Together);
  llvm::PHINode *countFrom(llvm::Value *From, llvm::BasicBlock &Before);
  llvm::Instruction *countOn(llvm::PHINode &T, llvm::BasicBlock &Loop);
  llvm::SmallVector<llvm::Value *> loadOrigins(const specrt_row_class &Class);
  void addLaneLoop(const ClassScript &Script, llvm::ArrayRef<LaneSet> Sets,
                   llvm::BasicBlock &Before, llvm::Value *End, unsigned By,
                   llvm::BasicBlock &After);
  std::pair<llvm::BasicBlock *, llvm::Value *> addVectors(const specrt_row_class &Class,
                                                          const ClassScript &Script,
                                                          llvm::BasicBlock &Before,
                                                          llvm::ArrayRef<llvm::Value *> Known);

  const RowLoop &Rows;
  const llvm::LoopInfo &LI;
  llvm::Function &Into;
  const llvm::ValueToValueMapTy &Outer;
  const SegmentValues &Segment;
  const unsigned VectorBytes;
  llvm::IRBuilder<> B;
  llvm::IntegerType *const Word;
};

} // namespace specrt

#endif
