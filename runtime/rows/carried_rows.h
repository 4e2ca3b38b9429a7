//===- runtime/rows/carried_rows.h - values that rows pass on to the next row ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_ROWS_CARRIED_ROWS_H
#define SPECRT_RUNTIME_ROWS_CARRIED_ROWS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace specrt {

/// The first values of the traces of some rows. Rows that are not set take no memory.
class CarriedRows {
public:
  /// Stores \p Width values of each row.
  explicit CarriedRows(uint32_t Width) : Width(Width) {}

  void set(uint64_t Row, const int64_t *Values) {
    if (Width == 0)
      return;
    const uint64_t Block = Row / BlockRows;
    if (Block >= Blocks.size())
      Blocks.resize(Block + 1);
    if (!Blocks[Block])
      Blocks[Block] = std::make_unique_for_overwrite<int64_t[]>(BlockRows * Width);
    std::copy_n(Values, Width, Blocks[Block].get() + Row % BlockRows * Width);
  }
  /// Returns the values of a row that was set.
  const int64_t *of(uint64_t Row) const {
    return Width == 0 ? nullptr : Blocks[Row / BlockRows].get() + Row % BlockRows * Width;
  }
  size_t bytes() const {
    const auto Some =
        std::count_if(Blocks.begin(), Blocks.end(), [](const auto &B) { return !!B; });
    return Blocks.capacity() * sizeof(Blocks[0]) +
           static_cast<size_t>(Some) * BlockRows * Width * sizeof(int64_t);
  }

private:
  static constexpr uint64_t BlockRows = 4096;
  const uint32_t Width;
  std::vector<std::unique_ptr<int64_t[]>> Blocks;
};

} // namespace specrt

#endif
