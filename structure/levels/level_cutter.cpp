//===- structure/levels/level_cutter.cpp - cuts one level into segments -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/levels/level_cutter.h"

namespace specrt {
namespace {

/// Fewer rows that lie equally far apart by chance go into a list.
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

double LevelCutter::originalCycles(std::span<const int64_t> Rows) const {
  double Cycles = 0;
  for (int64_t Row : Rows)
    Cycles += Costs.original(Log.values(Row));
  return Cycles;
}

double LevelCutter::cut(RowStructure &To, const RowClassTable &Classes,
                        std::span<const int64_t> Rows) {
  double Cycles = 0;
  size_t Done = 0;
  const auto RestUntil = [&](size_t End) {
    const auto Rest = Rows.subspan(Done, End - Done);
    Cycles += originalCycles(Rest);
    addRest(To, Rest);
  };
  walk(Rows, [&](const RowRun &Found, std::span<const int64_t> In) {
    const RowView View = Found.view();
    const uint32_t Class =
        Classes.find(View, [&](uint32_t I) -> const RowClass & { return To.Classes[I]; });
    if (Class == RowClassTable::None || Found.count() < To.Classes[Class].MinRows)
      return;
    const auto Begin = static_cast<size_t>(In.data() - Rows.data());
    RestUntil(Begin);
    Done = Begin + In.size();
    To.Segments.push_back({Class, Found.first(), View.Step, Found.count(), To.Origins.size()});
    Found.appendOrigins(To.Origins);
    Cycles += Costs.segment(View.values(), View.Step, false, Found.count());
  });
  RestUntil(Rows.size());
  return Cycles;
}

} // namespace specrt
