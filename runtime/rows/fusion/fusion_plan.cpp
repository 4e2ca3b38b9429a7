//===- runtime/rows/fusion/fusion_plan.cpp - orders the rows of two loops that take turns ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/rows/fusion/fusion_plan.h"
#include "runtime/base/config.h"
#include "runtime/base/reasons.h"
#include "runtime/rows/data_caches.h"
#include "runtime/rows/fusion/segment_rows.h"

#include <algorithm>
#include <optional>

namespace specrt {
namespace {

/// The number of rows whose accesses are recorded together, and the limit of such blocks.
constexpr uint64_t LeastBlockRows = 16, MaxBlocks = uint64_t{1} << 16;
/// The limit of extents of both loops, because each call compares all of them.
constexpr size_t MaxExtents = 64;
/// The least share of the first loop's data that the second one must read again.
constexpr double LeastShare = 0.25;
/// With fewer steps, hardly any data that are read again are still in caches.
constexpr size_t LeastSteps = 4;
/// The factor by which steps of threads are longer, as far as their shared cache allows: beginning
/// and ending a step takes some microseconds.
constexpr double StepsOfThreads = 8;
/// The limit of the work to determine what all segments access.
constexpr uint64_t MaxVisits = uint64_t{1} << 22;

struct Bytes {
  uint64_t Low = UINT64_MAX, High = 0;

  void add(const Bytes &Other) {
    Low = std::min(Low, Other.Low);
    High = std::max(High, Other.High);
  }
  bool meets(const Bytes &Other) const { return Low < Other.High && Other.Low < High; }
};

Bytes bytesOf(const LoopCall &Call, const RowExtent &X) {
  const uint64_t Base = beginOf(Call.Loop, X.Base, Call.Inputs);
  return {Base + static_cast<uint64_t>(X.Low), Base + static_cast<uint64_t>(X.High)};
}

uint32_t flagsOf(const LoopCall &Call, const RowExtent &X) { return Call.Loop.bases[X.Base].flags; }

/// Returns whether \p IsOne is true for all pairs of bases through which one loop writes bytes that
/// the other accesses.
template <typename Fn> bool allMeeting(const LoopCall &A, const LoopCall &B, Fn IsOne) {
  return std::all_of(A.Table.Extents.begin(), A.Table.Extents.end(), [&](const RowExtent &X) {
    return std::all_of(B.Table.Extents.begin(), B.Table.Extents.end(), [&](const RowExtent &Y) {
      const uint32_t Any = flagsOf(A, X) | flagsOf(B, Y);
      return !(Any & SPECRT_ROWS_WRITTEN) || !bytesOf(A, X).meets(bytesOf(B, Y)) ||
             IsOne(FollowedBases{X.Base, Y.Base,
                                 beginOf(B.Loop, Y.Base, B.Inputs) -
                                     beginOf(A.Loop, X.Base, A.Inputs)},
                   Any);
    });
  });
}

/// Returns the pairs of bases whose accesses meet; nothing if some cannot be followed.
std::optional<std::vector<FollowedBases>> meetingBases(const LoopCall &A, const LoopCall &B) {
  std::vector<FollowedBases> Found;
  const bool Are = allMeeting(A, B, [&](const FollowedBases &Both, uint32_t Flags) {
    if (std::find(Found.begin(), Found.end(), Both) == Found.end())
      Found.push_back(Both);
    return !(Flags & (SPECRT_ROWS_DECIDES | SPECRT_ROWS_NOTES));
  });
  return Are ? std::optional(std::move(Found)) : std::nullopt;
}

/// Returns the bytes of the data of \p A that \p B accesses, too.
double sharedBytes(const LoopCall &A, const LoopCall &B) {
  double Shared = 0;
  for (const RowExtent &X : A.Table.Extents)
    for (const RowExtent &Y : B.Table.Extents) {
      const Bytes One = bytesOf(A, X), Other = bytesOf(B, Y);
      if (!((flagsOf(A, X) | flagsOf(B, Y)) & SPECRT_ROWS_DECIDES) && One.meets(Other))
        Shared +=
            static_cast<double>(std::min(One.High, Other.High) - std::max(One.Low, Other.Low));
    }
  return Shared;
}

uint64_t blockRows(const LoopCall &Call) {
  return std::max(LeastBlockRows, (Call.Rows + MaxBlocks - 1) / MaxBlocks);
}

/// Returns the number of blocks that are inspected for all these segments.
uint64_t blocksOf(const LoopCall &Call, const std::vector<SegmentRows> &Segments) {
  uint64_t Blocks = 0;
  for (const SegmentRows &Rows : Segments)
    Blocks += (Rows.End - Rows.First) / blockRows(Call) + 1;
  return Blocks;
}

/// The bytes that the segments of a loop access through each base.
class BlockFootprints {
public:
  BlockFootprints(const LoopCall &Call, specrt_rows_footprint *Walk)
      : NumBases(Call.Loop.num_bases), BlockRows(blockRows(Call)) {
    const size_t Size = ((Call.Rows - 1) / BlockRows + 2) * NumBases;
    Low.assign(Size, UINT64_MAX);
    High.assign(Size, 0);
    Walk(Call.Inputs, BlockRows, Low.data(), High.data());
  }

