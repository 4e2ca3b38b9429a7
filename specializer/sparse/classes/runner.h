//===- specializer/sparse/classes/runner.h - segments of rows, class by class ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runner executes a range of a table's segments (specrt/rows.h). It has loops for each class,
// in which all that the class determines is a constant or an affine function, and a loop over
// arbitrary rows for the rest.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_CLASSES_RUNNER_H
#define SPECRT_SPECIALIZER_SPARSE_CLASSES_RUNNER_H

#include "specializer/sparse/loops/row_loop.h"
#include "llvm/ADT/ArrayRef.h"

namespace specrt {

/// The code that the runner has for a class.
struct ClassCode {
  uint32_t Kinds = 0;                                ///< specrt_row_class::segment_kinds
  std::optional<llvm::SmallVector<bool>> Given = {}; ///< result of givenBesidePattern

  bool runs(specrt_segment_kind Kind) const { return Kinds & SPECRT_SEGMENT_BIT(Kind); }
};

/// Returns the code for class number \p Number.
ClassCode classCode(const RowLoop &Rows, const llvm::LoopInfo &LI,
                    llvm::ArrayRef<specrt_row_class> Classes, unsigned Number,
                    unsigned VectorBytes);

/// Builds void (inputs..., ptr table, i64 begin, i64 end), which executes the segments from begin
/// to end. Classes that do not fit the loop use the code of the rest. Loops whose rows may wait
/// have code for listed rows. Rows in lanes use vectors of at most \p VectorBytes.
llvm::Function *buildRunner(const RowLoop &Rows, const llvm::LoopInfo &LI,
                            llvm::ArrayRef<specrt_row_class> Classes, unsigned VectorBytes);

} // namespace specrt

#endif
