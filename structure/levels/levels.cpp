//===- structure/levels/levels.cpp - level sets of rows -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/levels/levels.h"

#include <algorithm>

namespace specrt {

/// Makes room for the bounds of all rows up to \p Row; returns false if there is too little memory.
/// Bounds of rows that were added are dropped once they are half of all.
bool RowLevels::reserveBounds(int64_t Row) {
  const auto Now = static_cast<int64_t>(Levels.size());
  if (2 * (Now - FirstBound) > static_cast<int64_t>(LaterBounds.size())) {
    const int64_t Passed = std::min<int64_t>(Now - FirstBound, std::ssize(LaterBounds));
    LaterBounds.erase(LaterBounds.begin(), LaterBounds.begin() + Passed);
    FirstBound = Now;
  }
  const auto Words = static_cast<size_t>(Row - FirstBound) + 1;
  if (Words > MaxWords)
    return false;
  if (Words > LaterBounds.size())
    LaterBounds.resize(Words);
  return true;
}

bool RowLevels::row(const int64_t *Others, size_t Count) {
  const auto Row = static_cast<int64_t>(Levels.size());
  int64_t Last = Row;
  for (size_t I = 0; I < Count; ++I)
    Last = std::max(Last, Others[I]);
  if (Last > Row && !reserveBounds(Last))
    return false;
  uint32_t Level = 0;
  if (const int64_t At = Row - FirstBound; At < std::ssize(LaterBounds))
    Level = LaterBounds[static_cast<size_t>(At)];
  for (size_t I = 0; I < Count; ++I)
    if (Others[I] >= 0 && Others[I] < Row)
      Level = std::max(Level, Levels[static_cast<size_t>(Others[I])] + 1);
  for (size_t I = 0; I < Count; ++I)
    if (Others[I] > Row) {
      uint32_t &Later = LaterBounds[static_cast<size_t>(Others[I] - FirstBound)];
      Later = std::max(Later, Level + 1);
    }
  Levels.push_back(Level);
  return true;
}

LevelOrder::LevelOrder(std::span<const uint32_t> Levels) : Rows(Levels.size()), Begin(1) {
  for (uint32_t Level : Levels) {
    if (Begin.size() <= size_t{Level} + 1)
      Begin.resize(size_t{Level} + 2);
    ++Begin[size_t{Level} + 1];
  }
  for (size_t I = 1; I < Begin.size(); ++I)
    Begin[I] += Begin[I - 1];
  std::vector<size_t> Next(Begin.begin(), Begin.end() - 1);
  for (size_t Row = 0; Row < Levels.size(); ++Row)
    Rows[Next[Levels[Row]]++] = static_cast<int64_t>(Row);
}

size_t LevelOrder::widest() const {
  size_t Most = 0;
  for (size_t I = 1; I < Begin.size(); ++I)
    Most = std::max(Most, Begin[I] - Begin[I - 1]);
  return Most;
}

} // namespace specrt
