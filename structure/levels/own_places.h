//===- structure/levels/own_places.h - dependences if each row writes one place -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In most loops with row dependences each row writes one element, and consecutive rows write
// elements at a constant stride, such as the unknowns of a sweep. The row that writes an address
// then follows from the address, without a shadow memory. Consecutive rows mostly read places at
// the same distances.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_LEVELS_OWN_PLACES_H
#define SPECRT_STRUCTURE_LEVELS_OWN_PLACES_H

#include "specrt/rows.h"
#include "structure/levels/recent_lists.h"

#include <span>
#include <vector>

namespace specrt {

/// An access of a row. Accesses in different spaces do not overlap.
using RowAccess = specrt_row_access;
inline uint32_t spaceOf(const RowAccess &A) { return A.base / 2; }
inline bool isWrite(const RowAccess &A) { return A.base % 2 != 0; }

class OwnPlaces {
public:
  /// Reserves memory for the expected number of rows.
  void reserve(uint32_t Rows) { ListOf.reserve(Rows); }
  /// Adds the next row. Returns false, and does not add it, if rows do not write places of their
  /// own.
  [[nodiscard]] bool row(std::span<const RowAccess> Mine);

  uint32_t rows() const {
    return HasStride ? static_cast<uint32_t>(ListOf.size()) : !OfFirst.empty();
  }
  size_t bytes() const { return Lists.bytes() + ListOf.capacity() * sizeof(uint32_t); }
  /// Calls \p Row with the accesses of each row so far; their order within a row may differ from
  /// the order in which they were added.
  template <typename Action> void repeat(Action Row) const {
    if (!HasStride && !OfFirst.empty())
      return Row(OfFirst);
    std::vector<RowAccess> Mine;
    for (uint32_t I = 0; I < rows(); ++I) {
      Mine.clear();
      for (const int32_t Far : Lists[ListOf[I]])
        Mine.push_back({placeOf(I - static_cast<int64_t>(Far)), Width, 2 * Space});
      Mine.push_back({placeOf(I), Width, 2 * Space + 1});
      Row(Mine);
    }
  }
  /// Computes, for each row, the distances to the rows that it must come after: \p Before has the
  /// lists, \p BeforeOf the position of each row's list. Returns the number of dependences.
  size_t listsBefore(RecentLists<uint32_t> &Before, LargeVector<uint32_t> &BeforeOf) const;

private:
  /// Row must come after the row \p Far before it, although Row does not read that row's place.
  struct Unsaid {
    uint32_t Row, Far;
    bool operator<(const Unsaid &Other) const {
      return Row != Other.Row ? Row < Other.Row : Far > Other.Far;
    }
  };

  uint64_t placeOf(int64_t Row) const { return First + static_cast<uint64_t>(Row * Stride); }
  bool setStride(std::span<const RowAccess> Second);
  bool addRow(std::span<const RowAccess> Mine);
  std::vector<Unsaid> unsaid() const;

  std::vector<RowAccess> OfFirst;
  uint32_t Space = 0, Width = 0; // of places
  uint64_t First = 0;            // address of row 0's place
  bool HasStride = false;        // false while there is at most one row
  int64_t Stride = 0;            // plus or minus a power of two
  std::vector<int32_t> Far;
  /// Largest distance at which a row reads before it, including places before that of row 0.
  uint32_t MostBefore = 0;
  /// Distances to the rows whose places a row reads, descending.
  RecentLists<int32_t> Lists;
  LargeVector<uint32_t> ListOf;
};

} // namespace specrt

#endif
