//===- tests/jit/rows/regular_rows.h - matrices with regular rows, and changes of them ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_JIT_ROWS_REGULAR_ROWS_H
#define SPECRT_TESTS_JIT_ROWS_REGULAR_ROWS_H

#include "tests/jit/rows/sparse_rows.h"
#include "tests/polyhedral/guarded_memory.h"

#include <memory>
#include <utility>

/// At the end of memory, or where it begins.
template <typename T> class AtTheEnd {
public:
  void assign(const std::vector<T> &From, specrt::Side Where = specrt::Side::End) {
    Memory = std::make_unique<specrt::GuardedArray>(
        specrt::GuardedArray::dense(From.size() * sizeof(T), Where));
    Size = From.size();
    std::copy(From.begin(), From.end(), data());
  }
  T *data() const { return static_cast<T *>(Memory->data()); }
  T &operator[](size_t I) const { return data()[I]; }
  size_t size() const { return Size; }

private:
  std::unique_ptr<specrt::GuardedArray> Memory;
  size_t Size = 0;
};

inline Pattern grid3Pattern(int Width, int Height, int Depth) {
  Pattern Rows;
  for (int Z = 0; Z < Depth; ++Z)
    for (int Y = 0; Y < Height; ++Y)
      for (int X = 0; X < Width; ++X) {
        const int I = (Z * Height + Y) * Width + X;
        std::vector<int> &Row = Rows.emplace_back();
        for (const auto [Is, Column] :
             {std::pair(Z > 0, I - Width * Height), std::pair(Y > 0, I - Width),
              std::pair(X > 0, I - 1), std::pair(true, I), std::pair(X + 1 < Width, I + 1),
              std::pair(Y + 1 < Height, I + Width), std::pair(Z + 1 < Depth, I + Width * Height)})
          if (Is)
            Row.push_back(Column);
      }
  return Rows;
}

/// Each entry becomes a block of \p Size times \p Size.
inline Pattern inBlocks(const Pattern &Of, int Size) {
  Pattern Rows;
  for (const std::vector<int> &Row : Of) {
    std::vector<int> Wide;
    for (const int Column : Row)
      for (int I = 0; I < Size; ++I)
        Wide.push_back(Column * Size + I);
    Rows.insert(Rows.end(), static_cast<size_t>(Size), Wide);
  }
  return Rows;
}

/// Rows of equal length, some of which have columns in no order.
inline Pattern mixedPattern(int Size) {
  Random Engine(11);
  Pattern Rows = bandPattern(Size, 1);
  for (int I = 0; I < Size; ++I)
    for (int &Column : Rows[size_t(I)])
      if (I % 160 < 10 + I / 160)
        Column = upTo(Engine, Size - 1);
  return Rows;
}

/// What classes are learned from, and what most rows look like.
inline Pattern regularPattern(int Kind, int Scale) {
  switch (Kind) {
  case 0:
    return gridPattern(20 * Scale, 25 * Scale);
  case 1:
    return grid3Pattern(12 * Scale, 5 * Scale, 8);
  case 2:
    return inBlocks(gridPattern(12 * Scale, 14 * Scale), 3);
  case 3:
    return inBlocks(gridPattern(10 * Scale, 8 * Scale), 6);
  case 4:
    return bandPattern(500 * Scale * Scale, 2);
  case 5:
    return mixedPattern(500 * Scale * Scale);
  default:
    return bandPattern(500 * Scale * Scale, 0);
  }
}
inline constexpr int NumPatterns = 7;

/// Some of them are changed, some very much.
inline Pattern changed(Pattern Rows, Random &Engine) {
  const int Size = static_cast<int>(Rows.size());
  switch (upTo(Engine, 9)) {
  case 0:
    std::shuffle(Rows.begin(), Rows.end(), Engine);
    break;
  case 1: // of unequal length
    for (auto &Row : Rows)
      Row.resize(Row.size() - size_t(upTo(Engine, 9) == 0 && !Row.empty()));
    break;
  case 2: // shorter rows at the end
    for (size_t I = Rows.size() - 1 - size_t(upTo(Engine, 300)); I < Rows.size(); ++I)
      Rows[I].resize(Rows[I].size() / 2);
    break;
  case 3:
    Rows = evenPattern(Size, 3, Engine);
    break;
  default:
    for (int Changes = upTo(Engine, 4); Changes > 0; --Changes) {
      auto &Row =
          Rows[size_t(upTo(Engine, 3) == 0 ? Size - 1 - upTo(Engine, 9) : upTo(Engine, Size - 1))];
      switch (upTo(Engine, 4)) {
      case 0:
        Row.clear();
        break;
      case 1:
        Row.push_back(upTo(Engine, Size - 1));
        break;
      case 2:
        std::reverse(Row.begin(), Row.end());
        break;
      case 3:
        for (int I = upTo(Engine, Size - 1), E = std::min(Size, I + 40); I < E; ++I)
          Rows[size_t(I)].clear();
        break;
      default:
        if (!Row.empty())
          Row[size_t(upTo(Engine, int(Row.size()) - 1))] = upTo(Engine, Size - 1);
      }
    }
  }
  return Rows;
}

template <typename PtrT, typename ColT> struct Arrays {
  AtTheEnd<PtrT> Ptr;
  AtTheEnd<ColT> Col;
  std::vector<double> Val, X, Y;
  specrt::Side Where = specrt::Side::End;

  /// \p Shift is added to all columns.
  void assign(const Pattern &Rows, int64_t Shift = 0) {
    std::vector<PtrT> Starts = {0};
    std::vector<ColT> Columns;
    for (const auto &Row : Rows) {
      for (const int Column : Row)
        Columns.push_back(static_cast<ColT>(Column + Shift));
      Starts.push_back(static_cast<PtrT>(Columns.size()));
    }
    Ptr.assign(Starts, Where);
    Col.assign(Columns, Where);
    Val.resize(Columns.size());
    for (size_t I = 0; I < Val.size(); ++I)
      Val[I] = double(I % 31) - 11;
    X.resize(4 * Rows.size() + 8);
    for (size_t I = 0; I < X.size(); ++I)
      X[I] = double(I % 17) * 0.5;
    Y.assign(4 * Rows.size() + 8, 0);
  }
  PtrT rows() const { return static_cast<PtrT>(Ptr.size() - 1); }

  /// A column, or where a row begins.
  void change(Random &Engine) {
    const auto Near = [&](size_t Size) {
      return upTo(Engine, 2) == 0
                 ? Size - 1 - size_t(upTo(Engine, int(std::min<size_t>(Size, 9)) - 1))
                 : size_t(upTo(Engine, int(Size) - 1));
    };
    if (Col.size() > 0 && upTo(Engine, 1) == 0) {
      ColT &Some = Col[Near(Col.size())];
      Some = Col[Near(Col.size())];
    } else if (const size_t I = Near(Ptr.size()); I > 0 && Ptr[I] > Ptr[I - 1]) {
      --Ptr[I];
    }
  }
};

#endif
