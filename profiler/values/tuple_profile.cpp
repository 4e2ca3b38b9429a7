//===- profiler/values/tuple_profile.cpp - which argument tuples recur ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/values/tuple_profile.h"

#include "profiler/values/space_saving.h"
#include "specrt/abi.h"
#include <algorithm>
#include <bit>
#include <numeric>

namespace specrt {
namespace {

/// Finds candidates only: a match always compares the values.
uint64_t hashTuple(const std::vector<uint32_t> &Arguments, const uint64_t *Packed) {
  uint64_t Hash = 0x9e3779b97f4a7c15;
  for (uint32_t A : Arguments)
    Hash = std::rotl((Hash ^ Packed[A]) * 0xff51afd7ed558ccd, 29);
  return Hash;
}

} // namespace

TupleProfile::TupleProfile(const std::vector<uint8_t> &Kinds) {
  for (uint32_t I = 0; I < Kinds.size(); ++I)
    if (Kinds[I] != SPECRT_KIND_POINTER)
      Arguments.push_back(I);
  Values.resize(Capacity * Arguments.size());
}

bool TupleProfile::matches(unsigned I, const uint64_t *Packed) const {
  const uint64_t *Known = values(I);
  for (size_t A = 0; A < Arguments.size(); ++A)
    if (Known[A] != Packed[Arguments[A]])
      return false;
  return true;
}

void TupleProfile::record(const uint64_t *Packed, uint64_t Nanoseconds) {
  uint64_t Hash = hashTuple(Arguments, Packed);
  for (unsigned I = 0; I < Capacity; ++I)
    if (Hashes[I] == Hash && Entries[I].Count != 0 && matches(I, Packed)) {
      Last = I;
      return repeat(Nanoseconds);
    }
  Last = rarestEntry(Entries);
  TupleCount &Entry = Entries[Last];
  Entry = {Entry.Count + 1, Entry.Count, Nanoseconds, Nanoseconds};
  Hashes[Last] = Hash;
  for (size_t A = 0; A < Arguments.size(); ++A)
    Values[Last * Arguments.size() + A] = Packed[Arguments[A]];
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

void TupleProfile::merge(const TupleProfile &Other) {
  // Candidates 0 .. Capacity-1 are ours, the rest Other's; an entry of Other that we know as well
  // is added to ours and leaves the competition.
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
          Hashes[I] != Other.Hashes[J] ||
          !std::equal(values(I), values(I) + Arguments.size(), Other.values(J)))
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
  // Kept entries of ours stay where they are; Other's take the places of those that did not make
  // it.
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
    std::copy_n(Other.values(From), Arguments.size(), Values.begin() + Free * Arguments.size());
    Kept[Free] = true;
  }
  std::copy_n(All.begin(), Capacity, Entries.begin());
}

} // namespace specrt
