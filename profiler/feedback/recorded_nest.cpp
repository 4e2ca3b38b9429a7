//===- profiler/feedback/recorded_nest.cpp - the loops of a recorded call ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/feedback/recorded_nest.h"

#include "profiler/feedback/nest_tables.h"
#include "profiler/feedback/recorded_dependences.h"
#include "profiler/streams/recorded_words.h"
#include "specrt/folding.h"
#include <algorithm>
#include <map>

namespace specrt {
namespace {

/// The least share of the points that a piece must have to determine strides.
constexpr double MinShare = 0.05;

/// Returns the stride of \p Iterator in all larger pieces; nothing if they differ.
Stride strideOf(const Folding &Addresses, unsigned Iterator) {
  std::optional<int64_t> Known;
  bool HasNone = false;
  for (const FoldedPiece &Piece : Addresses.Pieces) {
    const bool IsSmall =
        static_cast<double>(Piece.Points) < MinShare * static_cast<double>(Addresses.Points);
    const bool Moves = std::any_of(
        Piece.Dimensions.begin(), Piece.Dimensions.end(),
        [&](const FoldedDimension &D) { return D.Iterator == Iterator && D.Lower != D.Upper; });
    if (IsSmall || !Moves)
      continue;
    const Coefficient C = Piece.stride(Iterator);
    if (C.Is != Coefficient::Number || (Known && *Known != C.Value))
      return std::nullopt;
    Known = C.Value;
    HasNone = true;
  }
  // If a loop never took a second step, its stride is unknown and irrelevant.
  return HasNone ? Known : Stride(0);
}

class NestOfCall {
public:
  NestOfCall(const Recorded &Call, const RecordedNestOptions &Options);

  Nest make();

private:
  void read();
  void see(const RecordedPoint &Point, const RecordedWords &Reader);
  void addAccesses();
  void chooseDomain();

  const Recorded &Call;
  const RecordedNestOptions &Options;
  Nest Result;
  std::vector<std::optional<Folder>> Addresses;
  std::vector<uint64_t> Points;
  std::vector<std::vector<int64_t>> Last; ///< last iteration, by access
  RecordedDependences Dependences;
  /// By inner loop of two: rows in the order in which they occurred.
  std::map<uint32_t, NestDomain> Domains;
};

NestOfCall::NestOfCall(const Recorded &Call, const RecordedNestOptions &Options)
    : Call(Call), Options(Options), Addresses(Call.Accesses.size()), Points(Call.Accesses.size()),
      Last(Call.Accesses.size()), Dependences(Call.Accesses, Options.CountExactPieces) {
  Result.From = Nest::Recording;
  for (const specrt_recorded_loop &L : Call.Loops)
    Result.Loops.push_back({.Line = L.line, .Depth = L.depth});
}

void NestOfCall::see(const RecordedPoint &Point, const RecordedWords &Reader) {
  const specrt_recorded_access &Access = Call.Accesses[Point.Access];
  // The folder requires iterations in order; control flow that does not consist of loops has none.
  std::vector<int64_t> &Before = Last[Point.Access];
  if (!Before.empty() && !std::lexicographical_compare(Before.begin(), Before.end(), Point.At,
                                                       Point.At + Access.depth))
    return;
  Before.assign(Point.At, Point.At + Access.depth);
  ++Points[Point.Access];
  for (uint32_t D = 0; D < Access.depth; ++D) {
    uint64_t &Trips = Result.Loops[Access.loops[D]].Trips;
    Trips = std::max(Trips, static_cast<uint64_t>(Point.At[D]) + 1);
  }
  std::optional<Folder> &Stream = Addresses[Point.Access];
  if (!Stream)
    Stream.emplace(Access.depth, 1);
  const auto Label = static_cast<int64_t>(Point.Address);
  Stream->add(Point.At, &Label);
  Dependences.see(Point, Reader.gaps());
  if (Access.depth != 2)
    return;
  NestDomain &Domain = Domains[Access.loops[1]];
  Domain.Outer = Access.loops[0];
  Domain.Inner = Access.loops[1];
  std::vector<NestRow> &Rows = Domain.Rows;
  if (!Rows.empty() && Rows.back().Outer == Point.At[0]) {
    Rows.back().First = std::min(Rows.back().First, Point.At[1]);
    Rows.back().Last = std::max(Rows.back().Last, Point.At[1]);
  } else if (Rows.size() < Nest::MaxRows) {
    Rows.push_back({Point.At[0], Point.At[1], Point.At[1]});
  }
}

void NestOfCall::read() {
  RecordedWords Reader(Call.Words.first(std::min(Call.Words.size(), Options.MaxWords)),
                       Call.Accesses);
  for (RecordedPoint Point{}; Reader.next(Point);)
    see(Point, Reader);
}

void NestOfCall::addAccesses() {
  for (size_t I = 0; I < Call.Accesses.size(); ++I) {
    const specrt_recorded_access &From = Call.Accesses[I];
    if (!Addresses[I])
      continue;
    if (Result.Accesses.size() == Nest::MaxAccesses) {
      Result.Omitted = true;
      return;
    }
    const Folding Folded = Addresses[I]->finish();
    NestAccess A = nestAccess(From);
    A.AffineShare = Folded.affineShare();
    A.Pieces = static_cast<uint32_t>(Folded.Pieces.size());
    A.Points = Points[I];
    for (uint32_t D = 0; D < From.depth; ++D)
      A.Strides.push_back(strideOf(Folded, D));
    Result.Accesses.push_back(std::move(A));
  }
}

/// Selects the domain to draw: only a nest without a third loop can be drawn.
void NestOfCall::chooseDomain() {
  for (auto &[Inner, Domain] : Domains)
    if (Result.isInnermost(Inner) && Domain.Rows.size() > Result.Domain.Rows.size())
      Result.Domain = std::move(Domain);
}

Nest NestOfCall::make() {
  read();
  addAccesses();
  addCarriedValues(Call.Carried, Result);
  Dependences.addTo(Result);
  chooseDomain();
  for (uint32_t L = 0; L < Result.Loops.size(); ++L)
    if (Result.Loops[L].Trips < 2)
      Result.Unknown.push_back(L);
  return std::move(Result);
}

} // namespace

Nest recordedNest(const Recorded &Call, const RecordedNestOptions &Options) {
  return NestOfCall(Call, Options).make();
}

} // namespace specrt
