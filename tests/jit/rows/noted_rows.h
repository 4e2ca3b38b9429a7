//===- tests/jit/rows/noted_rows.h - an incomplete factorisation, which makes notes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_JIT_ROWS_NOTED_ROWS_H
#define SPECRT_TESTS_JIT_ROWS_NOTED_ROWS_H

#include "tests/jit/rows/kernel.h"
#include <vector>

extern "C" void incomplete(int, const int *, const int *, const int *, int, int *, double *);

/// Stays where it is, so that tables serve later calls. \p Value everywhere.
template <typename T> std::vector<T> &lasting(size_t Size, T Value) {
  static std::vector<T> Room;
  Room.reserve(1 << 16);
  Room.assign(Size, Value);
  return Room;
}

/// Where each row begins to be one of the upper triangle.
inline std::vector<int> &diagonals(const Sparse<int, int, double> &A) {
  static std::vector<int> Found;
  Found.reserve(1 << 16);
  Found.clear();
  for (int I = 0; I < A.rows(); ++I) {
    int P = A.Ptr[size_t(I)];
    while (P < A.Ptr[size_t(I) + 1] && A.Col[size_t(P)] < I)
      ++P;
    Found.push_back(P);
  }
  return Found;
}

/// Results, then what is left in the notes.
inline auto incompleteFactorisation() {
  using Plain = Sparse<int, int, double>;
  return rowKernel<Plain>("incomplete", &incomplete, [](decltype(&incomplete) F, Plain &A) {
    std::vector<int> &Where = lasting(size_t(A.rows()), -1);
    A.Y = A.Val;
    A.Y.push_back(1); // of rows without a diagonal
    F(A.rows(), A.Ptr.data(), A.Col.data(), diagonals(A).data(), -1, Where.data(), A.Y.data());
    A.Y.insert(A.Y.end(), Where.begin(), Where.end());
  });
}

#endif
