//===- tests/fuzz/sweep_generator.h - random sweeps over grids ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop over planes with one to three loops over rows in it, whose statements read neighbours of
// what they write: in planes and rows before, as in Gauss-Seidel and dynamic programmes, and now
// and then behind; some rows and planes overlap.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_TESTS_FUZZ_SWEEP_GENERATOR_H
#define SPECRT_TESTS_FUZZ_SWEEP_GENERATOR_H

#include "tests/fuzz/contraction_generator.h"

namespace specrt::fuzz {

/// As generateContraction, whose promises hold here too. \p Pitch is above 12.
GeneratedKernel generateSweep(std::mt19937 &Random, const std::string &Name, unsigned Pitch);

} // namespace specrt::fuzz

#endif
