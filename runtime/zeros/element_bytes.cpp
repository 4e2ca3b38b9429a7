//===- runtime/zeros/element_bytes.cpp - the bytes of the elements of a walk ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/zeros/element_bytes.h"
#include "runtime/zeros/zero_list.h"

#include <bit>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <span>

namespace specrt {
namespace {

/// The limit of a map. With elements of 8 bytes it suffices for arrays of 4 GB.
constexpr size_t MaxMapBytes = size_t{64} << 20;

/// Returns the range of loops without slopes that leave no gaps, or equal ones between all rows.
std::optional<WatchedRange> rowsOf(const specrt_zeros_walk &W, const ElementHull &Hull) {
  std::array<specrt_zeros_loop, SPECRT_ZEROS_MAX_LOOPS> Loops{};
  std::copy_n(W.loops, W.num_loops, Loops.begin());
  const std::span<specrt_zeros_loop> Used(Loops.data(), W.num_loops);
  for (specrt_zeros_loop &L : Used) {
    if (std::any_of(std::begin(L.slope), std::end(L.slope), [](int64_t S) { return S != 0; }))
      return std::nullopt;
    L.step = std::abs(L.step);
  }
  std::sort(Used.begin(), Used.end(),
            [](const specrt_zeros_loop &A, const specrt_zeros_loop &B) { return A.step < B.step; });
  WatchedRange All = {Hull.Begin, elementBytes(W.kind)};
  for (const specrt_zeros_loop &L : Used) {
    const auto Step = static_cast<size_t>(L.step), Trips = static_cast<size_t>(L.trips);
    if (Trips == 1 || Step == 0)
      continue;
    if (All.isOneRow() && Step <= All.Bytes) {
      All.Bytes += Step * (Trips - 1);
    } else if (All.isOneRow()) {
      All.Stride = Step;
      All.Count = Trips;
    } else if (Step == All.Stride * All.Count) {
      All.Count *= Trips;
    } else {
      return std::nullopt;
    }
  }
  return All;
}

/// A set with one bit for each unit of a hull of bytes.
class ByteMap {
public:
  ByteMap(const std::byte *Begin, size_t Unit, size_t Units)
      : Begin(Begin), Unit(Unit), Units(Units) {}

  /// Returns false without memory.
  bool reserve() { return Words.reserve((Units + 63) / 64 * 8); }

  void set(const std::byte *At, size_t Bytes) {
    size_t From = static_cast<size_t>(At - Begin) / Unit;
    const size_t To = From + Bytes / Unit;
    while (From < To) {
      const size_t Here = std::min(To, (From | 63) + 1) - From;
      const uint64_t Ones = Here == 64 ? ~uint64_t{0} : (uint64_t{1} << Here) - 1;
      word(From / 64) |= Ones << (From % 64);
      From += Here;
    }
  }
  /// Calls F(Begin, Bytes) for each run of units in the set.
  template <typename Fn> void forEachRun(Fn F) {
    for (size_t From = next(0, true); From < Units;) {
      const size_t To = next(From, false);
      F(Begin + From * Unit, (To - From) * Unit);
      From = next(To, true);
    }
  }

private:
  uint64_t &word(size_t I) { return reinterpret_cast<uint64_t *>(Words.data())[I]; }
  /// Returns the first unit from \p From on that is in the set, or is not.
  size_t next(size_t From, bool IsSet) {
    while (From < Units) {
      const uint64_t Left = (IsSet ? word(From / 64) : ~word(From / 64)) >> (From % 64);
      if (Left != 0)
        return std::min(Units, From + static_cast<size_t>(std::countr_zero(Left)));
      From = (From | 63) + 1;
    }
    return Units;
  }

  const std::byte *const Begin;
  const size_t Unit, Units;
  PagesOfOwn Words;
};

/// Collects runs in ascending order into as few ranges as possible.
class RangeList {
public:
  void add(const std::byte *At, size_t Bytes) {
    if (!All.empty() && All.back().Bytes == Bytes) {
      WatchedRange &Last = All.back();
      const auto Distance = static_cast<size_t>(At - Last.Begin);
      if (Last.isOneRow())
        Last.Stride = Distance;
      if (Distance == Last.Count * Last.Stride) {
        ++Last.Count;
        return;
      }
    }
    All.push_back({At, Bytes});
  }
  std::vector<WatchedRange> take() { return std::move(All); }

private:
  std::vector<WatchedRange> All;
};

} // namespace

std::vector<WatchedRange> bytesOf(const specrt_zeros_walk &W, const ElementHull &Hull) {
  if (Hull.Elements == 0)
    return {};
  if (const std::optional<WatchedRange> Rows = rowsOf(W, Hull))
    return {*Rows};
  const size_t Bytes = elementBytes(W.kind);
  size_t Unit = Bytes;
  for (uint32_t D = 0; D < W.num_loops; ++D)
    Unit = std::gcd(Unit, static_cast<size_t>(std::abs(W.loops[D].step)));
  if (Hull.Bytes / Unit > MaxMapBytes * 8)
    return {};
  ByteMap Map(Hull.Begin, Unit, Hull.Bytes / Unit);
  if (!Map.reserve())
    return {};
  forEachRow(W, [&](const std::byte *At, int64_t Count, int64_t Step) {
    if (Step == static_cast<int64_t>(Bytes))
      Map.set(At, static_cast<size_t>(Count) * Bytes);
    else
      for (int64_t I = 0; I < Count; ++I)
        Map.set(At + I * Step, Bytes);
    return true;
  });
  RangeList Found;
  Map.forEachRun([&](const std::byte *At, size_t Some) { Found.add(At, Some); });
  return Found.take();
}

} // namespace specrt
