//===- specializer/sparse/loops/row_linearity.h - proves that rows predict others -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In many row loops everything that decides is linear: the addresses of deciding reads, the
// operands of compared branches and all accessed addresses are, for fixed control, linear functions
// of values read before, of carried values and of the row's number, with invariant coefficients.
// Then the addresses of rows of a class grow by constant amounts, as its integers do. Two such rows
// predict where the following rows read and what they must find there, so that many rows can be
// checked side by side without executing the loop (runtime/rows/run_predictor.h).
//
// Arithmetic is that of 64 bits. A narrower value is linear modulo its width, which suffices for
// comparisons. If it is extended it must be linear in the higher bits, too, which holds if the
// operations that compute it do not wrap. Values that are read or carried stay linear under either
// extension while they keep their sign; the runtime checks that before it skips rows.
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

/// How operands of a comparison become words with the same order as signed numbers.
struct ComparedWords {
  enum Kind {
    BySign, ///< sign-extended
    ByZero, ///< zero-extended
    High    ///< shifted to the highest bits, with zeros below
  } Are;
  bool IsBiased; ///< whether the highest bit is inverted
};

struct RowLinearity {
  /// Loads that each row executes, at an address determined by the row's number.
  llvm::SmallPtrSet<const llvm::Instruction *, 4> First;
  /// Loads that determine whether and where other deciding values are read.
  llvm::SmallPtrSet<const llvm::Instruction *, 4> Leading;
  /// The comparisons of branches. Other conditions are equal in all rows.
  llvm::DenseMap<const llvm::ICmpInst *, ComparedWords> Compared;

  specrt_row_turn turnOf(const llvm::Instruction &Load) const {
    if (First.contains(&Load))
      return SPECRT_ROW_FIRST;
    return Leading.contains(&Load) ? SPECRT_ROW_IN_ORDER : SPECRT_ROW_LAST;
  }
};

/// Returns nothing if \p Rows is not linear, or not known to be.
std::optional<RowLinearity> linearityOf(const RowLoop &Rows, const llvm::LoopInfo &LI,
                                        const llvm::DominatorTree &DT, llvm::ScalarEvolution &SE);

} // namespace specrt

#endif
