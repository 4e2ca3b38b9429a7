//===- structure/levels/row_dependences.cpp - which rows must keep their order ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/levels/row_dependences.h"

#include <algorithm>
#include <utility>

namespace specrt {

void RowDependences::finish() {
  Spaces.clear();
  Reads = {};
  FreeRead = 0;
  Now = {};
}

void RowDependences::giveUp() {
  GivenUp = true;
  finish();
  Before = {};
  Begin.assign(1, 0);
}

void RowDependences::take(size_t Bytes) {
  Used += Bytes;
  if (Used > MaxBytes)
    giveUp();
}

/// Null: too much memory.
RowDependences::Cell *RowDependences::cell(Shadow &In, uint64_t Number) {
  if (In.LastPage && Number / PageCells == In.Last)
    return &(*In.LastPage)[Number % PageCells];
  return cellOfOtherPage(In, Number);
}

RowDependences::Cell *RowDependences::cellOfOtherPage(Shadow &In, uint64_t Number) {
  const uint64_t At = Number / PageCells;
  if (In.Pages.empty())
    In.First = At;
  if (At < In.First || At - In.First >= In.Pages.size()) {
    const uint64_t Missing = At < In.First ? In.First - At : At - In.First - In.Pages.size() + 1;
    if (Missing > MaxBytes / sizeof(void *)) {
      giveUp();
      return nullptr;
    }
    take(Missing * sizeof(void *));
    if (GivenUp)
      return nullptr;
    if (At < In.First) {
      std::vector<std::unique_ptr<Page>> Longer(Missing + In.Pages.size());
      std::move(In.Pages.begin(), In.Pages.end(),
                Longer.begin() + static_cast<std::ptrdiff_t>(Missing));
      In.Pages = std::move(Longer);
      In.First = At;
    } else {
      In.Pages.resize(In.Pages.size() + Missing);
    }
  }
  std::unique_ptr<Page> &Found = In.Pages[At - In.First];
  if (!Found) {
    take(sizeof(Page));
    if (GivenUp)
      return nullptr;
    Found = std::make_unique<Page>();
  }
  In.Last = At;
  In.LastPage = Found.get();
  return &(*Found)[Number % PageCells];
}

/// The row that is being added comes after \p Row, unless it is that.
void RowDependences::after(uint32_t Row) {
  if (Row != rows() && (Now.empty() || Now.back() != Row))
    Now.push_back(Row);
}

void RowDependences::touch(Cell &At, bool IsWrite) {
  const uint32_t Row = rows();
  if (At.Writer)
    after(At.Writer - 1);
  if (!IsWrite) {
    if (At.Writer == Row + 1 || (At.Readers && Reads[At.Readers - 1].Row == Row))
      return;
    addRead(At);
    return;
  }
  for (uint32_t I = At.Readers; I;) {
    Read &Each = Reads[I - 1];
    after(Each.Row);
    const uint32_t Next = std::exchange(Each.Next, FreeRead);
    FreeRead = std::exchange(I, Next);
  }
  At = {Row + 1, 0};
}

/// By the row that is being added.
void RowDependences::addRead(Cell &At) {
  if (FreeRead == 0) {
    Reads.push_back({rows(), At.Readers});
    At.Readers = static_cast<uint32_t>(Reads.size());
    return;
  }
  Read &Free = Reads[FreeRead - 1];
  const uint32_t Next = Free.Next;
  Free = {rows(), At.Readers};
  At.Readers = std::exchange(FreeRead, Next);
}

void RowDependences::access(uint32_t Space, uint64_t Address, uint64_t Bytes, bool IsWrite) {
  if (GivenUp || Bytes == 0)
    return;
  if (Space >= Spaces.size())
    Spaces.resize(Space + 1);
  Shadow &In = Spaces[Space];
  // Accesses that share a cell count as overlapping, so larger cells are never wrong.
  if (In.Shift == 0)
    In.Shift = Bytes >= 8 ? 3 : 2;
  for (uint64_t Number = Address >> In.Shift, Last = (Address + Bytes - 1) >> In.Shift;
       Number <= Last; ++Number) {
    Cell *At = cell(In, Number);
    if (!At)
      return;
    touch(*At, IsWrite);
  }
}

void RowDependences::endRow() {
  if (GivenUp)
    return;
  std::sort(Now.begin(), Now.end());
  Now.erase(std::unique(Now.begin(), Now.end()), Now.end());
  Before.insert(Before.end(), Now.begin(), Now.end());
  Now.clear();
  Begin.push_back(Before.size());
  if (Used + Before.capacity() * sizeof(uint32_t) + Begin.capacity() * sizeof(size_t) +
              Reads.capacity() * sizeof(Read) >
          MaxBytes ||
      Reads.size() > UINT32_MAX / 2 || Begin.size() > UINT32_MAX / 2)
    giveUp();
}

} // namespace specrt
