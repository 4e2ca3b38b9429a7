//===- structure/levels/level_cutter.cpp - cuts one level into segments -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/levels/level_cutter.h"

#include <algorithm>

namespace specrt {
namespace {

/// Shorter arithmetic progressions are likely chance; their rows go into a list.
constexpr size_t LeastProgression = 4;

size_t progressionFrom(std::span<const int64_t> Rows) {
  size_t Length = std::min<size_t>(Rows.size(), 2);
  while (Length < Rows.size() && Rows[Length] - Rows[Length - 1] == Rows[1] - Rows[0])
    ++Length;
  return Length;
}

} // namespace

void addRest(RowStructure &To, std::span<const int64_t> Rows) {
  const auto AddList = [&](std::span<const int64_t> List) {
    if (List.empty())
      return;
    To.Segments.push_back({RestClass, List[0], 0, std::ssize(List), To.Origins.size()});
    To.Origins.insert(To.Origins.end(), List.begin(), List.end());
  };
  size_t ListBegin = 0;
  for (size_t At = 0; At < Rows.size();) {
    const size_t Length = progressionFrom(Rows.subspan(At));
    if (Length < LeastProgression && Length < Rows.size()) {
      ++At;
      continue;
    }
    AddList(Rows.subspan(ListBegin, At - ListBegin));
    const int64_t Step = Length > 1 ? Rows[At + 1] - Rows[At] : 1;
    To.Segments.push_back({RestClass, Rows[At], Step, static_cast<int64_t>(Length), 0});
    ListBegin = At += Length;
  }
  AddList(Rows.subspan(ListBegin));
}

LevelCutter::LevelCutter(const TraceLog &Log, const RowMinerOptions &Options)
    : Log(Log), Costs(Options.Costs), MinRowsOf(Options.Costs, Options.MaxEntries),
      Trace(Options.MaxEntries) {}

double LevelCutter::originalCycles(std::span<const int64_t> Of) const {
  double Cycles = 0;
  for (int64_t Row : Of)
    Cycles += Costs.original(Log.values(Row));
  return Cycles;
}

void LevelCutter::setRows(std::span<const int64_t> RowsOfLevel) {
  Rows.assign(RowsOfLevel.begin(), RowsOfLevel.end());
  Next.assign(Log.numLayouts() + 1, 0);
  for (int64_t Row : RowsOfLevel)
    ++Next[Log.layout(Row) + 1];
  for (size_t I = 1; I < Next.size(); ++I)
    Next[I] += Next[I - 1];
  for (int64_t Row : RowsOfLevel)
    Rows[Next[Log.layout(Row)]++] = Row;
}

double LevelCutter::cut(RowStructure &To, const RowClassTable &Classes,
                        std::span<const int64_t> RowsOfLevel) {
  double Cycles = 0;
  Rest.clear();
  const auto AddSegment = [&](const RowRun &Found) {
    const RowView View = Found.view();
    const uint32_t Class =
        Classes.find(View, [&](uint32_t I) -> const RowClass & { return To.Classes[I]; });
    if (Class == RowClassTable::None || Found.count() < To.Classes[Class].MinRows)
      return false;
    To.Segments.push_back({Class, Found.first(), View.Step, Found.count(), To.Origins.size()});
    Found.appendOrigins(To.Origins);
    Cycles += Costs.segment(View.values(), View.Step, false, Found.count());
    return true;
  };
  walk(RowsOfLevel, AddSegment, [this](int64_t Row) { Rest.push_back(Row); });
  std::sort(Rest.begin(), Rest.end());
  addRest(To, Rest);
  return Cycles + originalCycles(Rest);
}

} // namespace specrt
