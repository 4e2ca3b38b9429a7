//===- structure/levels/row_dependences.h - the dependences between rows --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a loop in which rows read what other rows write, each row must come after some earlier ones:
// after the last writer of what it reads or writes, and after the readers since then of what it
// writes. These follow from addresses: a shadow memory remembers the last writer of each cell and
// its readers since.
//
// As long as each row writes one place of its own, no shadow memory is needed (own_places.h).
//
// In most other loops no cell that several rows have read is overwritten. Therefore at first only
// the fact is kept that there were several; if that is not sufficient, the rows are added anew, to
// an object that keeps all of them.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_LEVELS_ROW_DEPENDENCES_H
#define SPECRT_STRUCTURE_LEVELS_ROW_DEPENDENCES_H

#include "structure/levels/own_places.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

namespace specrt {

/// Rows that precede a row, ascending.
class RowsBefore {
public:
  class Iterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = uint32_t;
    using difference_type = std::ptrdiff_t;
    using pointer = const uint32_t *;
    using reference = uint32_t;

    Iterator(uint32_t Row, const uint32_t *At) : Row(Row), At(At) {}
    uint32_t operator*() const { return Row - *At; }
    Iterator &operator++() {
      ++At;
      return *this;
    }
    Iterator operator++(int) { return {Row, At++}; }
    bool operator==(const Iterator &) const = default;

  private:
    uint32_t Row;
    const uint32_t *At;
  };

  /// \p Distances: the distances to \p Row, descending.
  RowsBefore(uint32_t Row, std::span<const uint32_t> Distances) : Row(Row), Distances(Distances) {}
  Iterator begin() const { return {Row, Distances.data()}; }
  Iterator end() const { return {Row, Distances.data() + Distances.size()}; }
  bool empty() const { return Distances.empty(); }

private:
  uint32_t Row;
  std::span<const uint32_t> Distances;
};

class RowDependences {
public:
  explicit RowDependences(size_t MaxBytes = SIZE_MAX, bool KeepsReaders = true)
      : MaxBytes(MaxBytes), KeepsReaders(KeepsReaders) {}
  RowDependences(RowDependences &&) = default;
  RowDependences &operator=(RowDependences &&) = default;

  /// Reserves memory for the expected number of rows.
  void reserve(uint32_t Rows) { Places ? Places->reserve(Rows) : ListOf.reserve(Rows); }
  /// Adds the next row with all its accesses.
  void row(std::span<const RowAccess> Mine);
  /// Must be called after the last row, before before(); frees memory that is only needed to add
  /// rows.
  void finish();
  /// Returns the dependences of the rows added so far.
  RowDependences soFar() const;
  /// Returns whether a limit on dependences or memory was exceeded; then there are no results.
  bool givenUp() const { return GivenUp; }
  /// Returns whether it gave up only because readers are not kept.
  bool lacksReaders() const { return LacksReaders; }

  uint32_t rows() const { return Row; }
  /// Returns the rows that \p Row must come after, ascending and without duplicates; rows that
  /// follow from others may be missing.
  RowsBefore before(uint32_t Row) const { return {Row, Lists[ListOf[Row]]}; }
  size_t dependences() const { return NumDependences; }
  /// Returns the memory that it takes after finish(), in bytes.
  size_t bytes() const {
    return Lists.bytes() + ListOf.capacity() * sizeof(uint32_t) + (Places ? Places->bytes() : 0);
  }

private:
  static constexpr size_t PageCells = 512;
  /// Stands for several readers, which are not kept.
  static constexpr uint32_t Some = UINT32_MAX;
  struct Cell {
    uint32_t Writer = 0; // row + 1; 0: none
    /// Readers since the write. With KeepsReaders the last one, as an index into Reads, + 1;
    /// otherwise row + 1, 0 or Some.
    uint32_t Readers = 0;
  };
  struct Read {
    uint32_t Row, Next;
  };
  using Page = std::array<Cell, PageCells>;
  struct Shadow {
    unsigned Shift = 0; // bytes of a cell are 1 << Shift; 0: not yet known
    uint64_t First = 0; // number of the first page
    std::vector<Page *> Pages;
  };

  void access(const RowAccess &A) {
    if (spaceOf(A) < Spaces.size()) [[likely]] {
      Shadow &In = Spaces[spaceOf(A)];
      const uint64_t Number = A.address >> In.Shift;
      const uint64_t At = Number / PageCells - In.First;
      if (At < In.Pages.size() && In.Pages[At] && (A.address + A.bytes - 1) >> In.Shift == Number)
          [[likely]]
        return touch((*In.Pages[At])[Number % PageCells], isWrite(A));
    }
    accessAny(A);
  }
  void accessAny(const RowAccess &A);
  Cell *cell(Shadow &In, uint64_t Number);
  Page *newPage();
  void touch(Cell &At, bool IsWrite) {
    if (At.Writer)
      after(At.Writer - 1);
    if (KeepsReaders || IsWrite)
      touchRead(At, IsWrite);
    else if (At.Writer != Row + 1 && At.Readers != Row + 1)
      At.Readers = At.Readers ? Some : Row + 1;
  }
  void touchRead(Cell &At, bool IsWrite);
  void addRead(Cell &At);
  /// Records that the row being added comes after \p Other, unless it is the same row.
  void after(uint32_t Other) {
    if (Other != Row && (Now.empty() || Now.back() != Row - Other))
      Now.push_back(Row - Other);
  }
  void forgetPlaces();
  void add(std::span<const RowAccess> Mine);
  void giveUp();
  void take(size_t Bytes);

  size_t MaxBytes;
  bool KeepsReaders;
  size_t Used = 0;
  bool GivenUp = false, LacksReaders = false;
  uint32_t Row = 0; // the row that is being added
  size_t NumDependences = 0;
  std::vector<Shadow> Spaces;
  std::vector<LargeVector<Page>> Slabs;
  size_t FreePages = 0; // of the last slab
  std::vector<Read> Reads;
  uint32_t FreeRead = 0;     // head of the list of free elements of Reads, + 1
  std::vector<uint32_t> Now; // distances from the row to those that it must come after
  /// Lists of such distances.
  RecentLists<uint32_t> Lists;
  LargeVector<uint32_t> ListOf;                   // by row
  std::optional<OwnPlaces> Places{std::in_place}; // as long as all rows have places of their own
};

} // namespace specrt

#endif
