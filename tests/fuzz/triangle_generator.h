//===- tests/fuzz/triangle_generator.h - random nests of rows that differ in length ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nests whose rows begin and end at affine functions of the row, most of them with independent
// elements. Some read or write something in front of or behind the elements, carry sums, or have
// elements that depend on each other.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_TESTS_FUZZ_TRIANGLE_GENERATOR_H
#define SPECRT_TESTS_FUZZ_TRIANGLE_GENERATOR_H

#include "tests/fuzz/contraction_generator.h"

namespace specrt::fuzz {

/// As generateContraction, whose promises hold here too. \p Pitch is above 12.
GeneratedKernel generateTriangle(std::mt19937 &Random, const std::string &Name, unsigned Pitch);

} // namespace specrt::fuzz

#endif
