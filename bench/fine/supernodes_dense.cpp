//===- bench/fine/supernodes_dense.cpp - the dense operations of supernodes.cpp ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "supernodes.h"
#include <cmath>

void multiplyByTop(double *Product, const double *Below, long Height, long Columns, long Width) {
  for (long I = 0; I < Height; ++I)
    for (long J = 0; J < Columns; ++J) {
      double Sum = 0;
      for (long K = 0; K < Width; ++K)
        Sum += Below[I * Width + K] * Below[J * Width + K];
      Product[I * Columns + J] = Sum;
    }
}

void subtractAt(double *Panel, long PanelWidth, const double *Product, const int *To, long Height,
                const int *Across, long Columns) {
  for (long I = 0; I < Height; ++I)
    for (long J = 0; J < Columns; ++J)
      Panel[To[I] * PanelWidth + Across[J]] -= Product[I * Columns + J];
}

void factorPanel(double *Panel, long Height, long Width) {
  for (long K = 0; K < Width; ++K) {
    const double Pivot = std::sqrt(Panel[K * Width + K]);
    Panel[K * Width + K] = Pivot;
    for (long I = K + 1; I < Height; ++I)
      Panel[I * Width + K] /= Pivot;
    for (long J = K + 1; J < Width; ++J)
      for (long I = J; I < Height; ++I)
        Panel[I * Width + J] -= Panel[I * Width + K] * Panel[J * Width + K];
  }
}

void solveForward(const double *Panel, long Height, long Width, const int *Rows, double *X) {
  for (long K = 0; K < Width; ++K) {
    const double Value = X[Rows[K]] / Panel[K * Width + K];
    X[Rows[K]] = Value;
    for (long I = K + 1; I < Height; ++I)
      X[Rows[I]] -= Panel[I * Width + K] * Value;
  }
}
