//===- tests/papers/zeros/dense_kernels.h - kernels of zeros.c, to be run ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_PAPERS_ZEROS_DENSE_KERNELS_H
#define SPECRT_TESTS_PAPERS_ZEROS_DENSE_KERNELS_H

#include "structure/propagation/propagation.h"
#include "tests/papers/zeros/compiled_equations.h"

#include <functional>
#include <map>

namespace specrt {

using Arrays = std::map<std::string, std::vector<double>>;

/// A kernel of zeros.c on arrays of n^rank elements.
struct Kernel {
  const char *Name;
  std::map<std::string, unsigned> Ranks; ///< of its arrays
  long Size, Steps;
  bool FullDiagonal; ///< divisors are not zero
  std::function<void(long N, long T, Arrays &)> Run;
};

std::vector<Kernel> kernels();

/// Nonzeros of an array of \p N elements in each of \p Rank dimensions.
Boxes structureOf(const std::vector<double> &Values, long N, unsigned Rank);

/// Positive numbers and zeros; different densities by \p Seed.
Arrays randomArrays(const Kernel &K, unsigned Seed);

/// With the kernel's sizes.
DenseProgram programOf(const Kernel &K, const CompiledEquations &Of);

/// Structures of \p In by the program's arrays.
std::vector<ArrayStructure> structuresOf(const Arrays &In, const Kernel &K,
                                         const DenseProgram &Program);

} // namespace specrt

#endif
