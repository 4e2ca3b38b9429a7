//===- structure/levels/own_places.h - rows each of which writes a place of its own ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In most loops whose rows wait for rows each row writes one element, the next row the next one: a
// sweep's unknown. Then an address says who writes there, and nothing need be remembered of memory.
// Rows that follow each other mostly read places that are as far away.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_LEVELS_OWN_PLACES_H
#define SPECRT_STRUCTURE_LEVELS_OWN_PLACES_H

#include "specrt/rows.h"
#include "structure/levels/recent_lists.h"

#include <span>
#include <vector>

namespace specrt {

/// What a row reads or writes. What lies in different spaces does not overlap.
using RowAccess = specrt_row_access;
inline uint32_t spaceOf(const RowAccess &A) { return A.base / 2; }
inline bool isWrite(const RowAccess &A) { return A.base % 2 != 0; }

class OwnPlaces {
public:
  /// So many rows are expected.
  void reserve(uint32_t Rows) { ListOf.reserve(Rows); }
  /// The next row. False: rows do not write places of their own, and it is not added.
  [[nodiscard]] bool row(std::span<const RowAccess> Mine);

  uint32_t rows() const {
    return HasStride ? static_cast<uint32_t>(ListOf.size()) : !OfFirst.empty();
  }
  size_t bytes() const { return Lists.bytes() + ListOf.capacity() * sizeof(uint32_t); }
  /// Accesses of the rows so far, row by row; those of one may be in another order.
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
  /// How far before each row are those that it must come after: the lists, and by row where its
  /// list is. Returns how many there are.
  size_t listsBefore(RecentLists<uint32_t> &Before, LargeVector<uint32_t> &BeforeOf) const;

private:
  /// A row that another one must come after, which is \p Far behind it, though it does not say so.
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
  uint64_t First = 0;            // row 0's
  bool HasStride = false;        // else there is one row, or none
  int64_t Stride = 0;            // plus or minus a power of two
  std::vector<int32_t> Far;
  /// A row reads a place that would be that of so many rows before it, if there were as many.
  uint32_t MostBefore = 0;
  /// How far before a row are those whose places it reads, descending.
  RecentLists<int32_t> Lists;
  LargeVector<uint32_t> ListOf;
};

} // namespace specrt

#endif
