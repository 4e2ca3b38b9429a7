//===- profiler/observations/arrays/zero_shares.cpp - observes arrays that are mostly zero ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/observations/arrays/zero_shares.h"

#include "guards/address.h"
#include "guards/polynomial.h"
#include "profiler/json/json_reader.h"
#include "profiler/json/json_writer.h"
#include "support/memory/peek_memory.h"
#include <algorithm>
#include <array>
#include <bit>
#include <nlohmann/json.hpp>

namespace specrt {
namespace {

using nlohmann::json;

constexpr double MinShare = 0.7;
constexpr unsigned Words = MaxPeekedWords;
/// Shorter calls and smaller arrays gain nothing; an inspection takes some microseconds.
constexpr uint64_t MinNanoseconds = 10'000;
constexpr int64_t MinBytes = 4096;
/// The calls 1, 2, 4, ... are inspected, and later every call with this period.
constexpr uint64_t Period = 64;

/// Returns the array's address, which may be loaded from memory.
std::optional<uint64_t> baseOf(const specrt_base &Base, const SampledCall &Call) {
  if (!isLoaded(Base))
    return addressOf(Base, Call.Region, Call.Inputs);
  const std::optional<uint64_t> Holder = addressOf(holderOf(Base), Call.Region, Call.Inputs);
  return Holder ? peekMemory(*Holder + static_cast<uint64_t>(cellOf(Base)), 8) : std::nullopt;
}

} // namespace

ZeroShares::ZeroShares(const specrt_region &Region)
    : Shares(std::min<uint32_t>(Region.num_accesses, MaxAccesses)),
      NumAccesses(Region.num_accesses) {
  for (size_t A = 0; A < Shares.size(); ++A)
    IsRead[A] = (Region.accesses[A].flags & SPECRT_ACCESS_READ) != 0;
}

void ZeroShares::look(const SampledCall &Call, uint32_t Access) {
  const specrt_range &Range = Call.Region.accesses[Access].range;
  const auto Begin = evaluate(Range.begin, Call.Region, Call.Inputs);
  const auto End = evaluate(Range.end, Call.Region, Call.Inputs);
  if (!Begin || !End || *End - *Begin < MinBytes)
    return;
  const std::optional<uint64_t> Base = baseOf(Range.base, Call);
  if (!Base)
    return;
  uint64_t First = (*Base + static_cast<uint64_t>(*Begin) + 7) & ~uint64_t{7};
  uint64_t Count = static_cast<uint64_t>(*End - *Begin) / 8 - 1;
  // The samples must be independent of the lengths of rows.
  uint64_t State = 0x9e3779b97f4a7c15 + Calls;
  const auto Below = [&State](uint64_t Limit) {
    State ^= State << 13, State ^= State >> 7, State ^= State << 17;
    return State % Limit;
  };
  if (constexpr uint64_t Most = MaxPeekedBytes / 8; Count > Most) {
    First += Below(Count - Most) * 8;
    Count = Most;
  }
  std::array<uint64_t, Words> Addresses, Seen;
  for (uint64_t &Address : Addresses)
    Address = First + Below(Count) * 8;
  // The call has just read the array, so it is in memory, but pages between its rows may not be. If
  // the array is unmapped meanwhile, the earlier share is kept.
  Share New{.Words = static_cast<uint32_t>(peekWords(Addresses, Seen.data()))};
  if (New.Words == 0)
    return;
  for (uint32_t I = 0; I < New.Words; ++I) {
    // The signs of floating-point numbers are ignored.
    const uint64_t Word = Seen[I];
    New.ZeroWords += (Word << 1) == 0;
    New.ZeroHalves += (static_cast<uint32_t>(Word) << 1) == 0;
    New.ZeroHalves += (static_cast<uint32_t>(Word >> 32) << 1) == 0;
  }
  Shares[Access] = New;
}

void ZeroShares::record(const SampledCall &Call) {
  ++Calls;
  if (Call.Nanoseconds < MinNanoseconds || !(std::has_single_bit(Calls) || Calls % Period == 0))
    return;
  for (uint32_t A = 0; A < Shares.size(); ++A)
    look(Call, A);
}

bool ZeroShares::isEmpty() const {
  return std::all_of(Shares.begin(), Shares.end(), [](const Share &S) { return S.Words == 0; });
}

void ZeroShares::clear() {
  std::fill(Shares.begin(), Shares.end(), Share{});
  Calls = 0;
}

void ZeroShares::add(const ZeroShares &Newer) {
  for (size_t A = 0; A < Shares.size() && A < Newer.Shares.size(); ++A)
    if (Newer.Shares[A].Words > 0)
      Shares[A] = Newer.Shares[A];
}

json ZeroShares::toJson() const {
  json Out = json::array();
  for (const Share &S : Shares)
    Out.push_back({{"words", S.Words}, {"zero", S.ZeroWords}, {"zero_halves", S.ZeroHalves}});
  return Out;
}

void ZeroShares::readJson(JsonReader &In, const json &Json) {
  if (!In.require(Json.is_array() && Json.size() == Shares.size()))
    return;
  for (size_t I = 0; I < Shares.size(); ++I) {
    const uint64_t Seen = In.count(Json[I], "words"), Zero = In.count(Json[I], "zero"),
                   Halves = In.count(Json[I], "zero_halves");
    if (!In.require(Seen <= Words && Zero <= Seen && Halves <= 2 * Seen))
      return;
    Shares[I] = {static_cast<uint32_t>(Seen), static_cast<uint32_t>(Zero),
                 static_cast<uint32_t>(Halves)};
  }
}

size_t ZeroShares::memoryBytes() const { return sizeof(*this) + Shares.capacity() * sizeof(Share); }

std::vector<uint8_t> ZeroShares::mostlyZero() const {
  std::vector<uint8_t> Found(NumAccesses);
  for (size_t A = 0; A < Shares.size(); ++A) {
    const Share &S = Shares[A];
    Found[A] = IsRead[A] && S.Words > 0 &&
               (S.ZeroWords >= MinShare * S.Words || S.ZeroHalves >= 2 * MinShare * S.Words);
  }
  if (std::find(Found.begin(), Found.end(), 1) == Found.end())
    Found.clear();
  return Found;
}

} // namespace specrt
