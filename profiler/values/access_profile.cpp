//===- profiler/values/access_profile.cpp - overlaps and trip counts ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/values/access_profile.h"

#include "guards/polynomial.h"
#include <algorithm>
#include <optional>

namespace specrt {
namespace {

/// The base's address where that takes no load from the program's memory.
std::optional<uint64_t> addressOf(const specrt_base &Base, const specrt_region &Region,
                                  const uint64_t *Packed) {
  if (Base.kind == SPECRT_BASE_ARGUMENT && Base.index < Region.num_args)
    return Packed[Base.index];
  if (Base.kind == SPECRT_BASE_SYMBOL && Base.index < Region.num_symbols)
    return reinterpret_cast<uint64_t>(Region.symbols[Base.index].address);
  return std::nullopt;
}

} // namespace

AccessProfile::AccessProfile(const specrt_region &Region) : NumAccesses(Region.num_accesses) {
  uint32_t Observed = std::min<uint32_t>(NumAccesses, MaxAccesses);
  Extents.resize(Observed);
  for (uint32_t A = 0; A < Observed; ++A)
    for (uint32_t B = A + 1; B < Observed; ++B)
      if ((Region.accesses[A].flags | Region.accesses[B].flags) & SPECRT_ACCESS_WRITE) {
        PairProfile Pair;
        Pair.First = A;
        Pair.Second = B;
        Pairs.push_back(Pair);
      }
  for (uint32_t L = 0; L < std::min<uint32_t>(Region.num_loops, MaxLoops); ++L) {
    LoopProfile Loop;
    Loop.Line = Region.loops[L].line;
    Loop.Depth = Region.loops[L].depth;
    Loops.push_back(Loop);
  }
}

void AccessProfile::evaluateExtents(const specrt_region &Region, const uint64_t *Packed) {
  for (size_t A = 0; A < Extents.size(); ++A) {
    const specrt_range &Range = Region.accesses[A].range;
    auto Begin = evaluate(Range.begin, Region.arg_kinds, Region.num_args, Packed);
    auto End = evaluate(Range.end, Region.arg_kinds, Region.num_args, Packed);
    Extents[A] = {Begin.value_or(0), End.value_or(0), Begin && End};
  }
}

void AccessProfile::evaluateLoops(const specrt_region &Region, const uint64_t *Packed) {
  for (size_t L = 0; L < Loops.size(); ++L) {
    auto Trips = evaluate(Region.loops[L].trip_count, Region.arg_kinds, Region.num_args, Packed);
    Loops[L].Last = Trips && *Trips <= MaxTrips ? std::max<int64_t>(*Trips, 0) : -1;
  }
}

PairProfile::Outcome AccessProfile::compare(const specrt_region &Region, const uint64_t *Packed,
                                            uint32_t A, uint32_t B) const {
  const Extent &X = Extents[A], &Y = Extents[B];
  if ((X.Known && X.End <= X.Begin) || (Y.Known && Y.End <= Y.Begin))
    return PairProfile::Disjoint;
  auto XBase = addressOf(Region.accesses[A].range.base, Region, Packed);
  auto YBase = addressOf(Region.accesses[B].range.base, Region, Packed);
  if (!X.Known || !Y.Known || !XBase || !YBase)
    return PairProfile::Unknown;
  uint64_t XBegin = *XBase + static_cast<uint64_t>(X.Begin);
  uint64_t XEnd = *XBase + static_cast<uint64_t>(X.End);
  uint64_t YBegin = *YBase + static_cast<uint64_t>(Y.Begin);
  uint64_t YEnd = *YBase + static_cast<uint64_t>(Y.End);
  if (XEnd < XBegin || YEnd < YBegin) // wraps around the address space: not an object
    return PairProfile::Unknown;
  return XBegin >= YEnd || YBegin >= XEnd ? PairProfile::Disjoint : PairProfile::Overlapping;
}

void AccessProfile::record(const specrt_region &Region, const uint64_t *Packed,
                           bool IntegersChanged) {
  Stale |= IntegersChanged;
  ++Evaluations;
  Evaluated = Evaluations <= DenseEvaluations || Evaluations % SparsePeriod == 0;
  if (!Evaluated)
    return;
  if (Stale) {
    evaluateExtents(Region, Packed);
    evaluateLoops(Region, Packed);
    Stale = false;
  }
  for (PairProfile &Pair : Pairs)
    Pair.Last = compare(Region, Packed, Pair.First, Pair.Second);
  repeat();
}

void AccessProfile::repeat() {
  if (!Evaluated)
    return;
  for (PairProfile &Pair : Pairs)
    ++Pair.Counts[Pair.Last];
  for (LoopProfile &Loop : Loops) {
    if (Loop.Last < 0)
      continue;
    Loop.Min = Loop.Count ? std::min(Loop.Min, Loop.Last) : Loop.Last;
    Loop.Max = Loop.Count ? std::max(Loop.Max, Loop.Last) : Loop.Last;
    Loop.Sum += static_cast<double>(Loop.Last);
    ++Loop.Count;
  }
}

void AccessProfile::clear() {
  for (PairProfile &Pair : Pairs)
    std::fill(std::begin(Pair.Counts), std::end(Pair.Counts), 0);
  for (LoopProfile &Loop : Loops) {
    Loop.Count = 0;
    Loop.Sum = 0;
  }
  Evaluations = 0;
  Stale = true;
  Evaluated = false;
}

void AccessProfile::merge(const AccessProfile &Other) {
  for (size_t P = 0; P < Pairs.size() && P < Other.Pairs.size(); ++P)
    for (unsigned O = 0; O < 3; ++O)
      Pairs[P].Counts[O] += Other.Pairs[P].Counts[O];
  for (size_t L = 0; L < Loops.size() && L < Other.Loops.size(); ++L) {
    LoopProfile &Mine = Loops[L];
    const LoopProfile &Theirs = Other.Loops[L];
    if (Theirs.Count == 0)
      continue;
    Mine.Min = Mine.Count ? std::min(Mine.Min, Theirs.Min) : Theirs.Min;
    Mine.Max = Mine.Count ? std::max(Mine.Max, Theirs.Max) : Theirs.Max;
    Mine.Sum += Theirs.Sum;
    Mine.Count += Theirs.Count;
  }
}

std::vector<uint8_t> AccessProfile::overlapMatrix() const {
  std::vector<uint8_t> Matrix(size_t{NumAccesses} * NumAccesses);
  for (const PairProfile &Pair : Pairs)
    if (Pair.Counts[PairProfile::Overlapping] != 0)
      Matrix[size_t{Pair.First} * NumAccesses + Pair.Second] =
          Matrix[size_t{Pair.Second} * NumAccesses + Pair.First] = 1;
  return Matrix;
}

} // namespace specrt
