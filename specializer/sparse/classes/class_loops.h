//===- specializer/sparse/classes/class_loops.h - loops over the rows of a class ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_CLASSES_CLASS_LOOPS_H
#define SPECRT_SPECIALIZER_SPARSE_CLASSES_CLASS_LOOPS_H

#include "specializer/sparse/classes/class_script.h"
#include "specializer/sparse/classes/lanes/lane_body.h"
#include "llvm/IR/IRBuilder.h"

namespace specrt {

/// Has the runner code for whole blocks of rows?
bool hasBlocks(const RowLoop &Rows, const llvm::LoopInfo &LI, const specrt_row_class &Class,
               unsigned VectorBytes);

/// By entry, whether code for rows told by a pattern is given it for each row. Nothing: the runner
/// has no such code.
std::optional<llvm::SmallVector<bool>> givenBesidePattern(const RowLoop &Rows,
                                                          const llvm::LoopInfo &LI,
                                                          const specrt_row_class &Class,
                                                          unsigned VectorBytes);

/// What the code of a segment knows of it (specrt/rows.h).
struct SegmentValues {
  llvm::Value *Origins = nullptr, *First = nullptr, *Count = nullptr;
  llvm::BasicBlock *Next = nullptr; ///< where it leads when it is done
};

/// Appends loops to a function. Each function that does so returns the block in which it begins,
/// null where the class has no such code.
class ClassLoops {
public:
  /// \p Outer maps the loop's inputs to values of \p Into.
  ClassLoops(const RowLoop &Rows, const llvm::LoopInfo &LI, llvm::Function &Into,
             const llvm::ValueToValueMapTy &Outer, const SegmentValues &Segment,
             unsigned VectorBytes)
      : Rows(Rows), LI(LI), Into(Into), Outer(Outer), Segment(Segment), VectorBytes(VectorBytes),
        B(Into.getContext()), Word(B.getInt64Ty()) {}

  /// Rows of a segment, side by side in vectors where they can be.
  llvm::BasicBlock *rows(const specrt_row_class &Class);
  /// Rows of a list. Nothing but their control is that of \p Class.
  llvm::BasicBlock *listed(const specrt_row_class &Class);
  /// Rows of several lines, side by side: those of one step do not wait for each other.
  llvm::BasicBlock *lanes(const specrt_row_class &Class);
  /// Rows told by a pattern that do not wait for each other, so many at a time.
  llvm::BasicBlock *groups(const specrt_row_class &Class) {
    return byPattern(Class, SPECRT_ROWS_LANES);
  }
  /// The same, one by one.
  llvm::BasicBlock *byPattern(const specrt_row_class &Class) { return byPattern(Class, 1); }
  /// All rows of each block, side by side.
  llvm::BasicBlock *blocks(const specrt_row_class &Class);
  /// The same, one after the other, in the order in which they lie in memory.
  llvm::BasicBlock *blocksInOrder(const specrt_row_class &Class);

  /// Number \p I of what a list says of row \p T: the row, then what is carried.
  static llvm::Value *listedWord(llvm::IRBuilderBase &B, const RowLoop &Rows, llvm::Value *List,
                                 llvm::Value *T, unsigned I);

private:
  /// Rows that are side by side in a loop over T.
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
