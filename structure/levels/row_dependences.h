//===- structure/levels/row_dependences.h - which rows must keep their order ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a loop in which rows read what other rows write, each row must come after some of those before
// it: after the one that last wrote what it reads or writes, and after those that have read since
// then what it writes. Which these are follows from addresses: for each cell of memory is
// remembered who wrote it last and who has read it since.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_LEVELS_ROW_DEPENDENCES_H
#define SPECRT_STRUCTURE_LEVELS_ROW_DEPENDENCES_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace specrt {

class RowDependences {
public:
  explicit RowDependences(size_t MaxBytes = SIZE_MAX) : MaxBytes(MaxBytes) {}

  /// The row that is being added reads or writes \p Bytes bytes in memory \p Space. What lies in
  /// different spaces does not overlap.
  void access(uint32_t Space, uint64_t Address, uint64_t Bytes, bool IsWrite);
  /// That row is over.
  void endRow();
  /// That was the last one: frees what others would need.
  void finish();
  /// There are more dependences than there may be, or more memory: nothing is known any more.
  bool givenUp() const { return GivenUp; }

  uint32_t rows() const { return static_cast<uint32_t>(Begin.size() - 1); }
  /// The rows that \p Row must come after, ascending and each once, but for such as follow from
  /// others.
  std::span<const uint32_t> before(uint32_t Row) const {
    return std::span(Before).subspan(Begin[Row], Begin[Row + 1] - Begin[Row]);
  }
  size_t dependences() const { return Before.size(); }
  /// Memory that it takes after finish().
  size_t bytes() const {
    return Before.capacity() * sizeof(uint32_t) + Begin.capacity() * sizeof(size_t);
  }

private:
  static constexpr size_t PageCells = 512;
  struct Cell {
    uint32_t Writer = 0;  // row + 1, 0: nobody
    uint32_t Readers = 0; // the last of those since then: in Reads, + 1
  };
  struct Read {
    uint32_t Row, Next;
  };
  using Page = std::array<Cell, PageCells>;
  struct Shadow {
    unsigned Shift = 0; // bytes of a cell; 0: not known yet
    uint64_t First = 0; // number of the first page
    uint64_t Last = 0;  // number of the page that was used last, if LastPage is not null
    Page *LastPage = nullptr;
    std::vector<std::unique_ptr<Page>> Pages;
  };

  Cell *cell(Shadow &In, uint64_t Number);
  Cell *cellOfOtherPage(Shadow &In, uint64_t Number);
  void touch(Cell &At, bool IsWrite);
  void addRead(Cell &At);
  void after(uint32_t Row);
  void giveUp();
  void take(size_t Bytes);

  size_t MaxBytes;
  size_t Used = 0;
  bool GivenUp = false;
  std::vector<Shadow> Spaces;
  std::vector<Read> Reads;
  uint32_t FreeRead = 0;     // the first of those that are no longer needed, + 1
  std::vector<uint32_t> Now; // what the row that is being added must come after
  std::vector<uint32_t> Before;
  std::vector<size_t> Begin{0};
};

} // namespace specrt

#endif
