//===- structure/rows/foreseen_reads.h - does memory hold what rows are to read? ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of rows that are foreseen to be like the last one, row T = 1, 2, ... reads certain integers at
// addresses that follow from T. Whether they are what they are foreseen to be is found out in loops
// over one read of many rows, or over neighbouring reads, which compilers make vectors of.
//
// A row may be different; then what it is foreseen to read need not be there. So memory is read
// in an order in which everything is known to be there.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_ROWS_FORESEEN_READS_H
#define SPECRT_STRUCTURE_ROWS_FORESEEN_READS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace specrt {

/// What grows by the same from row to row, modulo 2^64; \p Value is that of row 0.
struct LinearWord {
  uint64_t Value = 0, Delta = 0;

  uint64_t in(uint64_t Row) const { return Value + Row * Delta; }
  /// Up to which row, \p Most at most, is it from \p Low to \p High, as a signed number that does
  /// not wrap?
  uint64_t rowsWithin(int64_t Low, int64_t High, uint64_t Most) const;
};

/// Up to which row is \p X, as a signed number that does not wrap, still less than, equal to or
/// greater than \p Y?
uint64_t rowsInOrder(const LinearWord &X, const LinearWord &Y, uint64_t Most);

/// Up to which row does an integer of 1 << \p LogBytes bytes have the value, and the sign of row 0?
/// One of 8 bytes may change its sign.
uint64_t rowsOfWidth(const LinearWord &Value, unsigned LogBytes, uint64_t Most);

class ForeseenReads {
public:
  struct Read {
    LinearWord Value, Address;
    unsigned LogBytes; ///< it has 1 << LogBytes, extended by the sign
  };
  /// When a row may be read. Reads of the first turn are there in all rows. Those of the second are
  /// there where all of the first, and of the second those that were added before them, are as
  /// foreseen; those of the last where all others are.
  enum Turn : uint8_t { First, InOrder, Last };
  static constexpr size_t NumTurns = 3;

  void clear();
  void add(const Read &R, Turn When);
  /// The number of rows, from row 1 on and \p Most at most, in which all is as foreseen. The values
  /// of all rows have the widths of the reads.
  uint64_t verify(uint64_t Most) const;

  /// Reads that are neighbours in memory.
  struct Group {
    size_t FirstRead;
    size_t Count;
    LinearWord Address; ///< of the first
    unsigned LogBytes;
  };

private:
  uint64_t rowsTogether() const;

  struct ReadsOfTurn {
    std::vector<LinearWord> Values;
    std::vector<Group> Groups;
  };
  std::array<ReadsOfTurn, NumTurns> Turns;
};

} // namespace specrt

#endif
