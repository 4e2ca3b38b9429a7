//===- structure/levels/row_schedule.cpp - execution orders for rows with dependences -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/levels/row_schedule.h"
#include "structure/levels/levels.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace specrt {
namespace {

constexpr uint32_t LeastStrip = 64;
/// Number of rows that are sampled to find the width of strips.
constexpr uint32_t SampledRows = uint32_t{1} << 16;

/// Maps the numbers to others in the same order, from 0 and with few gaps.
std::vector<uint32_t> ranks(std::vector<uint32_t> Of) {
  const auto [Least, Most] = std::minmax_element(Of.begin(), Of.end());
  if (*Most - *Least > 4 * Of.size()) {
    std::vector<uint32_t> Sorted = Of;
    std::sort(Sorted.begin(), Sorted.end());
    Sorted.erase(std::unique(Sorted.begin(), Sorted.end()), Sorted.end());
    for (uint32_t &Each : Of)
      Each = static_cast<uint32_t>(std::lower_bound(Sorted.begin(), Sorted.end(), Each) -
                                   Sorted.begin());
    return Of;
  }
  for (const uint32_t From = *Least; uint32_t &Each : Of)
    Each -= From;
  return Of;
}

class Scheduler {
public:
  Scheduler(const RowDependences &Rows, std::span<const uint16_t> KindOf,
            const RowScheduleOptions &Options, std::span<const RowsOfRun> Runs,
            std::span<const uint16_t> GroupOf)
      : Rows(Rows), KindOf(KindOf), Options(Options), Level(Rows.rows()),
        Levels(levelsOf(0, Rows.rows())), Runs(Runs) {
    // Groups do not help a chain, which needs as many steps as it has rows.
    if (!GroupOf.empty() && Levels <= Rows.rows() / 2)
      Groups.emplace(Rows, GroupOf, KindOf);
  }

  bool hasGroups() const { return Groups.has_value(); }
  RowSchedule strips();
  RowSchedule steps();

private:
  uint32_t levelsOf(uint32_t First, uint32_t End);
  uint32_t numLevels(uint32_t First, uint32_t End);
  uint32_t rowsPerStrip();
  void append(RowSchedule &To, const LevelOrder &Order, size_t Level, uint32_t First) const;
  void appendSome(RowSchedule &To, std::vector<uint32_t> Some);
  uint64_t addStrip(RowSchedule &To, uint32_t First, uint32_t End);
  void addSteps(RowSchedule &To, const SkewedWavefront &Wavefront);
  uint64_t addWavefront(RowSchedule &To, const SkewedWavefront &Wavefront);
  uint64_t addWavefronts(RowSchedule &To, std::span<const SkewedWavefront> Wavefronts);
  std::vector<SkewedWavefront> wavefrontsInsteadOfGroups();
  void addChunks(RowSchedule &To, uint32_t First);
  void addWaits(RowSchedule &To, uint32_t First, uint32_t End);
  void finish(RowSchedule &S) const;

