//===- examples/spmm.cpp - features that spread along the edges of a graph ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each layer computes for every node the mean of its neighbours' features, weighted by the edges,
// and replaces negative values by 0: X = max(0, A X). The graph is stored as compressed rows, or as
// rows that each have their own arrays.
#include "pointer_rows.h"
#include "sparse_matrices.h"

using namespace example;

/// Computes Y = A X, where a node has \p Features numbers, one after another.
EXAMPLE_KERNEL void spread(const CsrMatrix &A, long Features, const std::vector<double> &X,
                           std::vector<double> &Y) {
  for (long i = 0; i < A.Rows; ++i) {
    for (long f = 0; f < Features; ++f)
      Y[i * Features + f] = 0.0;
    for (int k = A.RowStart[i]; k < A.RowStart[i + 1]; ++k)
      for (long f = 0; f < Features; ++f)
        Y[i * Features + f] += A.Value[k] * X[A.Column[k] * Features + f];
  }
}

/// Computes the same if the features of node i are at X[i].
EXAMPLE_KERNEL void spread(long Nodes, long Features, const int *Length, int *const *Column,
                           double *const *Value, double *const *X, double **Y) {
  for (long i = 0; i < Nodes; ++i) {
    for (long f = 0; f < Features; ++f)
      Y[i][f] = 0.0;
    for (int k = 0; k < Length[i]; ++k)
      for (long f = 0; f < Features; ++f)
        Y[i][f] += Value[i][k] * X[Column[i][k]][f];
  }
}

EXAMPLE_KERNEL void cutNegative(std::vector<double> &X) {
  for (size_t i = 0; i < X.size(); ++i)
    X[i] = X[i] > 0.0 ? X[i] : 0.0;
}

/// Scales each row so that its weights add up to one, and makes them positive.
static void normalise(CsrMatrix &A) {
  for (long i = 0; i < A.Rows; ++i) {
    double Sum = 0.0;
    for (int k = A.RowStart[i]; k < A.RowStart[i + 1]; ++k)
      Sum += std::abs(A.Value[k]);
    for (int k = A.RowStart[i]; k < A.RowStart[i + 1]; ++k)
      A.Value[k] = Sum > 0.0 ? std::abs(A.Value[k]) / Sum : 0.0;
  }
}

static std::vector<double *> pointers(std::vector<double> &X, long Features) {
  std::vector<double *> Result;
  for (size_t i = 0; i < X.size(); i += Features)
    Result.push_back(&X[i]);
  return Result;
}

int main(int Argc, char **Argv) {
  long Features = 64, Layers = 3, Repeat = 50;
  std::string Input = "powerlaw:4000", Storage = "compressed", Output;
  CommandLine Line("spmm", "features that spread along the edges of a graph");
  Line.option("matrix", MatrixHelp, Input);
  Line.option("features", "numbers for each node", Features, 1, 100000);
  Line.option("layers", "how far they spread", Layers, 1, 1000);
  Line.option("repeat", "how often", Repeat, 1, 1000000);
  Line.option("rows", RowsHelp, Storage);
  Line.option("output", "file for the features as raw doubles", Output);
  Line.parse(Argc, Argv);
  const bool HasPointers = arePointers(Storage);

  CsrMatrix A = squareMatrix(Input);
  if (A.Rows > 1000000000 / Features)
    fail("so many features of so many nodes do not fit into 8 GB");
  normalise(A);
  const PointerRows Pointers(A);
  Random Numbers(3);
  std::vector<double> First(A.Rows * Features);
  for (double &One : First)
    One = Numbers.next();

  Stopwatch Watch;
  Watch.start();
  std::vector<double> X, Y(First.size());
  for (long I = 0; I < Repeat; ++I) {
    X = First;
    for (long L = 0; L < Layers; ++L) {
      if (!HasPointers)
        spread(A, Features, X, Y);
      else
        spread(A.Rows, Features, Pointers.Length.data(), Pointers.Column.data(),
               Pointers.Value.data(), pointers(X, Features).data(), pointers(Y, Features).data());
      cutNegative(Y);
      std::swap(X, Y);
    }
  }
  Watch.stop();

  std::printf("nodes=%ld edges=%zu features=%ld\n", A.Rows, A.Value.size(), Features);
  Checksum Sum;
  Sum.add(X);
  writeFile(Output, "", X.data(), X.size() * sizeof(double));
  report(Sum, Watch);
}