  Bytes of(const SegmentRows &Rows, uint32_t Base) const {
    Bytes Result;
    for (uint64_t Block = Rows.First / BlockRows; Block <= (Rows.End - 1) / BlockRows; ++Block)
      Result.add({Low[Block * NumBases + Base], High[Block * NumBases + Base]});
    return Result;
  }

private:
  const uint64_t NumBases, BlockRows;
  std::vector<uint64_t> Low, High;
};

class Planner {
public:
  Planner(const specrt_fused_loops &Loops, const LoopCall &A, const LoopCall &B)
      : Loops(Loops), A(A), B(B) {}

  std::shared_ptr<FusionPlan> plan();

private:
  static std::vector<SegmentRows> rowsOfSegments(const LoopCall &Call);
  bool follow(const std::vector<FollowedBases> &Meeting);
  bool cut(FusionPlan &Into) const;
  void addStep(FusionPlan &Into, size_t FirstEnd, size_t SecondEnd, size_t FirstBegin,
               size_t SecondBegin) const;
  double stepBytes() const;

  const specrt_fused_loops &Loops;
  const LoopCall &A, &B;
  std::vector<SegmentRows> OfA, OfB;
  /// By segment of B: the number of A's segments that must precede it.
  std::vector<size_t> Needs;
};

std::vector<SegmentRows> Planner::rowsOfSegments(const LoopCall &Call) {
  std::vector<SegmentRows> Result;
  Result.reserve(Call.Table.Segments.size());
  for (const specrt_rows_segment &Each : Call.Table.Segments)
    Result.push_back(rowsOf(Call.Loop, Each));
  return Result;
}

/// Determines what each segment of B needs. Returns false if that would take too long.
bool Planner::follow(const std::vector<FollowedBases> &Meeting) {
  Needs.assign(OfB.size(), 0);
  if (Meeting.empty())
    return true;
  if ((blocksOf(A, OfA) + blocksOf(B, OfB)) * Meeting.size() > MaxVisits)
    return false;
  const BlockFootprints FootprintsA(A, Loops.first_footprint),
      FootprintsB(B, Loops.second_footprint);
  // by segment of A: the bytes that it and later ones access
  std::vector<Bytes> Left(OfA.size() + 1);
  for (const FollowedBases &Each : Meeting) {
    for (size_t I = OfA.size(); I-- > 0;) {
      Left[I] = Left[I + 1];
      Left[I].add(FootprintsA.of(OfA[I], Each.First));
    }
    for (size_t I = 0; I < OfB.size(); ++I) {
      const Bytes Mine = FootprintsB.of(OfB[I], Each.Second);
      const auto Apart = std::partition_point(Left.begin(), Left.end(),
                                              [&](const Bytes &L) { return L.meets(Mine); });
      Needs[I] = std::max(Needs[I], static_cast<size_t>(Apart - Left.begin()));
    }
  }
  for (size_t I = 1; I < Needs.size(); ++I)
    Needs[I] = std::max(Needs[I], Needs[I - 1]);
  return true;
}

double Planner::stepBytes() const {
  const double One = fusedStepBytes();
  if (!A.Loop.is_parallel && !B.Loop.is_parallel)
    return One;
  const double Each = One * usableProcessors();
  return std::max(Each, std::min(StepsOfThreads * Each, cachedBytes() / 2));
}

void Planner::addStep(FusionPlan &Into, size_t FirstEnd, size_t SecondEnd, size_t FirstBegin,
                      size_t SecondBegin) const {
  const auto Part = [](const RowTable &Of, size_t Begin, size_t End) {
    specrt_rows_table Result{};
    Result.segments = Of.segments + Begin;
    Result.num_segments = Result.num_parts = End - Begin;
    return Result;
  };
  Into.Steps.push_back(
      {Part(A.Table, FirstBegin, FirstEnd), Part(B.Table, SecondBegin, SecondEnd)});
}

/// Cuts the segments into steps. Returns false if caches would not keep the data by which the first
/// loop is ahead.
bool Planner::cut(FusionPlan &Into) const {
  const double BytesOfRow = dataBytes(A.Loop, A.Table) / static_cast<double>(A.Rows);
  const double Most = cachedBytes(), Wanted = stepBytes();
  double Ahead = 0;
  for (size_t I = 0, J = 0; I < OfA.size() || J < OfB.size();) {
    const size_t FirstBegin = I, SecondBegin = J;
    for (double Step = 0; I < OfA.size() && Step < Wanted; ++I) {
      Step += BytesOfRow * static_cast<double>(OfA[I].Count);
      Ahead += BytesOfRow * static_cast<double>(OfA[I].Count);
    }
    if (Ahead > Most + Wanted)
      return false;
    for (; J < OfB.size() && (Needs[J] <= I || I == OfA.size()); ++J)
      Ahead -= BytesOfRow * static_cast<double>(OfB[J].Count);
    addStep(Into, I, J, FirstBegin, SecondBegin);
  }
  return Into.Steps.size() >= LeastSteps;
}

std::shared_ptr<FusionPlan> Planner::plan() {
  auto Result = std::make_shared<FusionPlan>();
  Result->First = &A.Table;
  Result->Second = &B.Table;
  Result->FirstNumber = A.Table.Number;
  Result->SecondNumber = B.Table.Number;
  const size_t Extents = std::max(A.Table.Extents.size(), B.Table.Extents.size());
  const auto Meeting = meetingBases(A, B);
  if (A.Table.Sharing || B.Table.Sharing) {
    Result->Problem = words(Reason::FusedRowsShared);
  } else if (!Meeting) {
    Result->Problem = words(Reason::FusedRowsDecide);
  } else if (sharedBytes(A, B) < LeastShare * dataBytes(A.Loop, A.Table)) {
    Result->Problem = words(Reason::FusedRowsDiffer);
  } else {
    OfA = rowsOfSegments(A);
    OfB = rowsOfSegments(B);
    if (Extents > MaxExtents || !follow(*Meeting) || !cut(*Result))
      Result->Problem = words(Reason::FusedRowsWait);
  }
  if (Result->Problem)
    Result->Steps = {};
  else
    Result->Followed = *Meeting;
  Result->steps = Result->Steps.data();
  Result->num_steps = Result->Steps.size();
  return Result;
}

} // namespace

bool FusionPlan::holds(const LoopCall &A, const LoopCall &B,
                       std::span<const specrt_fused_read> Reads) const {
  const auto IsOverwritten = [&](const specrt_fused_read &Read) {
    return std::any_of(A.Table.Extents.begin(), A.Table.Extents.end(), [&](const RowExtent &X) {
      return (flagsOf(A, X) & SPECRT_ROWS_WRITTEN) &&
             bytesOf(A, X).meets({Read.address, Read.address + Read.bytes});
    });
  };
  if (std::any_of(Reads.begin(), Reads.end(), IsOverwritten))
    return false;
  return allMeeting(A, B, [&](const FollowedBases &Both, uint32_t) {
    return std::find(Followed.begin(), Followed.end(), Both) != Followed.end();
  });
}

std::shared_ptr<FusionPlan> planFusion(const specrt_fused_loops &Loops, const LoopCall &A,
                                       const LoopCall &B) {
  return Planner(Loops, A, B).plan();
}

} // namespace specrt
