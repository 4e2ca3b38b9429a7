//===- tests/fuzz/nest_generator.h - random loop nests ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One or two nests of up to four loops with statements at any depth: triangular, reversed and
// strided loops, guards, breaks, values kept in a scalar, subscripts that are affine or products of
// counters.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_TESTS_FUZZ_NEST_GENERATOR_H
#define SPECRT_TESTS_FUZZ_NEST_GENERATOR_H

#include "tests/fuzz/contraction_generator.h"

namespace specrt::fuzz {

/// As generateContraction, whose promises hold here too. \p Pitch is above 12.
GeneratedKernel generateNest(std::mt19937 &Random, const std::string &Name, unsigned Pitch);

/// The same for nests with work arrays, whose outermost loops may become parallel.
GeneratedKernel generateWorkArray(std::mt19937 &Random, const std::string &Name, unsigned Pitch);

} // namespace specrt::fuzz

#endif