  const RowDependences &Rows;
  const std::span<const uint16_t> KindOf;
  const RowScheduleOptions &Options;
  LargeVector<uint32_t> Level;
  const uint32_t Levels;
  const std::span<const RowsOfRun> Runs;
  std::optional<RowGroups> Groups;
  std::vector<uint32_t> Seen; // by level: the number of the count that last saw it
  uint32_t Stamp = 0;
  LargeVector<uint32_t> LevelAmong;       // by row: 0, or its level among the given rows, from 1
  LargeVector<uint32_t> ChunkOf, StripOf; // chunks are numbered within their strips
  /// The last wait of a strip for another one, and its position in RowSchedule::Waits.
  struct Waited {
    uint32_t Strip = UINT32_MAX, Least = 0;
    size_t At = 0;
  };
  std::vector<Waited> Reached; // by the strip that is waited for
};

/// Computes Level for rows \p First to \p End - 1, relative to rows before them, and returns the
/// number of levels.
uint32_t Scheduler::levelsOf(uint32_t First, uint32_t End) {
  uint32_t Most = 0;
  for (uint32_t Row = First; Row < End; ++Row) {
    uint32_t Mine = 0;
    for (uint32_t Other : Rows.before(Row))
      if (Other >= First)
        Mine = std::max(Mine, Level[Other] + 1);
    Level[Row] = Mine;
    Most = std::max(Most, Mine + 1);
  }
  return Most;
}

/// Returns the number of levels of a strip's rows. For one thread, levels count from the beginning
/// of the strip, so that rows move as little as possible. For several threads, all levels count
/// from row 0, which keeps threads with neighbouring strips in step.
uint32_t Scheduler::numLevels(uint32_t First, uint32_t End) {
  if (Options.Threads == 1)
    return levelsOf(First, End);
  Seen.resize(Levels);
  ++Stamp;
  return static_cast<uint32_t>(
      std::count_if(Level.begin() + First, Level.begin() + End,
                    [this](uint32_t Of) { return std::exchange(Seen[Of], Stamp) != Stamp; }));
}

/// Returns the smallest size that gives strips the wanted width; all rows if none does.
uint32_t Scheduler::rowsPerStrip() {
  const uint32_t All = Rows.rows();
  if (Groups && Options.Threads == 1)
    return All;
  for (uint32_t Size = LeastStrip; Size < All; Size *= 2) {
    const uint32_t Strips = All / Size;
    const uint32_t Looked = std::clamp(SampledRows / Size, 1U, Strips);
    uint64_t Sum = 0;
    for (uint32_t I = 0; I < Looked; ++I) {
      const uint32_t First = static_cast<uint32_t>(uint64_t{I} * Strips / Looked) * Size;
      Sum += numLevels(First, First + Size);
    }
    if (uint64_t{Size} * Looked >=
        static_cast<uint64_t>(Options.LeastWidth * static_cast<double>(Sum)))
      return Size;
    if (Size > All / 2)
      break;
  }
  return All;
}

/// Appends the rows of level \p Of, sorted by kind.
void Scheduler::append(RowSchedule &To, const LevelOrder &Order, size_t Of, uint32_t First) const {
  const auto Begin = static_cast<std::ptrdiff_t>(To.Order.size());
  for (int64_t Row : Order.rowsOf(Of, Of + 1))
    To.Order.push_back(First + static_cast<uint32_t>(Row));
  std::sort(To.Order.begin() + Begin, To.Order.end(), [&](uint32_t A, uint32_t B) {
    return KindOf[A] != KindOf[B] ? KindOf[A] < KindOf[B] : A < B;
  });
}

/// Adds the waits of a chunk that its strip has not waited for before.
void Scheduler::addWaits(RowSchedule &To, uint32_t First, uint32_t End) {
  const auto Strip = static_cast<uint32_t>(To.Strips.size() - 1);
  const size_t Begin = To.Waits.size();
  for (uint32_t At = First; At < End; ++At)
    for (uint32_t Other : Rows.before(To.Order[At])) {
      const uint32_t Of = StripOf[Other], Least = ChunkOf[Other] + 1;
      Waited &Known = Reached[Of];
      if (Of == Strip || (Known.Strip == Strip && Known.Least >= Least))
        continue;
      if (Known.Strip != Strip || Known.At < Begin) {
        Known = {Strip, Least, To.Waits.size()};
        To.Waits.push_back({Of, Least});
      } else {
        Known.Least = To.Waits[Known.At].Least = Least;
      }
    }
}

/// Returns \p Place, or the end of the step or group that contains it.
uint32_t betweenSteps(const RowSchedule &S, uint32_t Place) {
  const auto Group = std::lower_bound(S.Groups.begin(), S.Groups.end(), Place);
  if (Group != S.Groups.begin() && Place < Group[-1] + RowGroups::Rows)
    return Group[-1] + RowGroups::Rows;
  if (S.Wavefronts.empty() || Place >= S.Wavefronts.back().endPlace() ||
      Place < S.Wavefronts.back().FirstPlace)
    return Place;
  constexpr uint32_t Lanes = SkewedWavefront::Lanes;
  return Place + (Lanes - (Place - S.Wavefronts.back().FirstPlace) % Lanes) % Lanes;
}

/// Adds the chunks of the strip that begins at \p First and ends with the order.
void Scheduler::addChunks(RowSchedule &To, uint32_t First) {
  const auto Strip = static_cast<uint32_t>(To.Strips.size());
  const auto End = static_cast<uint32_t>(To.Order.size());
  To.Strips.push_back({static_cast<uint32_t>(To.Chunks.size()), Strip});
  const uint32_t Size = std::min(Options.ChunkRows, std::max(32U, (End - First) / 8));
  for (uint32_t Chunk = 0; First < End; ++Chunk) {
    const uint32_t Next = End - First < 2 * Size ? End : betweenSteps(To, First + Size);
    To.Chunks.push_back({First, static_cast<uint32_t>(To.Waits.size())});
    for (uint32_t At = First; At < Next; ++At) {
      StripOf[To.Order[At]] = Strip;
      ChunkOf[To.Order[At]] = Chunk;
    }
    addWaits(To, First, Next);
    First = Next;
  }
}

/// Adds a strip of rows \p First to \p End - 1. Returns the number of its levels.
uint64_t Scheduler::addStrip(RowSchedule &To, uint32_t First, uint32_t End) {
  if (Groups) {
    const auto Begin = static_cast<uint32_t>(To.Order.size());
    const uint32_t Steps = Groups->append(First, End, To.Order, To.Groups);
    addChunks(To, Begin);
    return Steps;
  }
  const uint64_t Found = numLevels(First, End);
  const LevelOrder Sorted(ranks({Level.begin() + First, Level.begin() + End}));
  for (size_t I = 0; I < Sorted.size(); ++I)
    append(To, Sorted, I, First);
  addChunks(To, First);
  return Found;
}

/// Appends \p Some, which are ascending, by their levels relative to all other rows.
void Scheduler::appendSome(RowSchedule &To, std::vector<uint32_t> Some) {
  if (Some.empty())
    return;
  LevelAmong.resize(Rows.rows());
  for (uint32_t Row : Some) {
    uint32_t Mine = 1;
    for (uint32_t Other : Rows.before(Row))
      if (LevelAmong[Other])
        Mine = std::max(Mine, LevelAmong[Other] + 1);
    LevelAmong[Row] = Mine;
  }
  std::sort(Some.begin(), Some.end(), [&](uint32_t A, uint32_t B) {
    return std::tuple(LevelAmong[A], KindOf[A], A) < std::tuple(LevelAmong[B], KindOf[B], B);
  });
  for (uint32_t Row : Some)
    LevelAmong[Row] = 0;
  To.Order.insert(To.Order.end(), Some.begin(), Some.end());
}

void Scheduler::addSteps(RowSchedule &To, const SkewedWavefront &Wavefront) {
  To.Wavefronts.push_back(
      {static_cast<uint32_t>(To.Order.size()), Wavefront.Steps, Wavefront.FirstRun});
  for (uint32_t Step = 0; Step < Wavefront.Steps; ++Step)
    for (uint32_t First : Wavefront.FirstOf)
      To.Order.push_back(First + Step);
}

/// Adds a strip with one wavefront. Returns an estimate of the number of its levels.
uint64_t Scheduler::addWavefront(RowSchedule &To, const SkewedWavefront &Wavefront) {
  appendSome(To, Wavefront.Before);
  addSteps(To, Wavefront);
  appendSome(To, Wavefront.After);
  addChunks(To, Wavefront.First);
  return numLevels(Wavefront.First, Wavefront.End);
}

/// Adds consecutive wavefronts for one thread. Rows after the steps of one, before the steps of the
/// next and between the two are appended together.
uint64_t Scheduler::addWavefronts(RowSchedule &To, std::span<const SkewedWavefront> Wavefronts) {
  uint64_t Found = 0;
  std::vector<uint32_t> Between;
  uint32_t Done = Wavefronts[0].First;
  for (const SkewedWavefront &Each : Wavefronts) {
    for (; Done < Each.First; ++Done)
      Between.push_back(Done);
    Between.insert(Between.end(), Each.Before.begin(), Each.Before.end());
    const auto First = static_cast<uint32_t>(To.Order.size());
    appendSome(To, std::exchange(Between, Each.After));
    addSteps(To, Each);
    if (&Each == &Wavefronts.back())
      appendSome(To, Between);
    addChunks(To, First);
    Found += numLevels(Each.First, Each.End);
    Done = Each.End;
  }
  return Found;
}

/// Returns wavefronts if they cover most of the rows, as they need less memory traffic than groups;
/// otherwise nothing.
std::vector<SkewedWavefront> Scheduler::wavefrontsInsteadOfGroups() {
  std::vector<SkewedWavefront> Wavefronts = findSkewedWavefronts(Rows, Runs);
  if (!Groups)
    return Wavefronts;
  uint64_t InWavefronts = 0;
  for (const SkewedWavefront &Each : Wavefronts)
    InWavefronts += uint64_t{Each.Steps} * SkewedWavefront::Lanes;
  if (2 * InWavefronts >= Rows.rows())
    Groups.reset();
  else
    Wavefronts.clear();
  return Wavefronts;
}

RowSchedule Scheduler::strips() {
  const std::vector<SkewedWavefront> Wavefronts = wavefrontsInsteadOfGroups();
  const uint32_t All = Rows.rows(), Size = rowsPerStrip();
  RowSchedule Result;
  Result.Order.reserve(All);
  StripOf.resize(All);
  ChunkOf.resize(All);
  Reached.resize(All / Size + 2 * Wavefronts.size() + 1);
  uint64_t Sum = 0;
  uint32_t First = 0;
  const auto AddUntil = [&](uint32_t End) {
    for (; First < End; First += std::min(Size, End - First))
      Sum += addStrip(Result, First, First + std::min(Size, End - First));
  };
  for (auto Next = Wavefronts.begin(); Next != Wavefronts.end(); First = Next[-1].End) {
    AddUntil(Next->First);
    const auto From = Next++;
    if (Options.Threads > 1) {
      Sum += addWavefront(Result, *From);
      continue;
    }
    while (Next != Wavefronts.end() && Next->First - Next[-1].End <= Size)
      ++Next;
    Sum += addWavefronts(Result, {From, Next});
  }
  AddUntil(All);
  Result.Width = All / std::max<double>(1, static_cast<double>(Sum));
  Result.Merged = Result.NumCounters = static_cast<uint32_t>(Result.Strips.size());
  Result.Levels = Levels;
  finish(Result);
  return Result;
}

/// Schedules level by level.
RowSchedule Scheduler::steps() {
  RowSchedule Result;
  const LevelOrder Sorted(Level);               // by level of all rows, see numLevels
  const uint32_t Least = 2 * Options.ChunkRows; // enough for two threads
  uint32_t Pieces = 0;                          // pieces of the previous step
  const auto AddPiece = [&](uint32_t First) {
    Result.Strips.push_back({static_cast<uint32_t>(Result.Chunks.size()), Result.NumCounters});
    Result.Chunks.push_back({First, static_cast<uint32_t>(Result.Waits.size())});
    if (Pieces)
      Result.Waits.push_back({Result.NumCounters - 1, Pieces});
  };
  for (size_t I = 0; I < Sorted.size();) {
    const auto First = static_cast<uint32_t>(Result.Order.size());
    const bool IsThin = Sorted.rowsOf(I, I + 1).size() < Least;
    do
      append(Result, Sorted, I++, 0);
    while (IsThin && I < Sorted.size() && Sorted.rowsOf(I, I + 1).size() < Least);
    const auto Count = static_cast<uint32_t>(Result.Order.size()) - First;
    const uint32_t Cuts = IsThin ? 1 : std::min(Count / Options.ChunkRows, 8 * Options.Threads);
    for (uint32_t Piece = 0; Piece < Cuts; ++Piece)
      AddPiece(First + static_cast<uint32_t>(uint64_t{Count} * Piece / Cuts));
    Pieces = Cuts;
    ++Result.NumCounters;
  }
  Result.Width = Rows.rows() / std::max<double>(1, static_cast<double>(Sorted.size()));
  Result.Merged = Result.NumCounters;
  Result.Levels = Levels;
  finish(Result);
  return Result;
}

/// Adds the end markers, and predicts the speedup by simulating the threads.
void Scheduler::finish(RowSchedule &S) const {
  const size_t NumStrips = S.Strips.size();
  S.Strips.push_back({static_cast<uint32_t>(S.Chunks.size()), 0});
  S.Chunks.push_back({Rows.rows(), static_cast<uint32_t>(S.Waits.size())});
  std::vector<double> Free(std::max(1U, Options.Threads));
  std::vector<std::vector<double>> Times(S.NumCounters); // times at which counters were incremented
  double Last = 0;
  for (size_t Strip = 0; Strip < NumStrips; ++Strip) {
    double &Now = *std::min_element(Free.begin(), Free.end());
    for (uint32_t C = S.Strips[Strip].FirstChunk; C < S.Strips[Strip + 1].FirstChunk; ++C) {
      for (uint32_t W = S.Chunks[C].FirstWait; W < S.Chunks[C + 1].FirstWait; ++W)
        Now = std::max(Now, Times[S.Waits[W].Counter][S.Waits[W].Least - 1]);
      Now += S.Chunks[C + 1].FirstRow - S.Chunks[C].FirstRow + Options.MeetingCost;
      std::vector<double> &Raised = Times[S.Strips[Strip].Counter];
      Raised.push_back(Raised.empty() ? Now : std::max(Now, Raised.back()));
    }
    Last = std::max(Last, Now);
  }
  S.Speedup = Last > 0 ? Rows.rows() / Last : 1;
}

} // namespace

RowSchedule scheduleRows(const RowDependences &Rows, std::span<const uint16_t> KindOf,
                         const RowScheduleOptions &Options, std::span<const RowsOfRun> Runs,
                         std::span<const uint16_t> GroupOf) {
  Scheduler Of(Rows, KindOf, Options, Runs, GroupOf);
  RowSchedule Result = Of.strips();
  // If groups cover only a minority of the rows, strips without groups are better.
  if (Of.hasGroups() && 2 * Result.Groups.size() * RowGroups::Rows < Rows.rows())
    Result = Scheduler(Rows, KindOf, Options, Runs, {}).strips();
  if (Options.Threads > 1 && Result.Speedup < 0.75 * Options.Threads) {
    RowSchedule Other = Of.steps();
    if (Other.Speedup > 1.1 * Result.Speedup)
      Result = std::move(Other);
  }
  return Result;
}

} // namespace specrt
