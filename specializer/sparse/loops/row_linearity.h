//===- specializer/sparse/loops/row_linearity.h - rows that follow from others ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In many row loops all that decides is linear: where rows read it, what branches compare and where
// anything is accessed are, as long as control is the same, sums of what was read before, of what
// is carried and of the row's number, each times something that stays. Then in rows of a class,
// whose integers grow by the same amounts from row to row, addresses do, too. Two such rows say
// where those after them read and what they have to find there, so that many can be looked at side
// by side, without the loop (runtime/rows/row_leaps.h).
//
// Arithmetic is that of 64 bits. A narrower value is linear in its own bits, and that suffices
// where it is compared. Where it is extended it has to be linear in the other ones, too: it is as
// long as what it is computed by does not wrap. Numbers that are read or carried are linear however
// they are extended while they keep their sign, and who leaps sees to that.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_LOOPS_ROW_LINEARITY_H
#define SPECRT_SPECIALIZER_SPARSE_LOOPS_ROW_LINEARITY_H

#include "specrt/rows.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <optional>

namespace llvm {
class DominatorTree;
class ICmpInst;
class Instruction;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace specrt {

struct RowLoop;

/// How operands of a comparison become words whose order as signed ones is theirs.
struct ComparedWords {
  enum Kind {
    BySign, ///< extended by their sign
    ByZero, ///< extended by zeros
    High    ///< their bits are the highest ones, the others are 0
  } Are;
  bool IsBiased; ///< then the highest bit is inverted
};

struct RowLinearity {
  /// Loads that each row executes, where the row's number says.
  llvm::SmallPtrSet<const llvm::Instruction *, 4> First;
  /// Loads of which depends whether and where others read what decides.
  llvm::SmallPtrSet<const llvm::Instruction *, 4> Leading;
  /// What branches compare. Other conditions are the same in all rows.
  llvm::DenseMap<const llvm::ICmpInst *, ComparedWords> Compared;

  specrt_row_turn turnOf(const llvm::Instruction &Load) const {
    if (First.contains(&Load))
      return SPECRT_ROW_FIRST;
    return Leading.contains(&Load) ? SPECRT_ROW_IN_ORDER : SPECRT_ROW_LAST;
  }
};

/// Nothing where \p Rows is not linear, or not known to be.
std::optional<RowLinearity> linearityOf(const RowLoop &Rows, const llvm::LoopInfo &LI,
                                        const llvm::DominatorTree &DT, llvm::ScalarEvolution &SE);

} // namespace specrt

#endif
