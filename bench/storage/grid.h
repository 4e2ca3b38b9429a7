//===- bench/storage/grid.h - matrices of grids and others, stored densely ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang compiles these functions for both builds of a program.
#ifndef SPECRT_BENCH_STORAGE_GRID_H
#define SPECRT_BENCH_STORAGE_GRID_H

#include <vector>

namespace bench {

/// The five-point matrix of a square grid of \p Side x \p Side points, N x N by rows with N = Side
/// squared, its unknowns in the order of nested dissection. Diagonally dominant; \p Shift is added
/// to the first diagonal element.
std::vector<double> gridMatrix(long Side, double Shift);

/// A diagonally dominant matrix, N x N by rows, with \p HalfWidth diagonals on each side of the
/// main one, so that about 2 * HalfWidth / N of its elements are nonzero.
std::vector<double> bandMatrix(long N, long HalfWidth);

/// A diagonally dominant matrix, N x N by rows, of whose other elements \p Percent are nonzero, at
/// pseudorandom places.
std::vector<double> randomMatrix(long N, unsigned Percent);

/// The factors of \p A, N x N, without pivots, both in one matrix: the diagonal of the lower one is
/// 1. Skips operations with zeros.
std::vector<double> factorsOf(std::vector<double> A, long N);

} // namespace bench

#endif
