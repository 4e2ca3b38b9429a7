//===- structure/views/block_pattern.cpp - patterns as blocks of 8 x 8 ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/views/block_pattern.h"

#include <algorithm>
#include <array>
#include <bit>

namespace specrt {
namespace {

constexpr int64_t Edge = 8;

uint64_t keyOf(int64_t Row, uint32_t Column) {
  return static_cast<uint64_t>(Row / Edge) << 32 | Column / Edge;
}

uint64_t bitOf(int64_t Row, uint32_t Column) {
  return uint64_t{1} << (Row % Edge * Edge + Column % Edge);
}

} // namespace

/// Merges eight rows at a time by columns.
BlockPattern::BlockPattern(const CsrPattern &Of) : Rows(Of.rows()), Columns(Of.Columns) {
  for (int64_t First = 0; First < Rows; First += Edge) {
    std::array<std::span<const uint32_t>, Edge> Left;
    const int64_t Count = std::min(Edge, Rows - First);
    for (int64_t R = 0; R < Count; ++R)
      Left[static_cast<size_t>(R)] = Of.row(First + R);
    while (true) {
      uint64_t Key = UINT64_MAX, Bits = 0;
      for (std::span<const uint32_t> Row : Left)
        if (!Row.empty())
          Key = std::min(Key, keyOf(First, Row.front()));
      if (Key == UINT64_MAX)
        break;
      for (int64_t R = 0; R < Count; ++R) {
        std::span<const uint32_t> &Row = Left[static_cast<size_t>(R)];
        for (; !Row.empty() && keyOf(First, Row.front()) == Key; Row = Row.subspan(1))
          Bits |= bitOf(R, Row.front());
      }
      Blocks.push_back({Key, Bits});
    }
  }
}

CsrPattern BlockPattern::toCsr() const {
  CsrPattern Result;
  Result.Columns = Columns;
  size_t Begin = 0;
  for (int64_t First = 0; First < Rows; First += Edge) {
    size_t End = Begin;
    while (End < Blocks.size() && Blocks[End].Key >> 32 == static_cast<uint64_t>(First / Edge))
      ++End;
    for (int64_t R = 0; R < std::min(Edge, Rows - First); ++R) {
      for (size_t I = Begin; I < End; ++I)
        for (uint64_t Bits = Blocks[I].Bits >> (R * Edge) & 0xff; Bits; Bits &= Bits - 1)
          Result.Column.push_back(static_cast<uint32_t>(Blocks[I].Key) * Edge +
                                  static_cast<uint32_t>(std::countr_zero(Bits)));
      Result.endRow();
    }
    Begin = End;
  }
  return Result;
}

bool BlockPattern::contains(int64_t Row, uint32_t Column) const {
  const uint64_t Key = keyOf(Row, Column);
  const auto At = std::lower_bound(Blocks.begin(), Blocks.end(), Key,
                                   [](const Block &B, uint64_t K) { return B.Key < K; });
  return At != Blocks.end() && At->Key == Key && At->Bits & bitOf(Row, Column);
}

size_t BlockPattern::entries() const {
  size_t Count = 0;
  for (const Block &B : Blocks)
    Count += static_cast<size_t>(std::popcount(B.Bits));
  return Count;
}

template <typename Operation>
BlockPattern BlockPattern::combined(const BlockPattern &A, const BlockPattern &B, Operation Op) {
  BlockPattern Result(A.Rows, A.Columns);
  auto InA = A.Blocks.begin(), InB = B.Blocks.begin();
  while (InA != A.Blocks.end() || InB != B.Blocks.end()) {
    const uint64_t KeyA = InA != A.Blocks.end() ? InA->Key : UINT64_MAX;
    const uint64_t KeyB = InB != B.Blocks.end() ? InB->Key : UINT64_MAX;
    const uint64_t Key = std::min(KeyA, KeyB);
    const uint64_t BitsA = KeyA == Key ? (InA++)->Bits : 0;
    const uint64_t BitsB = KeyB == Key ? (InB++)->Bits : 0;
    if (const uint64_t Bits = Op(BitsA, BitsB))
      Result.Blocks.push_back({Key, Bits});
  }
  return Result;
}

BlockPattern operator|(const BlockPattern &A, const BlockPattern &B) {
  return BlockPattern::combined(A, B, [](uint64_t X, uint64_t Y) { return X | Y; });
}
BlockPattern operator&(const BlockPattern &A, const BlockPattern &B) {
  return BlockPattern::combined(A, B, [](uint64_t X, uint64_t Y) { return X & Y; });
}
BlockPattern operator-(const BlockPattern &A, const BlockPattern &B) {
  return BlockPattern::combined(A, B, [](uint64_t X, uint64_t Y) { return X & ~Y; });
}

} // namespace specrt
