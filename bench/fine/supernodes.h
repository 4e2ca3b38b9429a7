//===- bench/fine/supernodes.h - the dense operations of a sparse factorisation ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices are dense and stored by rows. Most have few rows and columns.
#ifndef SPECRT_BENCH_FINE_SUPERNODES_H
#define SPECRT_BENCH_FINE_SUPERNODES_H

/// Computes Product = Below Top^T, where Top is the first \p Columns rows of Below.
void multiplyByTop(double *Product, const double *Below, long Height, long Columns, long Width);

/// Subtracts \p Product from the rows \p To and columns \p Across of a panel.
void subtractAt(double *Panel, long PanelWidth, const double *Product, const int *To, long Height,
                const int *Across, long Columns);

/// Factorises the top square of a panel, A = L L^T, and solves X L^T = A below it, in place.
void factorPanel(double *Panel, long Height, long Width);

/// Substitutes forward with the columns of one panel; \p X is the whole right-hand side.
void solveForward(const double *Panel, long Height, long Width, const int *Rows, double *X);

#endif
