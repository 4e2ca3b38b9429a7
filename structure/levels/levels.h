//===- structure/levels/levels.h - which rows wait for which ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a loop-carried kernel (a triangular solve, a Gauss-Seidel sweep, an incomplete factorisation)
// some pairs of rows must keep their order: one of the two writes what the other reads or writes.
// The *level* of a row is the number of rows on the longest way to it along such pairs. Rows of a
// level do not wait for each other, and only for rows of lower levels.
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

  /// The next row, and \p Others with which it must keep its order: earlier ones for which it waits
  /// (a solution read), and later ones that wait for it (a value read before it is overwritten).
  /// Each pair must be named by at least one of its rows. Negative numbers and the row itself are
  /// left out. False, and nothing is done: that would take more memory than may be.
  [[nodiscard]] bool row(const int64_t *Others, size_t Count);

  /// As many as there were rows; 0 for rows that wait for nothing.
  const std::vector<uint32_t> &levels() const { return Levels; }
  size_t bytes() const { return (Levels.capacity() + Foreseen.capacity()) * sizeof(uint32_t); }

private:
  bool foresee(int64_t Row);

  size_t MaxWords;
  std::vector<uint32_t> Levels;
  std::vector<uint32_t> Foreseen; // least levels of the rows to come, ForeseenFrom the first
  int64_t ForeseenFrom = 0;
};

/// The rows by level and, within one, ascending.
struct LevelOrder {
  std::vector<int64_t> Rows;
  std::vector<size_t> Begin; ///< per level where in Rows it begins; then the number of rows

  explicit LevelOrder(std::span<const uint32_t> Levels);
  size_t size() const { return Begin.size() - 1; }
  /// Those of levels \p Level to \p End - 1.
  std::span<const int64_t> rowsOf(size_t Level, size_t End) const {
    return std::span(Rows).subspan(Begin[Level], Begin[End] - Begin[Level]);
  }
  size_t widest() const;
};

} // namespace specrt

#endif
