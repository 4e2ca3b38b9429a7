//===- structure/rows/predicted_reads.h - checks predicted contents of memory ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If rows are predicted to be like the last one, row T = 1, 2, ... reads certain integers at
// addresses that are linear in T. Whether they have the predicted values is checked in loops over
// one read of many rows, or over neighbouring reads, which compilers vectorise.
//
// A row may differ from its prediction, and then the memory that it is predicted to read need not
// exist. Therefore memory is read only once everything that guarantees its existence is checked.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_ROWS_PREDICTED_READS_H
#define SPECRT_STRUCTURE_ROWS_PREDICTED_READS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace specrt {

/// A word that changes by a constant per row, modulo 2^64; \p Value is that of row 0.
struct LinearWord {
  uint64_t Value = 0, Delta = 0;

  uint64_t in(uint64_t Row) const { return Value + Row * Delta; }
  /// Returns the number of the last row, at most \p Most, up to which the word, as a signed number
  /// that does not wrap, is between \p Low and \p High.
  uint64_t rowsWithin(int64_t Low, int64_t High, uint64_t Most) const;
};

/// Returns the number of the last row, at most \p Most, up to which \p X, as a signed number that
/// does not wrap, compares to \p Y (less, equal or greater) as in row 0.
uint64_t rowsInOrder(const LinearWord &X, const LinearWord &Y, uint64_t Most);

/// Returns the number of the last row, at most \p Most, up to which an integer of 1 << \p LogBytes
/// bytes can hold the value with the sign of row 0. The sign of one of 8 bytes may change.
uint64_t rowsOfWidth(const LinearWord &Value, unsigned LogBytes, uint64_t Most);

class PredictedReads {
public:
  struct Read {
    LinearWord Value, Address;
    unsigned LogBytes; ///< 1 << LogBytes bytes are read and sign-extended
  };
  /// The rows in which a read may be executed. Reads of turn First exist in all rows. Those of
  /// InOrder exist in rows in which all of First, and those of InOrder that were added before them,
  /// are as predicted; those of Last in rows in which all others are.
  enum Turn : uint8_t { First, InOrder, Last };
  static constexpr size_t NumTurns = 3;

  void clear();
  void add(const Read &R, Turn When);
  /// Returns the number of rows, from row 1 on and at most \p Most, in which all reads are as
  /// predicted. The values of all rows must fit the widths of the reads.
  uint64_t verify(uint64_t Most) const;

  /// Reads that are adjacent in memory.
  struct Group {
    size_t FirstRead;
    size_t Count;
    LinearWord Address; ///< of the first read
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
