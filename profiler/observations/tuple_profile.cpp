//===- profiler/observations/tuple_profile.cpp - observes recurring tuples of inputs ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/observations/tuple_profile.h"

#include "profiler/json/json_reader.h"
#include "profiler/json/json_writer.h"
#include "profiler/json/value_json.h"
#include "profiler/observations/cell_values.h"
#include "profiler/observations/space_saving.h"
#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

namespace specrt {
namespace {

using nlohmann::json;

/// Returns a hash that finds candidates; a match always compares the values.
uint64_t hashTuple(const std::vector<uint32_t> &Inputs, const uint64_t *Packed,
                   uint32_t SamePairs) {
  uint64_t Hash = 0x9e3779b97f4a7c15 ^ SamePairs;
  for (uint32_t A : Inputs)
    Hash = std::rotl((Hash ^ Packed[A]) * 0xff51afd7ed558ccd, 29);
  return Hash;
}

} // namespace

TupleProfile::TupleProfile(const specrt_region &Region) {
  const std::vector<uint8_t> All = inputKinds(Region);
  for (uint32_t I = 0; I < All.size(); ++I)
    if (All[I] != SPECRT_KIND_POINTER) {
      Inputs.push_back(I);
      Kinds.push_back(All[I]);
    }
  Values.resize(Capacity * Inputs.size());
  const std::set<ArgumentPair> Compared = comparedArguments(Region);
  Pairs.assign(Compared.begin(), Compared.end());
  if (Pairs.size() > MaxPairs)
    Pairs.resize(MaxPairs);
}

/// Returns a bit for each pair of pointers that are the same.
uint32_t TupleProfile::samePairs(const uint64_t *Packed) const {
  uint32_t Bits = 0;
  for (size_t P = 0; P < Pairs.size(); ++P)
    Bits |= uint32_t{Packed[Pairs[P].first] == Packed[Pairs[P].second]} << P;
  return Bits;
}

bool TupleProfile::matches(unsigned I, const uint64_t *Packed) const {
  const uint64_t *Known = values(I);
  for (size_t A = 0; A < Inputs.size(); ++A)
    if (Known[A] != Packed[Inputs[A]])
      return false;
  return true;
}

void TupleProfile::record(const SampledCall &Call) {
  if (Call.SameInputs)
    repeat(Call.Nanoseconds);
  else
    recordOther(Call.Inputs, samePairs(Call.Inputs), Call.Nanoseconds);
}

bool TupleProfile::isEmpty() const {
  return std::all_of(Entries.begin(), Entries.end(), [](const TupleCount &E) { return !E.Count; });
}

void TupleProfile::recordOther(const uint64_t *Packed, uint32_t SamePairs, uint64_t Nanoseconds) {
  uint64_t Hash = hashTuple(Inputs, Packed, SamePairs);
  for (unsigned I = 0; I < Capacity; ++I)
    if (Hashes[I] == Hash && Entries[I].Count != 0 && Same[I] == SamePairs && matches(I, Packed)) {
      Last = I;
      return repeat(Nanoseconds);
    }
  Last = rarestEntry(Entries);
  TupleCount &Entry = Entries[Last];
  Entry = {Entry.Count + 1, Entry.Count, Nanoseconds, Nanoseconds};
  Hashes[Last] = Hash;
  Same[Last] = SamePairs;
  for (size_t A = 0; A < Inputs.size(); ++A)
    Values[Last * Inputs.size() + A] = Packed[Inputs[A]];
}

void TupleProfile::repeat(uint64_t Nanoseconds) {
  TupleCount &Entry = Entries[Last];
  ++Entry.Count;
  Entry.TotalNs += Nanoseconds;
  Entry.MinNs = std::min(Entry.MinNs, Nanoseconds);
}

void TupleProfile::clear() {
  Entries = {};
  Hashes = {};
  Last = 0;
}

void TupleProfile::add(const TupleProfile &Other) {
  // Candidates 0 .. Capacity-1 are entries of this profile, the others are Other's. An entry of
  // Other that this profile has as well is added to it and is no candidate.
  std::array<TupleCount, 2 * Capacity> All{};
  uint64_t Mine = unseenCount(Entries), Theirs = unseenCount(Other.Entries);
  for (unsigned I = 0; I < Capacity; ++I) {
    All[I] = Entries[I];
    All[Capacity + I] = Other.Entries[I];
  }
  std::array<bool, 2 * Capacity> Paired{};
  for (unsigned I = 0; I < Capacity; ++I)
    for (unsigned J = 0; J < Capacity; ++J) {
      const TupleCount &E = Other.Entries[J];
      if (Paired[Capacity + J] || E.Count == 0 || All[I].Count == 0 ||
          Hashes[I] != Other.Hashes[J] || Same[I] != Other.Same[J] ||
          !std::equal(values(I), values(I) + Inputs.size(), Other.values(J)))
        continue;
      All[I] = {All[I].Count + E.Count, All[I].Error + E.Error, All[I].TotalNs + E.TotalNs,
                std::min(All[I].MinNs, E.MinNs)};
      All[Capacity + J].Count = 0;
      Paired[I] = Paired[Capacity + J] = true;
      break;
    }
  for (unsigned I = 0; I < 2 * Capacity; ++I)
    if (!Paired[I] && All[I].Count != 0) {
      uint64_t Unseen = I < Capacity ? Theirs : Mine;
      All[I].Count += Unseen;
      All[I].Error += Unseen;
    }

  std::array<unsigned, 2 * Capacity> Order;
  std::iota(Order.begin(), Order.end(), 0u);
  std::sort(Order.begin(), Order.end(), [&](unsigned A, unsigned B) {
    return All[A].Count != All[B].Count ? All[A].Count > All[B].Count : A < B;
  });
  // Kept entries of this profile keep their places; Other's take the places of dropped ones.
  std::array<bool, Capacity> Kept{};
  for (unsigned I = 0; I < Capacity; ++I)
    if (Order[I] < Capacity)
      Kept[Order[I]] = true;
  unsigned Free = 0;
  for (unsigned I = 0; I < Capacity; ++I) {
    if (Order[I] < Capacity)
      continue;
    while (Kept[Free])
      ++Free;
    unsigned From = Order[I] - Capacity;
    All[Free] = All[Order[I]];
    Hashes[Free] = Other.Hashes[From];
    Same[Free] = Other.Same[From];
    std::copy_n(Other.values(From), Inputs.size(), Values.begin() + Free * Inputs.size());
    Kept[Free] = true;
  }
  std::copy_n(All.begin(), Capacity, Entries.begin());
}

json TupleProfile::toJson() const {
  json Out = json::array();
  for (unsigned I = 0; I < Capacity; ++I) {
    const TupleCount &E = Entries[I];
    if (E.Count == 0)
      continue;
    json Tuple = json::array();
    for (size_t A = 0; A < Inputs.size(); ++A)
      Tuple.push_back(valueToJson(Kinds[A], values(I)[A]));
    Out.push_back({{"values", std::move(Tuple)},
                   {"same_pointers", countForJson(Same[I])},
                   {"count", countForJson(E.Count)},
                   {"error", countForJson(E.Error)},
                   {"total_ns", countForJson(E.TotalNs)},
                   {"min_ns", countForJson(E.MinNs)}});
  }
  return Out;
}

void TupleProfile::readJson(JsonReader &In, const json &Json) {
  if (!In.require(Json.is_array() && Json.size() <= Capacity))
    return;
  std::vector<uint64_t> Packed(Inputs.empty() ? 0 : Inputs.back() + 1);
  for (size_t I = 0; I < Json.size(); ++I) {
    const json &Tuple = In.array(Json[I], "values");
    if (!In.require(Tuple.size() == Inputs.size()))
      return;
    for (size_t A = 0; A < Tuple.size(); ++A)
      Packed[Inputs[A]] = valueFromJson(In, Tuple[A], Kinds[A]);
    TupleCount E{In.count(Json[I], "count"), In.count(Json[I], "error"),
                 In.count(Json[I], "total_ns"), In.count(Json[I], "min_ns")};
    if (!In.require(E.Count != 0 && E.Error <= E.Count))
      return;
    const uint64_t SamePairs = In.count(Json[I], "same_pointers");
    if (!In.require(SamePairs < uint64_t{1} << Pairs.size()))
      return;
    // Sets values and hash; a repeated tuple finds its first entry.
    recordOther(Packed.data(), static_cast<uint32_t>(SamePairs), 0);
    In.require(Last == I);
    Entries[Last] = E;
  }
}

size_t TupleProfile::memoryBytes() const {
  return sizeof(*this) + Inputs.capacity() * sizeof(uint32_t) + Kinds.capacity() +
         Values.capacity() * sizeof(uint64_t) + Pairs.capacity() * sizeof(ArgumentPair);
}

} // namespace specrt
