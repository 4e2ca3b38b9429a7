//===- bench/storage/grid.h - the matrix of a grid, stored densely ------===//
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

/// The factors of \p A, N x N, without pivots, both in one matrix: the diagonal of the lower one is
/// 1. Skips operations with zeros.
std::vector<double> factorsOf(std::vector<double> A, long N);

} // namespace bench

#endif
