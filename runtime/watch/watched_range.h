//===- runtime/watch/watched_range.h - the bytes that a call reads --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A watch reads only the bytes that it watches, because the bytes between two rows of an array may
// belong to other data: to a page that is not readable, that is beyond the end of its file, or that
// a handler of userfaultfd has to fill first.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_WATCH_WATCHED_RANGE_H
#define SPECRT_RUNTIME_WATCH_WATCHED_RANGE_H

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace specrt {

/// Rows of the same length, at equal distances, each of which a call reads as a whole.
struct WatchedRange {
  const std::byte *Begin;
  size_t Bytes;      ///< of a row
  size_t Stride = 0; ///< bytes from row to row; more than Bytes if there are several
  size_t Count = 1;  ///< rows

  bool isOneRow() const { return Count == 1; }
  const std::byte *end() const { return Begin + (Count - 1) * Stride + Bytes; }
  /// Returns the bytes of all rows, without the gaps.
  size_t totalBytes() const { return Count * Bytes; }

  /// Calls F(Begin, Bytes) for the part of each row in [From, To), in ascending order, until it
  /// returns false. Returns whether it never did.
  template <typename Fn> bool forEachPiece(const std::byte *From, const std::byte *To, Fn F) const {
    size_t Row = isOneRow() || From <= Begin ? 0 : static_cast<size_t>(From - Begin) / Stride;
    for (; Row < Count && Begin + Row * Stride < To; ++Row) {
      const std::byte *First = std::max(From, Begin + Row * Stride);
      const std::byte *Last = std::min(To, Begin + Row * Stride + Bytes);
      if (First < Last && !F(First, static_cast<size_t>(Last - First)))
        return false;
    }
    return true;
  }
  template <typename Fn> bool forEachRow(Fn F) const { return forEachPiece(Begin, end(), F); }
};

} // namespace specrt

#endif
