//===- tests/fuzz/contraction_generator.h - random products of matrices -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nests around "C[i,j] = f(C[i,j], A[i,k], B[k,j])" in every order of the loops, with triangular
// and reversed loops, offsets, transposed and doubled operands, results that are operands,
// statements before and after, and accumulators: most are contractions for the specialiser, and the
// others look like it.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_TESTS_FUZZ_CONTRACTION_GENERATOR_H
#define SPECRT_TESTS_FUZZ_CONTRACTION_GENERATOR_H

#include <random>
#include <string>

namespace specrt::fuzz {

struct GeneratedKernel {
  std::string Type; ///< of the elements
  std::string Text; ///< a function of (Type *A, Type *B, Type *C, int n, int m, int p)
};

/// A function named \p Name for sizes below \p Pitch. Subscripts lie between -8 and
/// (Pitch + 8) * (Pitch + 1) * 2; integer arithmetic wraps.
GeneratedKernel generateContraction(std::mt19937 &Random, const std::string &Name, unsigned Pitch);

} // namespace specrt::fuzz

#endif
