//===- runtime/report/row_report.cpp - what became of row loops, for reports ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/report/row_report.h"

#include "runtime/decide/timeline.h"
#include "runtime/rows/row_tables.h"
#include <cstdio>
#include <nlohmann/json.hpp>

namespace specrt {
namespace {

std::string number(const char *Format, double Value) {
  char Text[64];
  std::snprintf(Text, sizeof(Text), Format, Value);
  return Text;
}

/// "98.7 % of 90000 rows in classes, in 597 pieces; looked at once in 1.3 ms; watched by pages,
/// 0.41 us per call; 5952 calls had a table, 3 none".
std::string describe(const RowFigures &F) {
  std::string Text;
  if (F.Rows > 0)
    Text =
        number("%.1f", 100 * static_cast<double>(F.RowsInClasses) / static_cast<double>(F.Rows)) +
        " % of " + counted(F.Rows, "row") + " in classes, in " + counted(F.Segments, "piece");
  if (F.Levels > 1)
    Text += "; rows wait for rows, " + counted(F.Levels, "level") + " merged to " +
            std::to_string(F.MergedLevels);
  if (F.Inspections > 0)
    Text += (Text.empty() ? "" : "; ") + std::string("looked at ") +
            (F.Inspections == 1 ? "once" : std::to_string(F.Inspections) + " times") + " in " +
            number("%.2f ms", F.InspectionMs);
  if (!F.WatchKinds.empty())
    Text += "; watched by " + F.WatchKinds + ", " + number("%.2f us per call", F.WatchNs * 1e-3);
  if (F.Changes > 0)
    Text += "; changed " + counted(F.Changes, "time");
  Text += (Text.empty() ? "" : "; ") + counted(F.Calls, "call") + " had a table, " +
          std::to_string(F.Refused) + " none";
  return F.Problem.empty() ? Text : Text + ": " + F.Problem;
}

} // namespace

nlohmann::json rowsJson(const specrt_rows_site *First) {
  const RowFigures F = rowFigures(First);
  return {{"tables", F.Tables},
          {"calls", F.Calls},
          {"refused", F.Refused},
          {"inspections", F.Inspections},
          {"inspection_ms", F.InspectionMs},
          {"changes", F.Changes},
          {"rows", F.Rows},
          {"rows_in_classes", F.RowsInClasses},
          {"segments", F.Segments},
          {"levels", F.Levels},
          {"merged_levels", F.MergedLevels},
          {"watched_by", F.WatchKinds},
          {"watch_ns", F.WatchNs},
          {"text", describe(F)}};
}

} // namespace specrt
