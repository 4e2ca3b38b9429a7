//===- structure/levels/row_dependences.h - which rows must keep their order ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a loop in which rows read what other rows write, each row must come after some of those before
// it: after the one that last wrote what it reads or writes, and after those that have read since
// then what it writes. Which these are follows from addresses: for each cell of memory is
// remembered who wrote it last and who has read it since.
//
// As long as each row writes a place of its own, nothing of that is needed (own_places.h).
//
// In most other loops nothing is overwritten that several rows have read. So at first it is only
// remembered that there were several; where that is not enough, rows are added anew, to one that
// keeps all of them.
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

/// Some rows before a row, ascending.
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

  /// \p Distances: how far, descending.
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

  /// So many rows are expected.
  void reserve(uint32_t Rows) { Places ? Places->reserve(Rows) : ListOf.reserve(Rows); }
  /// The next row, and all that it accesses.
  void row(std::span<const RowAccess> Mine);
  /// That was the last one: frees what others would need. Only then are there rows before rows.
  void finish();
  /// What there would be if that was the last one.
  RowDependences soFar() const;
  /// There are more dependences than there may be, or more memory: nothing is known any more.
  bool givenUp() const { return GivenUp; }
  /// Nothing is known, and would be known if readers were kept.
  bool lacksReaders() const { return LacksReaders; }

  uint32_t rows() const { return Row; }
  /// The rows that \p Row must come after, ascending and each once, but for such as follow from
  /// others.
  RowsBefore before(uint32_t Row) const { return {Row, Lists[ListOf[Row]]}; }
  size_t dependences() const { return NumDependences; }
  /// Memory that it takes after finish().
  size_t bytes() const {
    return Lists.bytes() + ListOf.capacity() * sizeof(uint32_t) + (Places ? Places->bytes() : 0);
  }

private:
  static constexpr size_t PageCells = 512;
  /// Several rows, which are not kept.
  static constexpr uint32_t Some = UINT32_MAX;
  struct Cell {
    uint32_t Writer = 0; // row + 1, 0: nobody
    /// Since then. With all of them: the last one, in Reads, + 1. Else row + 1, 0 or Some.
    uint32_t Readers = 0;
  };
  struct Read {
    uint32_t Row, Next;
  };
  using Page = std::array<Cell, PageCells>;
  struct Shadow {
    unsigned Shift = 0; // bytes of a cell; 0: not known yet
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
  /// The row that is being added comes after \p Other, unless it is that.
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
  uint32_t Row = 0; // that is being added
  size_t NumDependences = 0;
  std::vector<Shadow> Spaces;
  std::vector<LargeVector<Page>> Slabs;
  size_t FreePages = 0; // of the last slab
  std::vector<Read> Reads;
  uint32_t FreeRead = 0;     // the first of those that are no longer needed, + 1
  std::vector<uint32_t> Now; // how far before the row are those that it must come after
  /// Lists of such distances.
  RecentLists<uint32_t> Lists;
  LargeVector<uint32_t> ListOf;                   // by row
  std::optional<OwnPlaces> Places{std::in_place}; // as long as all rows are like that
};

} // namespace specrt

#endif
