//===- bench/sparse/sparse.cpp - matrices, clock and outcome of the sparse programs ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sparse.h"
#include "sparse_matrices.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace bench {

Matrix matrixArgument(int Argc, char **Argv, int Index) {
  if (Index >= Argc)
    example::fail(std::string("a matrix is missing: ") + example::MatrixHelp);
  example::CsrMatrix A = example::squareMatrix(Argv[Index]);
  return {A.Rows, std::move(A.RowStart), std::move(A.Column), std::move(A.Value)};
}

namespace {

/// Returns the entries of \p A for which Keep(row, column) holds.
template <typename F> Matrix filtered(const Matrix &A, const F &Keep) {
  Matrix Result{A.Rows, {0}, {}, {}};
  for (long I = 0; I < A.Rows; ++I) {
    for (int K = A.RowStart[I]; K < A.RowStart[I + 1]; ++K)
      if (Keep(I, A.Column[K])) {
        Result.Column.push_back(A.Column[K]);
        Result.Value.push_back(A.Value[K]);
      }
    Result.RowStart.push_back(static_cast<int>(Result.Column.size()));
  }
  return Result;
}

/// Returns a matrix with these columns, sorted, and zeros as values.
Matrix fromLists(std::vector<std::vector<int>> Lists) {
  Matrix Result{static_cast<long>(Lists.size()), {0}, {}, {}};
  for (std::vector<int> &Row : Lists) {
    std::sort(Row.begin(), Row.end());
    Result.Column.insert(Result.Column.end(), Row.begin(), Row.end());
    Result.RowStart.push_back(static_cast<int>(Result.Column.size()));
  }
  Result.Value.assign(Result.Column.size(), 0.0);
  return Result;
}

} // namespace

Matrix lowerTriangle(const Matrix &A) {
  return filtered(A, [](long I, long J) { return J <= I; });
}

Matrix upperTriangle(const Matrix &A) {
  return filtered(A, [](long I, long J) { return J >= I; });
}

Matrix transposed(const Matrix &A) {
  Matrix Result{A.Rows, std::vector<int>(A.Rows + 1), std::vector<int>(A.Column.size()),
                std::vector<double>(A.Column.size())};
  for (int J : A.Column)
    ++Result.RowStart[J + 1];
  for (long I = 0; I < A.Rows; ++I)
    Result.RowStart[I + 1] += Result.RowStart[I];
  std::vector<int> Next(Result.RowStart.begin(), Result.RowStart.end() - 1);
  for (long I = 0; I < A.Rows; ++I)
    for (int K = A.RowStart[I]; K < A.RowStart[I + 1]; ++K) {
      const int To = Next[A.Column[K]]++;
      Result.Column[To] = static_cast<int>(I);
      Result.Value[To] = A.Value[K];
    }
  return Result;
}

Matrix productPattern(const Matrix &A, const Matrix &B) {
  std::vector<std::vector<int>> Lists(A.Rows);
  std::vector<long> Seen(B.Rows, -1);
  for (long I = 0; I < A.Rows; ++I)
    for (int K = A.RowStart[I]; K < A.RowStart[I + 1]; ++K)
      for (int L = B.RowStart[A.Column[K]]; L < B.RowStart[A.Column[K] + 1]; ++L)
        if (Seen[B.Column[L]] != I) {
          Seen[B.Column[L]] = I;
          Lists[I].push_back(B.Column[L]);
        }
  return fromLists(std::move(Lists));
}

// Row I of L contains the nodes of a path in the elimination tree for each entry of A's row I.
Matrix withFill(const Matrix &A) {
  std::vector<std::vector<int>> Lists(A.Rows);
  std::vector<long> Parent(A.Rows, -1), Seen(A.Rows, -1);
  for (long I = 0; I < A.Rows; ++I) {
    Seen[I] = I;
    Lists[I].push_back(static_cast<int>(I));
    for (int K = A.RowStart[I]; K < A.RowStart[I + 1]; ++K)
      for (long J = A.Column[K]; J < I && Seen[J] != I; J = Parent[J]) {
        Seen[J] = I;
        if (Parent[J] < 0)
          Parent[J] = I;
        Lists[I].push_back(static_cast<int>(J));
        Lists[J].push_back(static_cast<int>(I));
      }
  }
  Matrix Result = fromLists(std::move(Lists));
  Result.Value = scatteredInto(Result, A);
  return Result;
}

std::vector<int> diagonals(const Matrix &A) {
  std::vector<int> Result(A.Rows);
  for (long I = 0; I < A.Rows; ++I)
    for (int K = A.RowStart[I]; K < A.RowStart[I + 1]; ++K)
      if (A.Column[K] == I)
        Result[I] = K;
  return Result;
}

PointerRows pointerRows(const Matrix &A) {
  PointerRows P;
  for (long I = 0; I < A.Rows; ++I) {
    const int First = A.RowStart[I], End = A.RowStart[I + 1];
    P.Columns.emplace_back(A.Column.begin() + First, A.Column.begin() + End);
    P.Values.emplace_back(A.Value.begin() + First, A.Value.begin() + End);
    P.Length.push_back(End - First);
    P.Column.push_back(P.Columns.back().data());
    P.Value.push_back(P.Values.back().data());
  }
  return P;
}

std::vector<double> scatteredInto(const Matrix &F, const Matrix &A) {
  std::vector<double> Result(F.Column.size()), Row(F.Rows);
  for (long I = 0; I < F.Rows; ++I) {
    for (int K = A.RowStart[I]; K < A.RowStart[I + 1]; ++K)
      Row[A.Column[K]] = A.Value[K];
    for (int K = F.RowStart[I]; K < F.RowStart[I + 1]; ++K)
      Result[K] = Row[F.Column[K]];
    for (int K = A.RowStart[I]; K < A.RowStart[I + 1]; ++K)
      Row[A.Column[K]] = 0.0;
  }
  return Result;
}

void Calls::print(const std::vector<double> &Result, Work OfOne) const {
  std::vector<double> Later(Seconds.begin() + static_cast<long>(Seconds.size() / 2), Seconds.end());
  std::nth_element(Later.begin(), Later.begin() + static_cast<long>(Later.size() / 2), Later.end());
  double Norm = 0.0;
  for (double Component : Result)
    Norm += Component * Component;
  std::printf("{\"seconds\": %.9f, \"steady\": %.9f, \"calls\": %zu, \"bytes\": %.0f, "
              "\"operations\": %.0f, \"norm\": %.12e, \"checksum\": \"%016llx\"}\n",
              std::accumulate(Seconds.begin(), Seconds.end(), 0.0), Later[Later.size() / 2],
              Seconds.size(), OfOne.Bytes, OfOne.Operations, std::sqrt(Norm),
              static_cast<unsigned long long>(checksum(Result)));
}

} // namespace bench
