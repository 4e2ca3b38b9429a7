//===- tests/jit/rows/sparse_rows.h - matrices of all kinds, and changes of them ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_JIT_ROWS_SPARSE_ROWS_H
#define SPECRT_TESTS_JIT_ROWS_SPARSE_ROWS_H

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

using Random = std::mt19937;

inline int upTo(Random &Engine, int Most) {
  return std::uniform_int_distribution<int>(0, Most)(Engine);
}

/// The columns of each row.
using Pattern = std::vector<std::vector<int>>;

inline Pattern gridPattern(int Width, int Height) {
  Pattern Rows;
  for (int I = 0; I < Width * Height; ++I) {
    std::vector<int> Row;
    for (int Column : {I - Width, I - 1, I, I + 1, I + Width})
      if (Column >= 0 && Column < Width * Height &&
          (std::abs(Column - I) != 1 || Column / Width == I / Width))
        Row.push_back(Column);
    Rows.push_back(Row);
  }
  return Rows;
}

/// \p B unknowns at each place of a grid of nine neighbours.
inline Pattern blockPattern(int Width, int Height, int B) {
  Pattern Rows;
  for (int I = 0; I < Width * Height * B; ++I) {
    const int X = I / B % Width, Y = I / B / Width;
    std::vector<int> Row;
    for (int V = std::max(0, Y - 1); V <= std::min(Height - 1, Y + 1); ++V)
      for (int U = std::max(0, X - 1); U <= std::min(Width - 1, X + 1); ++U)
        for (int K = 0; K < B; ++K)
          Row.push_back((V * Width + U) * B + K);
    Rows.push_back(Row);
  }
  return Rows;
}

inline Pattern bandPattern(int Size, int Half) {
  Pattern Rows(static_cast<size_t>(Size));
  for (int I = 0; I < Size; ++I)
    for (int Column = std::max(0, I - Half); Column <= std::min(Size - 1, I + Half); ++Column)
      Rows[static_cast<size_t>(I)].push_back(Column);
  return Rows;
}

inline Pattern randomPattern(int Size, int Most, Random &Engine) {
  Pattern Rows(static_cast<size_t>(Size));
  for (auto &Row : Rows)
    for (int K = upTo(Engine, Most); K > 0; --K)
      Row.push_back(upTo(Engine, Size - 1));
  return Rows;
}

/// Rows of equal length with columns in no order.
inline Pattern evenPattern(int Size, int Length, Random &Engine) {
  Pattern Rows(static_cast<size_t>(Size));
  for (auto &Row : Rows)
    for (int K = 0; K < Length; ++K)
      Row.push_back(upTo(Engine, Size - 1));
  return Rows;
}

inline void spoil(Pattern &Rows, Random &Engine) {
  if (Rows.empty())
    return;
  const int Size = static_cast<int>(Rows.size());
  auto &Row = Rows[static_cast<size_t>(upTo(Engine, Size - 1))];
  switch (upTo(Engine, 6)) {
  case 0:
    Row.clear();
    break;
  case 1: // dense
    Row.clear();
    for (int I = 0; I < Size; ++I)
      Row.push_back(I);
    break;
  case 2:
    Row.push_back(upTo(Engine, Size - 1));
    break;
  case 3: // duplicates
    if (!Row.empty())
      Row.push_back(Row.front());
    break;
  case 4:
    std::reverse(Row.begin(), Row.end());
    break;
  case 5:
    if (!Row.empty())
      Row[static_cast<size_t>(upTo(Engine, static_cast<int>(Row.size()) - 1))] =
          upTo(Engine, Size - 1);
    break;
  default:
    for (int I = upTo(Engine, Size - 1), E = std::min(Size, I + 20); I < E; ++I)
      Rows[static_cast<size_t>(I)].clear();
  }
}

inline Pattern somePattern(Random &Engine) {
  Pattern Rows;
  switch (upTo(Engine, 9)) {
  case 0:
    Rows = randomPattern(1 + upTo(Engine, 150), 7, Engine);
    break;
  case 1:
    Rows = evenPattern(1 + upTo(Engine, 200), upTo(Engine, 6), Engine);
    break;
  case 2:
  case 3:
    Rows = bandPattern(1 + upTo(Engine, 200), upTo(Engine, 3));
    break;
  case 4:
    Rows = Pattern(static_cast<size_t>(upTo(Engine, 20)));
    break;
  case 5: // lines that can form skewed wavefronts
    Rows = gridPattern(26 + upTo(Engine, 20), 9 + upTo(Engine, 14));
    break;
  default:
    Rows = gridPattern(1 + upTo(Engine, 25), 1 + upTo(Engine, 14));
  }
  for (int I = upTo(Engine, 3); I > 0; --I)
    spoil(Rows, Engine);
  return Rows;
}

/// Now and then one of those with which arithmetic goes another way.
template <typename T> T someNumber(Random &Engine) {
  using Limits = std::numeric_limits<T>;
  switch (upTo(Engine, 60)) {
  case 0:
    return T(-0.0);
  case 1:
    return Limits::infinity();
  case 2:
    return -Limits::infinity();
  case 3:
    return Limits::quiet_NaN();
  case 4:
    return Limits::denorm_min() * T(upTo(Engine, 100));
  case 5:
    return T(0);
  case 6:
    return Limits::max();
  default:
    return std::uniform_real_distribution<T>(T(-2), T(3))(Engine);
  }
}

template <typename T> std::vector<T> someNumbers(size_t Size, Random &Engine) {
  std::vector<T> Numbers(Size);
  for (T &N : Numbers)
    N = someNumber<T>(Engine);
  return Numbers;
}

template <typename PtrT, typename ColT, typename T> struct Sparse {
  std::vector<PtrT> Ptr;
  std::vector<ColT> Col;
  std::vector<T> Val, X, Y;

  /// \p Columns numbers per row in X and Y. The arrays never move while there are at most
  /// \p Room entries.
  Sparse(const Pattern &Rows, size_t Columns, Random &Engine) { assign(Rows, Columns, Engine); }

  void assign(const Pattern &Rows, size_t Columns, Random &Engine) {
    Ptr.assign(1, 0);
    Col.clear();
    for (const auto &Row : Rows) {
      for (int Column : Row)
        Col.push_back(static_cast<ColT>(Column));
      Ptr.push_back(static_cast<PtrT>(Col.size()));
    }
    Val = someNumbers<T>(Col.size(), Engine);
    X = someNumbers<T>(Rows.size() * Columns, Engine);
    Y = someNumbers<T>(Rows.size() * Columns, Engine);
  }
  PtrT rows() const { return static_cast<PtrT>(Ptr.size() - 1); }
};

#endif
