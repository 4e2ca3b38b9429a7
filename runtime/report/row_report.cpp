//===- runtime/report/row_report.cpp - figures of row loops for reports ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/report/row_report.h"

#include "runtime/base/reasons.h"
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

std::string percent(uint64_t Some, uint64_t All) {
  return number("%.1f %%", 100 * static_cast<double>(Some) / static_cast<double>(All));
}

/// Returns for example "98.7 % of 90000 rows in classes, in 597 pieces; looked at once in 1.3 ms;
/// watched by pages, 0.41 us per call; 5952 calls had a table, 3 none".
std::string describe(const RowFigures &F) {
  std::string Text;
  if (F.Rows > 0)
    Text = percent(F.RowsInClasses, F.Rows) + " of " + counted(F.Rows, "row") + " in classes, in " +
           counted(F.Segments, "piece");
  if (F.RowsUnrolled > 0)
    Text += ", " + percent(F.RowsUnrolled, F.Rows) + " of them with code of their own";
  if (F.RowsInBlocks > 0)
    Text += ", " + percent(F.RowsInBlocks, F.Rows) + " of them in blocks with the same columns";
  if (F.Levels > 1)
    Text += "; rows depend on each other, " + counted(F.Levels, "level") + " merged to " +
            std::to_string(F.MergedLevels);
  if (F.RowsInLanes > 0)
    Text += ", " + percent(F.RowsInLanes, F.Rows) + " of them " +
            std::to_string(SPECRT_ROWS_LANES) + " at a time in lanes";
  if (F.FusedCalls > 0)
    Text += "; two loops took turns, in " + counted(F.FusedSteps, "step") + ", in " +
            counted(F.FusedCalls, "call");
  else if (!F.FusionProblem.empty())
    Text += "; two loops took no turns: " + std::string(F.FusionProblem);
  if (F.Inspections > 0)
    Text += (Text.empty() ? "" : "; ") + std::string("looked at ") +
            (F.Inspections == 1 ? "once" : std::to_string(F.Inspections) + " times") + " in " +
            number("%.2f ms", F.InspectionMs);
  if (F.RowsPredicted > 0)
    Text += ", " + counted(F.RowsPredicted, "row") + " by comparison alone";
  if (F.TakenOver > 0)
    Text += (Text.empty() ? "" : "; ") + std::string("taken over from another loop ") +
            (F.TakenOver == 1 ? "once" : std::to_string(F.TakenOver) + " times");
  if (F.Recalled > 0)
    Text += (Text.empty() ? "" : "; ") + std::string("known from an earlier run ") +
            (F.Recalled == 1 ? "once" : std::to_string(F.Recalled) + " times") +
            (F.Inspections == 0 ? " in " + number("%.2f ms", F.InspectionMs) : "");
  if (!F.WatchKinds.empty())
    Text += "; watched by " + F.WatchKinds + ", " + number("%.2f us per call", F.WatchNs * 1e-3);
  if (F.Changes > 0)
    Text += "; changed " + counted(F.Changes, "time");
  Text += (Text.empty() ? "" : "; ") + counted(F.Calls, "call") + " had a table, " +
          std::to_string(F.Refused) + " none";
  return F.Problem.empty() ? Text : Text + ": " + std::string(F.Problem);
}

} // namespace

nlohmann::json pictureJson(const RowCells &Cells) {
  nlohmann::json Classes = nlohmann::json::array();
  for (const uint32_t Of : Cells.Classes)
    Classes.push_back(Of == RestClass ? -1 : static_cast<int64_t>(Of));
  return {{"width", Cells.Width}, {"lines", Cells.Lines}, {"classes", std::move(Classes)}};
}

nlohmann::json rowsJson(const specrt_sparse_loop *First) {
  const RowFigures F = rowFigures(First);
  nlohmann::json Pictures = nlohmann::json::array();
  for (const auto &Picture : F.Pictures)
    if (const RowCells Cells = Picture->cells(); Cells.Width > 0)
      Pictures.push_back(pictureJson(Cells));
  return {{"tables", F.Tables},
          {"calls", F.Calls},
          {"refused", F.Refused},
          {"inspections", F.Inspections},
          {"inspection_ms", F.InspectionMs},
          {"rows_compared_only", F.RowsPredicted},
          {"taken_over", F.TakenOver},
          {"recalled", F.Recalled},
          {"changes", F.Changes},
          {"rows", F.Rows},
          {"rows_in_classes", F.RowsInClasses},
          {"segments", F.Segments},
          {"levels", F.Levels},
          {"merged_levels", F.MergedLevels},
          {"rows_in_lanes", F.RowsInLanes},
          {"rows_in_blocks", F.RowsInBlocks},
          {"rows_unrolled", F.RowsUnrolled},
          {"fused_calls", F.FusedCalls},
          {"fused_steps", F.FusedSteps},
          {"fusion_problem", F.FusionProblem},
          {"watched_by", F.WatchKinds},
          {"watch_ns", F.WatchNs},
          {"pictures", std::move(Pictures)},
          {"problem", F.Problem},
          {"advice", adviceForReason(F.Problem)},
          {"text", describe(F)}};
}

} // namespace specrt
