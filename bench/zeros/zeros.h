//===- bench/zeros/zeros.h - dense arrays that are mostly zero ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled by clang for both builds of a program, like the clock, which is that of bench/sparse.
#ifndef SPECRT_BENCH_ZEROS_ZEROS_H
#define SPECRT_BENCH_ZEROS_ZEROS_H

#include "sparse.h"
#include <string>

namespace bench {

/// What the arguments PATTERN PERCENT CALLS say.
struct ZerosCase {
  std::string Pattern; ///< random, banded, block, diagonal, arrow
  double Density;      ///< 0 to 1
  long Calls;
  long N; ///< of the program
};
ZerosCase zerosCase(int Argc, char **Argv, long N);

/// N x N by rows, zero outside of the pattern. The sum of a row's absolute values is less than 1.
std::vector<double> matrixOf(const ZerosCase &Case);

} // namespace bench

#endif
