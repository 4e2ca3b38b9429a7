//===- bench/storage/grid.cpp - matrices of grids and others, stored densely ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "grid.h"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <random>

namespace bench {
namespace {

/// Numbers the points of a rectangle: both halves first, then the line that separates them.
class Dissection {
public:
  explicit Dissection(long Side) : Side(Side), Numbers(static_cast<std::size_t>(Side * Side)) {
    number(0, Side, 0, Side);
  }
  long of(long X, long Y) const { return Numbers[static_cast<std::size_t>(X * Side + Y)]; }

private:
  void number(long FromX, long ToX, long FromY, long ToY) {
    const long Width = ToX - FromX, Height = ToY - FromY;
    if (Width <= 0 || Height <= 0)
      return;
    if (Width * Height <= 4) {
      addAll(FromX, ToX, FromY, ToY);
    } else if (Width >= Height) {
      const long Middle = (FromX + ToX) / 2;
      number(FromX, Middle, FromY, ToY);
      number(Middle + 1, ToX, FromY, ToY);
      addAll(Middle, Middle + 1, FromY, ToY);
    } else {
      const long Middle = (FromY + ToY) / 2;
      number(FromX, ToX, FromY, Middle);
      number(FromX, ToX, Middle + 1, ToY);
      addAll(FromX, ToX, Middle, Middle + 1);
    }
  }
  void addAll(long FromX, long ToX, long FromY, long ToY) {
    for (long X = FromX; X < ToX; ++X)
      for (long Y = FromY; Y < ToY; ++Y)
        Numbers[static_cast<std::size_t>(X * Side + Y)] = Next++;
  }

  const long Side;
  std::vector<long> Numbers;
  long Next = 0;
};

} // namespace

std::vector<double> gridMatrix(long Side, double Shift) {
  const long N = Side * Side;
  std::vector<double> A(static_cast<std::size_t>(N * N));
  const Dissection Order(Side);
  const auto Couple = [&](long I, long X, long Y) {
    if (X >= 0 && X < Side && Y >= 0 && Y < Side)
      A[static_cast<std::size_t>(I * N + Order.of(X, Y))] = -1;
  };
  for (long X = 0; X < Side; ++X)
    for (long Y = 0; Y < Side; ++Y) {
      const long I = Order.of(X, Y);
      A[static_cast<std::size_t>(I * N + I)] = 4.01;
      Couple(I, X - 1, Y);
      Couple(I, X + 1, Y);
      Couple(I, X, Y - 1);
      Couple(I, X, Y + 1);
    }
  A[0] += Shift;
  return A;
}

std::vector<double> bandMatrix(long N, long HalfWidth) {
  std::vector<double> A(static_cast<std::size_t>(N * N));
  for (long I = 0; I < N; ++I)
    for (long J = std::max(0L, I - HalfWidth); J < std::min(N, I + HalfWidth + 1); ++J)
      A[static_cast<std::size_t>(I * N + J)] =
          I == J ? 4.0 : 1.0 / static_cast<double>(HalfWidth + std::abs(I - J));
  return A;
}

std::vector<double> randomMatrix(long N, unsigned Percent) {
  std::vector<double> A(static_cast<std::size_t>(N * N));
  std::minstd_rand Numbers(1);
  for (long I = 0; I < N; ++I)
    for (long J = 0; J < N; ++J) {
      const std::uint32_t Number = Numbers();
      if (I == J)
        A[static_cast<std::size_t>(I * N + J)] = 2.0;
      else if (Number / 7 % 100 < Percent)
        A[static_cast<std::size_t>(I * N + J)] =
            static_cast<double>(Number % 1000 + 1) / (1000.0 * static_cast<double>(N));
    }
  return A;
}

std::vector<double> factorsOf(std::vector<double> A, long N) {
  const auto At = [&](long I, long J) -> double & {
    return A[static_cast<std::size_t>(I * N + J)];
  };
  for (long K = 0; K < N; ++K)
    for (long I = K + 1; I < N; ++I) {
      if (At(I, K) == 0)
        continue;
      At(I, K) /= At(K, K);
      for (long J = K + 1; J < N; ++J)
        At(I, J) -= At(I, K) * At(K, J);
    }
  return A;
}

} // namespace bench
