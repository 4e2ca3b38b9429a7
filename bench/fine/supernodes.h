//===- bench/fine/supernodes.h - the dense operations of a sparse factorisation ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices are stored by rows, one behind the other. Most are of a few rows and columns.
#ifndef SPECRT_BENCH_FINE_SUPERNODES_H
#define SPECRT_BENCH_FINE_SUPERNODES_H

/// Product = Below Top^T, where Top is the first \p Columns of the \p Height rows of Below.
void multiplyByTop(double *Product, const double *Below, long Height, long Columns, long Width);

/// Subtracts what \p Product has for the rows \p To and columns \p Across of a panel.
void subtractAt(double *Panel, long PanelWidth, const double *Product, const int *To, long Height,
                const int *Across, long Columns);

/// A = L L^T for the square on top of a panel, and X L^T = A for what is below.
void factorPanel(double *Panel, long Height, long Width);

/// X L^T = Right for one row, and what it takes from rows that come later.
void solveForward(const double *Panel, long Height, long Width, const int *Rows, double *X);

#endif
