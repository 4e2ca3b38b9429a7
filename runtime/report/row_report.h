//===- runtime/report/row_report.h - what became of row loops, for reports ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_REPORT_ROW_REPORT_H
#define SPECRT_RUNTIME_REPORT_ROW_REPORT_H

#include "specrt/rows.h"
#include <nlohmann/json_fwd.hpp>

namespace specrt {

struct RowCells;

/// Lines of cells where something is, for the page; classes: -1 for none.
nlohmann::json pictureJson(const RowCells &Cells);

/// Figures of \p First and the loops after it, and the same in a sentence ("text").
nlohmann::json rowsJson(const specrt_rows_site *First);

} // namespace specrt

#endif
