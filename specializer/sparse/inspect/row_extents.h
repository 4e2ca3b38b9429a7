//===- specializer/sparse/inspect/row_extents.h - which bytes rows access that are walked -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of an inspector that notes, for each base, the first byte and the one after the last
// (specrt/rows.h). It costs as much as the rest of the inspector unless little is done for most
// accesses: what follows the access before it only moves the end.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_INSPECT_ROW_EXTENTS_H
#define SPECRT_SPECIALIZER_SPARSE_INSPECT_ROW_EXTENTS_H

#include "specializer/sparse/loops/row_loop.h"
#include "llvm/IR/IRBuilder.h"

namespace specrt {

class RowExtents {
public:
  /// \p B stands where the inspector begins.
  RowExtents(const RowLoop &Rows, const llvm::LoopInfo &LI, llvm::IRBuilderBase &B,
             llvm::Value *Trace);

  void beginRow(llvm::IRBuilderBase &B);
  /// \p Copy, of \p I, accesses what begins at \p From. Code goes before \p Copy.
  void access(const llvm::Instruction &I, llvm::Instruction &Copy, llvm::Value *From);
  /// Need nobody be told of what the row has accessed?
  llvm::Value *areForeseen(llvm::IRBuilderBase &B) const;
  /// Nobody is.
  void pass(llvm::IRBuilderBase &B);
  /// After the last row.
  void store(llvm::IRBuilderBase &B);
  /// The same, after store.
  void storeTrouble(llvm::IRBuilderBase &B);
  void beforeTelling(llvm::IRBuilderBase &B);
  void afterTelling(llvm::IRBuilderBase &B);
  /// When nothing else is added. Changes blocks. \p Exit: where to go instead of reading what the
  /// original would have overwritten.
  void finish(llvm::BasicBlock *Exit);
  /// Before \p Here the inspector leaves, saying why, where \p Condition is true.
  void leaveIf(llvm::Value *Condition, llvm::Instruction &Here, specrt_rows_trouble Why) {
    Departures.push_back({&Here, Condition, Why});
  }

private:
  struct Range {
    llvm::AllocaInst *Low = nullptr, *High = nullptr;
  };
  struct Circle {
    Range Circular, Direct;            ///< what such accesses access, and what the others do
    llvm::AllocaInst *First = nullptr; ///< RowBase::FirstIsDirect: is the next one direct?
  };
  enum class Kind { Counted, Near, Deciding, Piece };
  /// An access that most often follows the one before it.
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
  /// Is what is there watched as one range?
  bool decides(unsigned Base) const {
    return !isInPieces(Base) && (hasNotes(Base) || (Rows.Bases[Base].Flags & SPECRT_ROWS_DECIDES));
  }
  /// Is it watched wherever it is?
  bool isInPieces(unsigned Base) const {
    return !Rows.Bases[Base].Pointer && (Rows.Bases[Base].Flags & SPECRT_ROWS_DECIDES);
  }
  unsigned bases() const { return unsigned(Rows.Bases.size()); }

  const RowLoop &Rows;
  const llvm::LoopInfo &LI;
  llvm::Value *const Trace;
  llvm::Value *Lows, *Highs, *AllLows, *AllHighs;
  /// By base: of the row where it is written, else of all rows.
  llvm::SmallVector<Range> Extent;
  /// Where something decides: what of the row lies apart from that.
  llvm::SmallVector<Range> Apart;
  /// Where something is written: what all rows have written until now.
  llvm::SmallVector<Range> Written;
  /// By base: where some accesses are RowLoop::Circular.
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
