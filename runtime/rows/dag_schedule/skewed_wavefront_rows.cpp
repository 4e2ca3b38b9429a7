//===- runtime/rows/dag_schedule/skewed_wavefront_rows.cpp - rows of skewed wavefronts ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/rows/dag_schedule/skewed_wavefront_rows.h"
#include "runtime/rows/inspector_sink.h"
#include "runtime/rows/segments.h"

#include <algorithm>
#include <map>

namespace specrt {

SkewedWavefrontRows::SkewedWavefrontRows(const specrt_sparse_loop &Loop)
    : Loop(Loop), Miner(RowMiner::assign({})) {
  std::vector<RowClass> Classes = classesOf(Loop);
  for (uint32_t I = 0; I < Loop.num_classes; ++I) {
    if (hasCode(Loop.classes[I], SPECRT_SEGMENT_WAVEFRONT))
      Numbers.push_back(I);
    else
      Classes[I].Step = 0; // no row belongs to it
  }
  if (!Numbers.empty())
    Miner = RowMiner::assign(std::move(Classes));
}

/// Returns the differences between values and rows' numbers where the code of lanes requires equal
/// ones in all lanes; nothing if they differ from what the code requires.
std::optional<std::vector<int64_t>> SkewedWavefrontRows::tiesOf(const RowSegment &Of) const {
  const RowClass &Class = Found.Classes[Of.Class];
  std::vector<int64_t> Far;
  for (size_t I = 0; I < Class.entries(); ++I) {
    const RowTie Tie = Class.tie(I);
    if (!Tie.FollowsRow)
      continue;
    Far.push_back(static_cast<int64_t>(static_cast<uint64_t>(Found.entryOf(Of, 0, I)) -
                                       static_cast<uint64_t>(Of.First)));
    if (Tie.Beside && *Tie.Beside != Far.back())
      return std::nullopt;
  }
  return Far;
}

void SkewedWavefrontRows::finish() {
  if (!Numbers.empty())
    Found = Miner.finish();
  std::map<std::vector<int64_t>, uint32_t> Known;
  for (size_t I = 0; I < Found.Segments.size(); ++I) {
    const RowSegment &Of = Found.Segments[I];
    if (Of.Class == RestClass || Of.RowStep != 1)
      continue;
    const std::optional<std::vector<int64_t>> Ties = tiesOf(Of);
    if (!Ties)
      continue;
    const uint32_t Number =
        Known.try_emplace(*Ties, static_cast<uint32_t>(Known.size())).first->second;
    Runs.push_back(
        {static_cast<uint32_t>(Of.First), static_cast<uint32_t>(Of.Count), Of.Class, Number});
    SegmentOf.push_back(I);
  }
}

void SkewedWavefrontRows::addSteps(RowTable &T, const RowSchedule &S,
                                   const RowSchedule::Wavefront &B, uint32_t Step,
                                   uint32_t Count) const {
  const uint32_t Class = Runs[B.FirstRun].Class;
  // The place of LaneOrigins is not known yet: setLaneOrigins.
  T.Segments.push_back(SegmentCode{SPECRT_SEGMENT_WAVEFRONT, Class}.segment(
      /*Origins=*/nullptr, static_cast<int64_t>(T.LaneOrigins.size()), Count));
  for (uint32_t Lane = 0; Lane < SkewedWavefront::Lanes; ++Lane) {
    const RowSegment &Of = Found.Segments[SegmentOf[B.FirstRun + Lane]];
    const int64_t Row = S.Order[B.FirstPlace + Lane] + int64_t{Step};
    T.LaneOrigins.push_back(Row);
    for (size_t I = 0; I < Found.Classes[Class].entries(); ++I)
      T.LaneOrigins.push_back(Found.entryOf(Of, Row - Of.First, I));
  }
  T.RowsInLanes += uint64_t{Count} * SkewedWavefront::Lanes;
}

} // namespace specrt
