//===- structure/levels/row_dependences.cpp - the dependences between rows -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/levels/row_dependences.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace specrt {
namespace {

constexpr size_t FirstSlab = 16, MaxSlab = 2048; // pages

} // namespace

void RowDependences::finish() {
  if (Places)
    NumDependences = Places->listsBefore(Lists, ListOf);
  Places.reset();
  Spaces.clear();
  Slabs.clear();
  FreePages = 0;
  Reads = {};
  FreeRead = 0;
  Now = {};
}

void RowDependences::giveUp() {
  GivenUp = true;
  Places.reset();
  finish();
  Lists = {};
  ListOf = {};
  Row = 0;
  NumDependences = 0;
}

void RowDependences::take(size_t Bytes) {
  Used += Bytes;
  if (Used > MaxBytes)
    giveUp();
}

/// Returns null if that takes too much memory.
RowDependences::Page *RowDependences::newPage() {
  take(sizeof(Page));
  if (GivenUp)
    return nullptr;
  if (FreePages == 0) {
    FreePages = Slabs.empty() ? FirstSlab : std::min(MaxSlab, 2 * Slabs.back().size());
    Slabs.emplace_back(FreePages);
  }
  return &Slabs.back()[Slabs.back().size() - FreePages--];
}

/// Returns null if that takes too much memory.
RowDependences::Cell *RowDependences::cell(Shadow &In, uint64_t Number) {
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
      In.Pages.insert(In.Pages.begin(), Missing, nullptr);
      In.First = At;
    } else {
      In.Pages.resize(In.Pages.size() + Missing);
    }
  }
  Page *Found = In.Pages[At - In.First];
  if (!Found) {
    Found = newPage();
    if (!Found)
      return nullptr; // giveUp() has freed In
    In.Pages[At - In.First] = Found;
  }
  return &(*Found)[Number % PageCells];
}

/// Handles the cases that touch() does not: all writes, and all reads if readers are kept.
void RowDependences::touchRead(Cell &At, bool IsWrite) {
  if (!IsWrite) {
    if (At.Writer != Row + 1 && !(At.Readers && Reads[At.Readers - 1].Row == Row))
      addRead(At);
    return;
  }
  if (KeepsReaders) {
    for (uint32_t I = At.Readers; I;) {
      Read &Each = Reads[I - 1];
      after(Each.Row);
      const uint32_t Next = std::exchange(Each.Next, FreeRead);
      FreeRead = std::exchange(I, Next);
    }
  } else if (At.Readers == Some) {
    LacksReaders = true;
  } else if (At.Readers) {
    after(At.Readers - 1);
  }
  At = {Row + 1, 0};
}

/// Adds the current row to the readers of \p At.
void RowDependences::addRead(Cell &At) {
  if (FreeRead == 0) {
    Reads.push_back({Row, At.Readers});
    At.Readers = static_cast<uint32_t>(Reads.size());
    return;
  }
  Read &Free = Reads[FreeRead - 1];
  const uint32_t Next = Free.Next;
  Free = {Row, At.Readers};
  At.Readers = std::exchange(FreeRead, Next);
}

void RowDependences::accessAny(const RowAccess &A) {
  if (GivenUp || A.bytes == 0)
    return;
  const uint32_t Space = spaceOf(A);
  if (Space >= Spaces.size())
    Spaces.resize(Space + 1);
  // Accesses to one cell count as overlapping, so larger cells are conservative.
  if (Spaces[Space].Shift == 0)
    Spaces[Space].Shift = A.bytes >= 8 ? 3 : 2;
  const unsigned Shift = Spaces[Space].Shift;
  for (uint64_t Number = A.address >> Shift, Last = (A.address + A.bytes - 1) >> Shift;
       Number <= Last; ++Number) {
    Cell *At = cell(Spaces[Space], Number);
    if (!At)
      return;
    touch(*At, isWrite(A));
  }
}

RowDependences RowDependences::soFar() const {
  RowDependences Result;
  Result.Row = Row;
  if (Places)
    Result.NumDependences = Places->listsBefore(Result.Lists, Result.ListOf);
  else
    std::tie(Result.Lists, Result.ListOf, Result.NumDependences) =
        std::tie(Lists, ListOf, NumDependences);
  Result.Places.reset();
  return Result;
}

/// Switches to the shadow memory, when a row has no place of its own.
void RowDependences::forgetPlaces() {
  const OwnPlaces Until = std::move(*Places);
  Places.reset();
  ListOf.reserve(Row);
  Row = 0;
  Until.repeat([this](std::span<const RowAccess> Mine) { add(Mine); });
}

void RowDependences::row(std::span<const RowAccess> Mine) {
  if (GivenUp)
    return;
  if (Places && !Places->row(Mine))
    forgetPlaces();
  if (!Places)
    return add(Mine);
  ++Row;
  if (bytes() > MaxBytes || Row > UINT32_MAX / 2)
    giveUp();
}

void RowDependences::add(std::span<const RowAccess> Mine) {
  for (const RowAccess &A : Mine)
    access(A);
  if (GivenUp)
    return;
  if (Now.size() > 1) {
    std::sort(Now.begin(), Now.end(), std::greater());
    Now.erase(std::unique(Now.begin(), Now.end()), Now.end());
  }
  NumDependences += Now.size();
  ListOf.push_back(Lists.add(Now));
  Now.clear();
  ++Row;
  if (LacksReaders || Used + bytes() + Reads.capacity() * sizeof(Read) > MaxBytes ||
      Reads.size() > UINT32_MAX / 2 || Lists.size() > UINT32_MAX / 2 || Row > UINT32_MAX / 2)
    giveUp();
}

} // namespace specrt
