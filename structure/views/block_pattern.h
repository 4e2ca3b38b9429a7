//===- structure/views/block_pattern.h - patterns as blocks of 8 x 8 ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_STRUCTURE_VIEWS_BLOCK_PATTERN_H
#define SPECRT_STRUCTURE_VIEWS_BLOCK_PATTERN_H

#include "structure/views/csr_pattern.h"

namespace specrt {

/// The nonempty blocks, by ascending key.
struct BlockPattern {
  struct Block {
    uint64_t Key;  ///< row / 8 << 32 | column / 8
    uint64_t Bits; ///< bit 8 r + c: row r, column c of the block
    bool operator==(const Block &) const = default;
  };

  int64_t Rows = 0, Columns = 0;
  std::vector<Block> Blocks;

  explicit BlockPattern(const CsrPattern &Of);
  CsrPattern toCsr() const;
  bool contains(int64_t Row, uint32_t Column) const;
  size_t entries() const;
  size_t bytes() const { return Blocks.size() * sizeof(Block); }
  bool operator==(const BlockPattern &) const = default;

  /// Set operations; both operands must have the same size.
  friend BlockPattern operator|(const BlockPattern &A, const BlockPattern &B);
  friend BlockPattern operator&(const BlockPattern &A, const BlockPattern &B);
  /// Returns the entries of A that are not in B; empty if A is a subset of B.
  friend BlockPattern operator-(const BlockPattern &A, const BlockPattern &B);

private:
  BlockPattern(int64_t Rows, int64_t Columns) : Rows(Rows), Columns(Columns) {}
  template <typename Operation>
  static BlockPattern combined(const BlockPattern &A, const BlockPattern &B, Operation Op);
};

} // namespace specrt

#endif
