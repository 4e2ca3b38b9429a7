//===- runtime/report/zero_report.cpp - lists of nonzeros, for reports ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/report/zero_report.h"

#include "guards/words.h"
#include "runtime/base/reasons.h"
#include "runtime/report/row_report.h"
#include "runtime/report/zero_prediction.h"
#include "runtime/zeros/zero_lists.h"
#include "structure/summary/row_picture.h"
#include <algorithm>
#include <nlohmann/json.hpp>

namespace specrt {
namespace {

using nlohmann::json;

uint64_t rowsOf(const specrt_zeros_walk &W) {
  uint64_t Rows = 1;
  for (uint32_t D = 0; D + 1 < W.num_loops; ++D)
    Rows *= static_cast<uint64_t>(std::max<int64_t>(W.loops[D].trips, 0));
  return Rows;
}

/// Draws a line for each group of rows; columns are iterations of the loop that skips.
json pictureOf(const ShownList &Of) {
  const uint64_t Rows = rowsOf(Of.Walk);
  if (Rows < 2)
    return {};
  RowPicture Picture(Rows, static_cast<uint64_t>(
                               std::max<int64_t>(Of.Walk.loops[Of.Walk.num_loops - 1].trips, 0)));
  for (uint32_t Line = 0; Line < Picture.lines(); ++Line) {
    const uint64_t Row = Picture.rowOf(Line), Begin = Of.List->starts[Row];
    Picture.showRow({Of.List->positions + Begin, Of.List->starts[Row + 1] - Begin});
  }
  const RowCells Cells = Picture.cells();
  return Cells.Width > 0 ? pictureJson(Cells) : json();
}

json listJson(const std::string &Array, const ShownList &Of) {
  json Out = {{"array", Array},
              {"elements", Of.Elements},
              {"listed", Of.Listed},
              {"rows", rowsOf(Of.Walk)}};
  if (Of.IsUnwatchable)
    Out["why_not_kept"] = words(Reason::RowsUnwatched);
  if (json Picture = pictureOf(Of); !Picture.is_null())
    Out["picture"] = std::move(Picture);
  return Out;
}

/// Adds the observed zeros of \p Array, a name as in the region's accesses.
void addSeen(json &Out, const specrt_region &Region, const ZeroShares *Seen,
             const std::string &Array) {
  for (uint32_t A = 0; Seen && A < Seen->shares().size(); ++A) {
    const ZeroShares::Share &S = Seen->shares()[A];
    if (S.Words == 0 || !(Region.accesses[A].flags & SPECRT_ACCESS_WRITE) ||
        describe(Region.accesses[A].range.base, Region) != Array)
      continue;
    Out["words"] = S.Words;
    Out["zero"] = S.ZeroWords;
    return;
  }
}

json predictedJson(const specrt_region &Region, const ZeroPrediction &Of, const ZeroShares *Seen) {
  json Out = json::array();
  for (const PredictedArray &P : Of.Arrays) {
    json New = {{"array", P.Array},
                {"elements", P.Elements},
                {"nonzero", P.Nonzero},
                {"if_zero_before", P.IfZeroBefore}};
    addSeen(New, Region, Seen, P.Array);
    Out.push_back(std::move(New));
  }
  return Out;
}

} // namespace

json zeroListsJson(const specrt_region &Region, const ZeroEquations *Told, const ZeroShares *Seen,
                   double MaxMs) {
  json Lists = json::array();
  std::vector<ListedPattern> Patterns;
  std::vector<ShownList> InUse; // what patterns point to
  for (uint32_t A = 0; A < Region.num_accesses && A < ZeroShares::MaxAccesses; ++A) {
    ShownList List = listOf(specrt_zeros_array(Region.bitcode_hash[0], A));
    if (!List.List)
      continue;
    const std::string Array = describe(Region.accesses[A].range.base, Region);
    Lists.push_back(listJson(Array, List));
    Patterns.push_back({Array, List.Walk, List.List.get(), rowsOf(List.Walk), List.Listed});
    InUse.push_back(std::move(List));
  }
  if (Lists.empty())
    return {};
  json Out = {{"lists", std::move(Lists)}};
  ZeroPrediction Found;
  if (!Told || Told->isEmpty())
    Found.Why = "no equations are known";
  else
    Found = predictZeros(Told->get().Program, Patterns, MaxMs);
  if (Found.Why.empty())
    Out["predicted"] = predictedJson(Region, Found, Seen);
  else
    Out["why_not_predicted"] = Found.Why;
  return Out;
}

} // namespace specrt
