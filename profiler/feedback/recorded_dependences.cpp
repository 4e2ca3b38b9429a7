//===- profiler/feedback/recorded_dependences.cpp - dependences through memory in a recording ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/feedback/recorded_dependences.h"

#include "profiler/feedback/nest_tables.h"
#include <algorithm>

namespace specrt {
namespace {

/// More than the number of points of any stream in a recording.
constexpr size_t AnyNumber = size_t{1} << 40;
constexpr unsigned MaxExactLive = 1 << 20;

void widen(Distance &To, int64_t Value) {
  To.Min = std::min(*To.Min, Value);
  To.Max = std::max(*To.Max, Value);
}

} // namespace

RecordedDependences::RecordedDependences(std::span<const specrt_recorded_access> Accesses,
                                         bool CountExact)
    : Accesses(Accesses), CountExact(CountExact) {}

uint32_t RecordedDependences::numCommonLoops(uint32_t A, uint32_t B) const {
  const specrt_recorded_access &X = Accesses[A], &Y = Accesses[B];
  const uint32_t Most = std::min(X.depth, Y.depth);
  uint32_t D = 0;
  while (D < Most && X.loops[D] == Y.loops[D])
    ++D;
  return D;
}

void RecordedDependences::addPair(const Writer &From, const RecordedPoint &To,
                                  NestDependence::Kind What) {
  Stream &S = Streams[{From.Access, To.Access, What}];
  if (What == NestDependence::Flow) {
    const uint32_t Depth = Accesses[To.Access].depth, Labels = Accesses[From.Access].depth;
    if (!S.Folded) {
      S.Folded = std::make_unique<Folder>(Depth, Labels);
      if (CountExact)
        S.Exact = std::make_unique<Folder>(Depth, Labels,
                                           FoldOptions{.Widen = Widening::Never,
                                                       .MaxLive = MaxExactLive,
                                                       .MaxPieces = AnyNumber,
                                                       .MaxBytes = AnyNumber});
    }
    S.Folded->add(To.At, From.At.data());
    if (S.Exact)
      S.Exact->add(To.At, From.At.data());
  }
  const uint32_t Common = numCommonLoops(From.Access, To.Access);
  uint32_t Level = 0;
  while (Level < Common && To.At[Level] == From.At[Level])
    ++Level;
  if (Level == Common)
    return;
  std::vector<Distance> &Distances = S.Carried[Level];
  if (Distances.empty())
    for (uint32_t D = 0; D < Common; ++D)
      Distances.push_back({To.At[D] - From.At[D], To.At[D] - From.At[D]});
  for (uint32_t D = 0; D < Common; ++D)
    widen(Distances[D], To.At[D] - From.At[D]);
}

void RecordedDependences::see(const RecordedPoint &Point, uint64_t Gaps) {
  if (Gaps != GapsSeen) {
    GapsSeen = Gaps;
    Written = {};
    ReadBy.clear();
  }
  const specrt_recorded_access &Access = Accesses[Point.Access];
  const Writer *Last = Written.of(Point.Address);
  if (!(Access.flags & SPECRT_RECORDED_WRITE)) {
    if (Last)
      addPair(*Last, Point, NestDependence::Flow);
    ReadBy[Point.Access].write(Point.Address, Access.width, Point.Access, Point.At, Access.depth);
    return;
  }
  if (Last)
    addPair(*Last, Point, NestDependence::Output);
  for (const auto &[Reader, Places] : ReadBy)
    if (const Writer *Read = Places.of(Point.Address))
      addPair(*Read, Point, NestDependence::Anti);
  Written.write(Point.Address, Access.width, Point.Access, Point.At, Access.depth);
}

void RecordedDependences::addTo(Nest &To) {
  for (auto &[Of, S] : Streams) {
    if (S.Folded)
      To.DependencePieces += S.Folded->finish().Pieces.size();
    if (S.Exact)
      To.ExactPieces += S.Exact->finish().Pieces.size();
    for (auto &[Level, Distances] : S.Carried) {
      if (To.Dependences.size() == Nest::MaxDependences) {
        To.Omitted = true;
        break;
      }
      const auto &[From, Into, What] = Of;
      To.Dependences.push_back(
          nestDependence(Accesses, From, Into, What, Level, std::move(Distances)));
    }
  }
}

} // namespace specrt
