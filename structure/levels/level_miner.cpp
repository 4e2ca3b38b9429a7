//===- structure/levels/level_miner.cpp - segments of loop-carried kernels --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/levels/level_miner.h"
#include "structure/levels/level_cutter.h"

#include <algorithm>

namespace specrt {
namespace {

/// Writes one level after the other into a structure that has its classes already.
class LevelWriter {
public:
  LevelWriter(RowStructure &To, const LevelOrder &Order, LevelCutter &Cutter,
              const LevelMinerOptions &Options)
      : To(To), Order(Order), Cutter(Cutter), Options(Options) {
    for (uint32_t I = 0; I < To.Classes.size(); ++I)
      Table.add(To.Classes[I], I);
  }

  void write() {
    for (size_t Level = 0; Level < Order.size(); ++Level) {
      const Mark Before = mark();
      const double Cycles = Cutter.cut(To, Table, Order.rowsOf(Level, Level + 1));
      if (isThin(Cycles)) {
        if (NumThin++ == 0)
          ThinFrom = Before;
        continue;
      }
      if (NumThin) {
        goBack(Before);
        endThin(Level);
        Cutter.cut(To, Table, Order.rowsOf(Level, Level + 1));
      } else {
        To.Levels.push_back({Before.Segments, false});
      }
    }
    endThin(Order.size());
  }

private:
  struct Mark {
    size_t Segments = 0, Origins = 0;
  };
  Mark mark() const { return {To.Segments.size(), To.Origins.size()}; }
  void goBack(Mark Before) {
    To.Segments.resize(Before.Segments);
    To.Origins.resize(Before.Origins);
  }

  /// Returns whether sharing the level among threads saves less than their meeting costs.
  bool isThin(double Cycles) const {
    return Cycles * (1 - 1.0 / Options.Threads) <= Options.BarrierCycles;
  }

  /// Merges the thin levels before \p End. If classes save little in them, uses the order of the
  /// program, which is always legal and accesses memory in order.
  void endThin(size_t End) {
    if (NumThin == 0)
      return;
    const auto Rows = Order.rowsOf(End - NumThin, End);
    size_t InClasses = 0;
    for (size_t I = ThinFrom.Segments; I < To.Segments.size(); ++I)
      if (To.Segments[I].Class != RestClass)
        InClasses += static_cast<size_t>(To.Segments[I].Count);
    if (2 * InClasses < Rows.size()) {
      goBack(ThinFrom);
      std::vector<int64_t> Sorted(Rows.begin(), Rows.end());
      std::sort(Sorted.begin(), Sorted.end());
      addRest(To, Sorted);
    }
    To.Levels.push_back({ThinFrom.Segments, true});
    NumThin = 0;
  }

  RowStructure &To;
  const LevelOrder &Order;
  LevelCutter &Cutter;
  const LevelMinerOptions &Options;
  RowClassTable Table;
  size_t NumThin = 0; // thin levels that are not yet written
  Mark ThinFrom;      // where the first of them begins
};

} // namespace

LevelMiner::LevelMiner(std::vector<RowClass> Classes, bool Discovers,
                       const LevelMinerOptions &Options)
    : Options(Options), Classes(std::move(Classes)), Discovers(Discovers),
      Levels(Options.MaxBytes) {}

LevelMiner LevelMiner::discover(const LevelMinerOptions &Options) { return {{}, true, Options}; }

LevelMiner LevelMiner::assign(std::vector<RowClass> Classes, const LevelMinerOptions &Options) {
  return {std::move(Classes), false, Options};
}

void LevelMiner::row(const EntryKind *Kinds, const int64_t *Trace, size_t Entries,
                     const int64_t *Others, size_t NumOthers) {
  ++Rows;
  if (GivenUp)
    return;
  Log.row(Kinds, Trace, Entries <= Options.MaxEntries ? Entries : 0);
  // The limit also covers the rows in their order and the result.
  if (!Levels.row(Others, NumOthers) ||
      Log.bytes() + Levels.bytes() + sizeof(int64_t) * static_cast<size_t>(Rows) >
          Options.MaxBytes) {
    GivenUp = true;
    Log = {};
    Levels = RowLevels();
  }
}

RowStructure LevelMiner::finish() {
  RowStructure Result;
  Result.Rows = Rows;
  Result.GivenUp = GivenUp;
  if (GivenUp)
    return Result;
  Log.finish();
  const LevelOrder Order(Levels.levels());
  LevelCutter Cutter(Log, Options);
  if (!Discovers) {
    Result.Classes = std::move(Classes);
    LevelWriter(Result, Order, Cutter, Options).write();
    countRows(Result);
    return Result;
  }
  RowCandidates Candidates(Options.Costs, Options.MaxBytes / 2);
  for (size_t Level = 0; Level < Order.size(); ++Level)
    Cutter.walk(
        Order.rowsOf(Level, Level + 1),
        [&](const RowRun &Run) {
          Candidates.add(Run.view(), Run.count());
          return true;
        },
        [](int64_t) {});
  Result.Classes =
      selectClasses(Candidates.all(), Options, Cutter.originalCycles(Order.Rows)).Classes;
  return Result;
}

} // namespace specrt
