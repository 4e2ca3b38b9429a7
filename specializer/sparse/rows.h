//===- specializer/sparse/rows.h - row loops with code for classes of rows ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_ROWS_H
#define SPECRT_SPECIALIZER_SPARSE_ROWS_H

#include "specializer/sparse/loops/row_loop.h"
#include "specrt/facts.h"
#include "specrt/recording.h"

namespace specrt {

/// Name of the global with the first specrt_sparse_loop of a module; absent if there is none.
inline constexpr llvm::StringLiteral SparseLoopName = "specrt.sparse.loop";

enum class RowsCode : uint8_t {
  Serial,
  Parallel, ///< several threads share the segments if the sparse loop says so
  Unrolled  ///< code for each row of loops whose rows are all known; others have classes
};

/// Numbers of loops with code for rows, and of those of them that one thread may execute alone.
struct LoopsWithRows {
  unsigned All = 0, ForOneThread = 0;
};

/// Adds code for the rows of each row loop of \p F, a region's function as embedded, that \p Known
/// describes. The code asks for a table before the loop begins; without one the loop runs as
/// written.
LoopsWithRows addRows(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                      llvm::ArrayRef<specrt_rows_fact> Known, RowsCode Code);

/// Makes each row loop of \p F call \p Into->rows before it begins. Returns the number of loops.
unsigned showRows(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                  const specrt_recording &Into);

} // namespace specrt

#endif
