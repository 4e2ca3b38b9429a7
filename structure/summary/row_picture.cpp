//===- structure/summary/row_picture.cpp - pictures of what rows of a loop read -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/summary/row_picture.h"

#include <algorithm>
#include <utility>

namespace specrt {
namespace {

/// Limit on the values shown of one row.
constexpr size_t MaxOfRow = 64;

} // namespace

RowPicture::RowPicture(uint64_t Rows, uint64_t Columns)
    : Rows(Rows), Columns(Columns),
      NumLines(static_cast<uint32_t>(std::min<uint64_t>(Rows, MaxCells))) {}

uint64_t RowPicture::rowOf(uint32_t Line) const {
  return Rows / NumLines * Line + Rows % NumLines * Line / NumLines;
}

void RowPicture::show(const EntryKind *Kinds, const int64_t *Trace, size_t Entries) {
  // The entries before the first trip count are the begin and end of the row. Without inner loops,
  // all values are shown.
  const auto *FirstLoop = std::find(Kinds, Kinds + Entries, EntryKind::Trips);
  const auto From =
      FirstLoop == Kinds + Entries ? size_t{0} : static_cast<size_t>(FirstLoop - Kinds);
  std::vector<int64_t> &Line = Shown.emplace_back();
  const size_t Step = 1 + (Entries - From) / MaxOfRow;
  for (size_t I = From; I < Entries; I += Step)
    if (Kinds[I] == EntryKind::Value)
      Line.push_back(Trace[I]);
  const auto Next = static_cast<uint32_t>(Shown.size());
  NextShown = Next < NumLines ? std::max(rowOf(Next), Row) : UINT64_MAX;
}

void RowPicture::showRow(std::span<const uint32_t> Values) {
  constexpr size_t MaxLooked = 4096;
  std::vector<int64_t> &Line = Shown.emplace_back();
  const size_t Step = 1 + Values.size() / MaxLooked;
  uint64_t Last = UINT64_MAX;
  for (size_t I = 0; I < Values.size(); I += Step) {
    const uint64_t Cell = uint64_t{Values[I]} * MaxCells / std::max<uint64_t>(Columns, 1);
    if (std::exchange(Last, Cell) != Cell)
      Line.push_back(Values[I]);
  }
}

size_t RowPicture::bytes() const {
  size_t Sum =
      Classes.capacity() * sizeof(uint32_t) + Shown.capacity() * sizeof(std::vector<int64_t>);
  for (const std::vector<int64_t> &Line : Shown)
    Sum += Line.capacity() * sizeof(int64_t);
  return Sum;
}

std::vector<int64_t> RowPicture::numbers() const {
  std::vector<int64_t> Result = {static_cast<int64_t>(Rows), static_cast<int64_t>(Columns),
                                 static_cast<int64_t>(Shown.size())};
  for (const std::vector<int64_t> &Line : Shown) {
    Result.push_back(static_cast<int64_t>(Line.size()));
    Result.insert(Result.end(), Line.begin(), Line.end());
  }
  Result.insert(Result.end(), Classes.begin(), Classes.end());
  return Result;
}

std::shared_ptr<const RowPicture> RowPicture::of(std::span<const int64_t> Numbers) {
  if (Numbers.size() < 3 || Numbers[0] < 0 || Numbers[1] < 0)
    return nullptr;
  auto Made = std::make_shared<RowPicture>(static_cast<uint64_t>(Numbers[0]),
                                           static_cast<uint64_t>(Numbers[1]));
  int64_t Lines = Numbers[2];
  if (Lines < 0 || Lines > int64_t{Made->NumLines})
    return nullptr;
  for (Numbers = Numbers.subspan(3); Lines > 0; --Lines) {
    if (Numbers.empty() || static_cast<uint64_t>(Numbers[0]) >= Numbers.size())
      return nullptr;
    const std::span<const int64_t> Line = Numbers.subspan(1, static_cast<size_t>(Numbers[0]));
    Made->Shown.emplace_back(Line.begin(), Line.end());
    Numbers = Numbers.subspan(1 + Line.size());
  }
  for (const int64_t Class : Numbers)
    Made->Classes.push_back(static_cast<uint32_t>(Class));
  return Made;
}

RowCells RowPicture::cells() const {
  int64_t Least = INT64_MAX, Most = INT64_MIN;
  if (Columns > 0) {
    Least = 0;
    Most = static_cast<int64_t>(Columns) - 1;
  }
  for (const std::vector<int64_t> &Line : Shown)
    for (const int64_t Value : Line) {
      Least = std::min(Least, Value);
      Most = std::max(Most, Value);
    }
  RowCells Result;
  if (Least > Most)
    return Result;
  const auto FromLeast = [Least](int64_t Value) {
    return static_cast<double>(static_cast<uint64_t>(Value) - static_cast<uint64_t>(Least));
  };
  const double Extent = FromLeast(Most) + 1;
  Result.Width = static_cast<uint32_t>(std::min<double>(Extent, MaxCells));
  for (const std::vector<int64_t> &Line : Shown) {
    std::vector<uint32_t> &Cells = Result.Lines.emplace_back();
    for (const int64_t Value : Line) {
      const double Place = FromLeast(Value) * Result.Width / Extent;
      Cells.push_back(std::min(static_cast<uint32_t>(Place), Result.Width - 1));
    }
    std::sort(Cells.begin(), Cells.end());
    Cells.erase(std::unique(Cells.begin(), Cells.end()), Cells.end());
  }
  Result.Classes = Classes;
  Result.Classes.resize(Result.Lines.size(), RestClass);
  return Result;
}

} // namespace specrt
