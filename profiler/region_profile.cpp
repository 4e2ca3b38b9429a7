//===- profiler/region_profile.cpp - what was observed of one region ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/region_profile.h"

#include "guards/polynomial.h"
#include <algorithm>
#include <bit>
#include <cstring>

namespace specrt {

RegionProfile::RegionProfile(const specrt_region &Region)
    : Region(&Region), Kinds(Region.arg_kinds, Region.arg_kinds + Region.num_args), Tuples(Kinds),
      Accesses(Region), LastPacked(Region.num_args) {
  Arguments.reserve(Kinds.size());
  for (uint8_t Kind : Kinds)
    Arguments.emplace_back(Kind);
}

void RegionProfile::recordTime(uint64_t Nanoseconds) {
  Times.MinNs = Sampled ? std::min(Times.MinNs, Nanoseconds) : Nanoseconds;
  Times.TotalNs += Nanoseconds;
  unsigned Log = static_cast<unsigned>(std::bit_width(Nanoseconds | 1)) - 1;
  ++Times.Histogram[std::min(Log, TimeProfile::Buckets - 1)];
  ++Sampled;
}

void RegionProfile::record(const uint64_t *Packed, uint64_t Nanoseconds) {
  recordTime(Nanoseconds);
  if (HasLast && std::equal(LastPacked.begin(), LastPacked.end(), Packed)) {
    for (ValueProfile &Argument : Arguments)
      Argument.repeat();
    Tuples.repeat(Nanoseconds);
    Accesses.repeat();
    return;
  }
  bool IntegersChanged = false;
  for (size_t I = 0; I < Arguments.size(); ++I) {
    IntegersChanged |= Packed[I] != LastPacked[I] && isInteger(Kinds[I]);
    LastPacked[I] = Packed[I];
    Arguments[I].record(Packed[I]);
  }
  HasLast = true;
  Tuples.record(Packed, Nanoseconds);
  Accesses.record(*Region, Packed, IntegersChanged);
}

bool RegionProfile::merge(const RegionProfile &Other) noexcept {
  const AccessProfile &A = Accesses, &B = Other.Accesses;
  if (Kinds != Other.Kinds || A.numAccesses() != B.numAccesses() ||
      A.pairs().size() != B.pairs().size() || A.loops().size() != B.loops().size())
    return false;
  for (size_t I = 0; I < Arguments.size(); ++I)
    Arguments[I].merge(Other.Arguments[I]);
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
  for (ValueProfile &Argument : Arguments)
    Argument = ValueProfile(Argument.kind());
  Tuples.clear();
  Accesses.clear();
  Times = {};
  Sampled = Unsampled = 0;
  HasLast = false;
}

} // namespace specrt
