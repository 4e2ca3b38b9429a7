//===- structure/levels/levels.h - level sets of rows ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a loop-carried kernel (a triangular solve, a Gauss-Seidel sweep, an incomplete factorisation)
// some pairs of rows must keep their order: one of the two writes what the other reads or writes.
// The *level* of a row is the length of the longest chain of such pairs that ends at the row. A row
// only waits for rows of lower levels.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_LEVELS_LEVELS_H
#define SPECRT_STRUCTURE_LEVELS_LEVELS_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace specrt {

class RowLevels {
public:
  explicit RowLevels(size_t MaxBytes = SIZE_MAX) : MaxWords(MaxBytes / sizeof(uint32_t)) {}

  /// Adds the next row and \p Others, the rows with which it must keep its order: earlier ones for
  /// which it waits (it reads their result), and later ones that wait for it (they overwrite what
  /// it reads). At least one row of each pair must name it. Negative numbers and the row itself are
  /// ignored. Returns false, and changes nothing, if that would take more than MaxBytes.
  [[nodiscard]] bool row(const int64_t *Others, size_t Count);

  /// Returns one level per row; 0 for rows that wait for nothing.
  const std::vector<uint32_t> &levels() const { return Levels; }
  size_t bytes() const { return (Levels.capacity() + LaterBounds.capacity()) * sizeof(uint32_t); }

private:
  bool reserveBounds(int64_t Row);

  size_t MaxWords;
  std::vector<uint32_t> Levels;
  std::vector<uint32_t> LaterBounds; // lower bounds for the levels of rows from FirstBound on
  int64_t FirstBound = 0;
};

/// The rows sorted by level and, within a level, by number.
struct LevelOrder {
  std::vector<int64_t> Rows;
  std::vector<size_t> Begin; ///< per level, its begin in Rows; then the number of rows

  explicit LevelOrder(std::span<const uint32_t> Levels);
  size_t size() const { return Begin.size() - 1; }
  /// Returns the rows of levels \p Level to \p End - 1.
  std::span<const int64_t> rowsOf(size_t Level, size_t End) const {
    return std::span(Rows).subspan(Begin[Level], Begin[End] - Begin[Level]);
  }
  size_t widest() const;
};

} // namespace specrt

#endif
