//===- runtime/report/row_report.h - figures of row loops for reports -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_REPORT_ROW_REPORT_H
#define SPECRT_RUNTIME_REPORT_ROW_REPORT_H

#include "specrt/rows.h"
#include <nlohmann/json_fwd.hpp>

namespace specrt {

struct RowCells;

/// Returns the lines of occupied cells for the page; class -1 means none.
nlohmann::json pictureJson(const RowCells &Cells);

/// Returns the figures of \p First and the loops after it, also as a sentence ("text").
nlohmann::json rowsJson(const specrt_sparse_loop *First);

} // namespace specrt

#endif
