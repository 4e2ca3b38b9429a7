//===- structure/levels/own_places.cpp - dependences if each row writes one place -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/levels/own_places.h"

#include <bit>
#include <functional>

namespace specrt {
namespace {

/// Limit on the distance between a row and the rows it reads.
constexpr int64_t MaxFar = INT32_MAX;
constexpr uint64_t MaxStride = uint64_t{1} << 20;

bool writesOnePlace(std::span<const RowAccess> Row) {
  const auto First = std::ranges::find_if(Row, isWrite);
  return First != Row.end() && std::ranges::all_of(Row, [&](const RowAccess &A) {
           return !isWrite(A) ||
                  (A.address == First->address && A.bytes == First->bytes && A.base == First->base);
         });
}

} // namespace

/// Sets the stride from the writes of the first and of the second row; returns false if there is
/// none.
bool OwnPlaces::setStride(std::span<const RowAccess> Second) {
  const auto Mine = std::ranges::find_if(Second, isWrite);
  if (Mine == Second.end())
    return false;
  const RowAccess &Its = *std::ranges::find_if(OfFirst, isWrite);
  Space = spaceOf(Its);
  Width = Its.bytes;
  First = Its.address;
  Stride = static_cast<int64_t>(Mine->address - First);
  const uint64_t Step = Stride < 0 ? First - Mine->address : Mine->address - First;
  ListOf.clear();
  HasStride = Width != 0 && Step >= Width && std::has_single_bit(Step) && Step <= MaxStride &&
              addRow(OfFirst);
  return HasStride;
}

/// Adds the row; returns false, and adds nothing, if it does not fit.
bool OwnPlaces::addRow(std::span<const RowAccess> Mine) {
  const auto Row = static_cast<int64_t>(ListOf.size());
  const uint64_t Place = placeOf(Row);
  const auto Step = static_cast<uint64_t>(Stride < 0 ? -Stride : Stride);
  const int Shift = std::countr_zero(Step);
  Far.clear();
  for (const RowAccess &A : Mine) {
    // Half of the address space is farther than any distance.
    const auto Distance = static_cast<int64_t>(Stride < 0 ? A.address - Place : Place - A.address);
    const int64_t Before = Distance >> Shift;
    if (spaceOf(A) != Space || A.bytes != Width ||
        (static_cast<uint64_t>(Distance) & (Step - 1)) != 0 || Before > MaxFar ||
        Before < -MaxFar || (isWrite(A) && Before != 0))
      return false;
    if (Before != 0)
      Far.push_back(static_cast<int32_t>(Before));
    if (Before > Row) // the place of no row, or of a later one
      MostBefore = std::max(MostBefore, static_cast<uint32_t>(Before));
  }
  if (!std::ranges::is_sorted(Far, std::greater()))
    std::ranges::sort(Far, std::greater());
  Far.erase(std::unique(Far.begin(), Far.end()), Far.end());
  ListOf.push_back(Lists.add(Far));
  return true;
}

bool OwnPlaces::row(std::span<const RowAccess> Mine) {
  if (!OfFirst.empty())
    return (HasStride || setStride(Mine)) && addRow(Mine);
  if (!writesOnePlace(Mine))
    return false;
  OfFirst.assign(Mine.begin(), Mine.end());
  return true;
}

/// Returns the dependences that no read of the later row implies: a row that reads the place of a
/// later one must come before it, and the later row usually reads its place, too.
std::vector<OwnPlaces::Unsaid> OwnPlaces::unsaid() const {
  std::vector<Unsaid> Found;
  LargeVector<uint32_t> Says(Lists.size(), UINT32_MAX); // by list number: a list that implies it
  for (uint32_t Row = 0; Row < rows(); ++Row) {
    const std::span<const int32_t> Mine = Lists[ListOf[Row]];
    for (size_t I = 0; I < Mine.size(); ++I) {
      const uint64_t Later = Row - static_cast<int64_t>(Mine[I]);
      if (Mine[I] > 0 || Later >= rows())
        continue;
      uint32_t &Known = Says[ListOf[Row] + 1 + I];
      if (Known == ListOf[Later])
        continue;
      const std::span<const int32_t> Its = Lists[ListOf[Later]];
      if (std::ranges::binary_search(Its, -Mine[I], std::greater()))
        Known = ListOf[Later];
      else
        Found.push_back({static_cast<uint32_t>(Later), static_cast<uint32_t>(-Mine[I])});
    }
  }
  std::sort(Found.begin(), Found.end());
  return Found;
}

size_t OwnPlaces::listsBefore(RecentLists<uint32_t> &Before,
                              LargeVector<uint32_t> &BeforeOf) const {
  if (!HasStride) { // at most one row
    BeforeOf.assign(rows(), Before.add({}));
    return 0;
  }
  BeforeOf.reserve(rows());
  const std::vector<Unsaid> Others = unsaid();
  size_t Count = 0;
  LargeVector<uint32_t> Known(Lists.size(), UINT32_MAX); // by list number: the list without
                                                         // additions
  std::vector<uint32_t> List;
  auto Other = Others.begin();
  for (uint32_t Row = 0; Row < rows(); ++Row) {
    const std::span<const int32_t> Mine = Lists[ListOf[Row]];
    const auto IsRow = [Row](int32_t Each) {
      return Each > 0 && static_cast<uint32_t>(Each) <= Row;
    };
    const bool IsLikeOthers = Row >= MostBefore && (Other == Others.end() || Other->Row != Row);
    if (const uint32_t At = Known[ListOf[Row]]; IsLikeOthers && At != UINT32_MAX) {
      BeforeOf.push_back(At);
      Count += Before[At].size();
      continue;
    }
    List.clear();
    for (const int32_t Each : Mine)
      if (IsRow(Each))
        List.push_back(static_cast<uint32_t>(Each));
    for (; Other != Others.end() && Other->Row == Row; ++Other)
      List.push_back(Other->Far);
    if (!IsLikeOthers) {
      std::sort(List.begin(), List.end(), std::greater());
      List.erase(std::unique(List.begin(), List.end()), List.end());
    }
    BeforeOf.push_back(Before.add(List));
    Count += List.size();
    if (IsLikeOthers)
      Known[ListOf[Row]] = BeforeOf.back();
  }
  return Count;
}

} // namespace specrt
