//===- bench/zeros/zeros.h - dense arrays that are mostly zero ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang compiles these functions, and the clock of bench/sparse, for both builds of a program.
#ifndef SPECRT_BENCH_ZEROS_ZEROS_H
#define SPECRT_BENCH_ZEROS_ZEROS_H

#include "sparse.h"
#include <string>

namespace bench {

/// The values of the arguments PATTERN PERCENT CALLS.
struct ZerosCase {
  std::string Pattern; ///< random, banded, block, diagonal, arrow
  double Density;      ///< 0 to 1
  long Calls;
  long N; ///< of the program
};
ZerosCase zerosCase(int Argc, char **Argv, long N);

/// Returns an N x N matrix by rows, zero outside of the pattern. In each row the sum of absolute
/// values is less than 1.
std::vector<double> matrixOf(const ZerosCase &Case);

} // namespace bench

#endif
