//===- specializer/sparse/rows.h - row loops with code for classes of rows ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_ROWS_H
#define SPECRT_SPECIALIZER_SPARSE_ROWS_H

#include "specializer/sparse/loops/row_loop.h"
#include "specrt/facts.h"
#include "specrt/recording.h"

namespace specrt {

/// The name of the first specrt_rows_site of a module, a global; absent without any.
inline constexpr llvm::StringLiteral RowsSiteName = "specrt.rows.site";

enum class RowsCode : uint8_t {
  Serial,
  Parallel, ///< several threads share the segments where its site says so
  Unrolled  ///< where all rows of a loop are told, code for each; the others have classes
};

/// How many loops have code for their rows, and how many of them also where one thread does all.
struct LoopsWithRows {
  unsigned All = 0, ForOneThread = 0;
};

/// Gives each row loop of \p F, a region's function as it is embedded, that \p Known names code for
/// its rows, and asks for a table before it begins. Without one the loop runs as it was written.
LoopsWithRows addRows(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                      llvm::ArrayRef<specrt_rows_fact> Known, RowsCode Code);

/// Has each row loop of \p F shown to \p Into->rows before it begins. Returns how many there are.
unsigned showRows(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                  const specrt_recording &Into);

} // namespace specrt

#endif
