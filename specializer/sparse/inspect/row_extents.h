//===- specializer/sparse/inspect/row_extents.h - byte ranges that inspected rows access -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of an inspector that records, for each base, the first byte and the one after the last
// (specrt/rows.h). To keep it cheap, the common case takes little code: an access that follows the
// one before it only moves the end.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_INSPECT_ROW_EXTENTS_H
#define SPECRT_SPECIALIZER_SPARSE_INSPECT_ROW_EXTENTS_H

#include "specializer/sparse/loops/row_loop.h"
#include "llvm/IR/IRBuilder.h"

namespace specrt {

class RowExtents {
public:
  /// \p B stands at the begin of the inspector.
  RowExtents(const RowLoop &Rows, const llvm::LoopInfo &LI, llvm::IRBuilderBase &B,
             llvm::Value *Trace);

  void beginRow(llvm::IRBuilderBase &B);
  /// Records the access of \p Copy, a copy of \p I, which begins at \p From. Emits code before \p
  /// Copy.
  void access(const llvm::Instruction &I, llvm::Instruction &Copy, llvm::Value *From);
  /// Returns an i1 that is true if the row's accesses need not be reported.
  llvm::Value *arePredicted(llvm::IRBuilderBase &B) const;
  /// Emits the end of a row that is not reported.
  void pass(llvm::IRBuilderBase &B);
  /// Stores the ranges of all rows, after the last row.
  void store(llvm::IRBuilderBase &B);
  /// Stores detected trouble; must be called after store().
  void storeTrouble(llvm::IRBuilderBase &B);
  void beforeTelling(llvm::IRBuilderBase &B);
  void afterTelling(llvm::IRBuilderBase &B);
  /// Emits the rest, which changes blocks, when nothing else will be added. \p Exit: where the
  /// inspector leaves if it would read memory that the original would have overwritten.
  void finish(llvm::BasicBlock *Exit);
  /// Makes the inspector leave before \p Here, with trouble \p Why, if \p Condition is true.
  void leaveIf(llvm::Value *Condition, llvm::Instruction &Here, specrt_rows_trouble Why) {
    Departures.push_back({&Here, Condition, Why});
  }

private:
  struct Range {
    llvm::AllocaInst *Low = nullptr, *High = nullptr;
  };
  struct Circle {
    Range Circular, Direct;            ///< accesses that are circular, and all others
    llvm::AllocaInst *First = nullptr; ///< RowBase::FirstIsDirect: whether the next access is
                                       ///< direct
  };
  enum class Kind { Counted, Near, Deciding, Piece };
  /// An access that usually follows the one before it in memory.
  struct Follower {
    llvm::Instruction *Copy;
    llvm::Value *Jumps, *From, *To;
    unsigned Base;
    Kind Is;
  };

  Range range(llvm::IRBuilderBase &B, const char *Low, const char *High);
  void makeEmpty(llvm::IRBuilderBase &B, Range Some);
  void widen(llvm::IRBuilderBase &B, Range Some, llvm::Value *From, llvm::Value *To);
  llvm::Value *load(llvm::IRBuilderBase &B, llvm::Value *From) const {
    return B.CreateLoad(B.getInt64Ty(), From);
  }
  llvm::Value *ofBase(llvm::IRBuilderBase &B, llvm::Value *Array, unsigned Base) const {
    return B.CreateConstInBoundsGEP1_64(B.getInt64Ty(), Array, Base);
  }
  void noteCircle(llvm::IRBuilderBase &B, const Circle &Of, bool IsCircular, llvm::Value *From,
                  llvm::Value *To);
  llvm::Value *wasWritten(llvm::IRBuilderBase &B, unsigned Base, llvm::Value *From,
                          llvm::Value *To);
  llvm::Value *isFar(llvm::IRBuilderBase &B, llvm::Value *Low, llvm::Value *High,
                     llvm::Value *From) const;
  bool isCounted(const llvm::Instruction &I) const;
  void jump(llvm::IRBuilderBase &B, const Follower &F);
  bool isWritten(unsigned Base) const { return Rows.Bases[Base].Flags & SPECRT_ROWS_WRITTEN; }
  bool hasNotes(unsigned Base) const { return Rows.Bases[Base].Flags & SPECRT_ROWS_NOTES; }
  /// Returns whether the memory behind the base is watched as one range.
  bool decides(unsigned Base) const {
    return !isInPieces(Base) && (hasNotes(Base) || (Rows.Bases[Base].Flags & SPECRT_ROWS_DECIDES));
  }
  /// Returns whether the memory behind the base is watched in pieces.
  bool isInPieces(unsigned Base) const {
    return !Rows.Bases[Base].Pointer && (Rows.Bases[Base].Flags & SPECRT_ROWS_DECIDES);
  }
  unsigned bases() const { return unsigned(Rows.Bases.size()); }

  const RowLoop &Rows;
  const llvm::LoopInfo &LI;
  llvm::Value *const Trace;
  llvm::Value *Lows, *Highs, *AllLows, *AllHighs;
  /// By base: range of the row if the base is written, otherwise of all rows.
  llvm::SmallVector<Range> Extent;
  /// By deciding base: range of the row's accesses that lie apart from Extent.
  llvm::SmallVector<Range> Apart;
  /// By written base: range that all rows have written so far.
  llvm::SmallVector<Range> Written;
  /// By base with accesses in RowLoop::Circular.
  llvm::SmallVector<Circle> Circles;
  llvm::AllocaInst *Scattered;
  llvm::SmallVector<Follower> Followers;
  struct Departure {
    llvm::Instruction *Here;
    llvm::Value *Condition;
    specrt_rows_trouble Why;
  };
  llvm::SmallVector<Departure> Departures;
};

} // namespace specrt

#endif
