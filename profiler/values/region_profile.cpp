//===- profiler/values/region_profile.cpp - what was observed of one region ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/values/region_profile.h"

#include "guards/polynomial.h"
#include <algorithm>
#include <bit>
#include <iterator>

namespace specrt {

static std::vector<uint8_t> inputKinds(const specrt_region &Region) {
  std::vector<uint8_t> Kinds(Region.arg_kinds, Region.arg_kinds + Region.num_args);
  std::transform(Region.cells, Region.cells + Region.num_cells, std::back_inserter(Kinds), kindOf);
  return Kinds;
}

RegionProfile::RegionProfile(const specrt_region &Region)
    : Region(&Region), Kinds(specrt::inputKinds(Region)), NumArgs(Region.num_args), Tuples(Kinds),
      Accesses(Region), Last(Kinds.size()) {
  Inputs.reserve(Kinds.size());
  for (uint8_t Kind : Kinds)
    Inputs.emplace_back(Kind);
}

void RegionProfile::recordTime(uint64_t Nanoseconds) {
  Times.MinNs = Sampled ? std::min(Times.MinNs, Nanoseconds) : Nanoseconds;
  Times.TotalNs += Nanoseconds;
  unsigned Log = static_cast<unsigned>(std::bit_width(Nanoseconds | 1)) - 1;
  ++Times.Histogram[std::min(Log, TimeProfile::Buckets - 1)];
  ++Sampled;
}

void RegionProfile::record(const uint64_t *Packed, uint64_t Nanoseconds, const CellValues &Cells) {
  recordTime(Nanoseconds);
  const auto LastCells = Last.begin() + static_cast<ptrdiff_t>(NumArgs);
  if (HasLast && std::equal(Last.begin(), LastCells, Packed) &&
      std::equal(LastCells, Last.end(), Cells.begin())) {
    for (ValueProfile &Input : Inputs)
      Input.repeat();
    Tuples.repeat(Nanoseconds);
    Accesses.repeat();
    return;
  }
  bool IntegersChanged = false;
  for (size_t I = 0; I < Inputs.size(); ++I) {
    uint64_t Value = I < NumArgs ? Packed[I] : Cells[I - NumArgs];
    IntegersChanged |= Value != Last[I] && isInteger(Kinds[I]);
    Last[I] = Value;
    Inputs[I].record(Value);
  }
  HasLast = true;
  Tuples.record(Last.data(), Nanoseconds);
  Accesses.record(*Region, Packed, IntegersChanged);
}

bool RegionProfile::merge(const RegionProfile &Other) noexcept {
  const AccessProfile &A = Accesses, &B = Other.Accesses;
  if (Kinds != Other.Kinds || NumArgs != Other.NumArgs || A.numAccesses() != B.numAccesses() ||
      A.pairs().size() != B.pairs().size() || A.loops().size() != B.loops().size())
    return false;
  for (size_t I = 0; I < Inputs.size(); ++I)
    Inputs[I].merge(Other.Inputs[I]);
  Tuples.merge(Other.Tuples);
  Accesses.merge(Other.Accesses);
  if (Other.Sampled != 0)
    Times.MinNs = Sampled ? std::min(Times.MinNs, Other.Times.MinNs) : Other.Times.MinNs;
  Times.TotalNs += Other.Times.TotalNs;
  for (unsigned I = 0; I < TimeProfile::Buckets; ++I)
    Times.Histogram[I] += Other.Times.Histogram[I];
  Sampled += Other.Sampled;
  Unsampled += Other.Unsampled;
  // The tables were reordered: the shortcut for equal arguments must find its entries anew.
  HasLast = false;
  return true;
}

void RegionProfile::clear() noexcept {
  for (ValueProfile &Input : Inputs)
    Input = ValueProfile(Input.kind());
  Tuples.clear();
  Accesses.clear();
  Times = {};
  Sampled = Unsampled = 0;
  HasLast = false;
}

} // namespace specrt
