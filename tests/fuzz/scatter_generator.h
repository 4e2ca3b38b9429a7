//===- tests/fuzz/scatter_generator.h - random loops with scattered updates ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop whose iterations compute something that takes long, and then update sums and elements of
// arrays that data decide, sometimes under conditions. Some arrays are behind pointers whose values
// only the run shows; they may be those that the computation reads.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_TESTS_FUZZ_SCATTER_GENERATOR_H
#define SPECRT_TESTS_FUZZ_SCATTER_GENERATOR_H

#include "tests/fuzz/contraction_generator.h"

namespace specrt::fuzz {

/// As generateContraction, whose promises hold here too. \p Pitch is above 12.
GeneratedKernel generateScatter(std::mt19937 &Random, const std::string &Name, unsigned Pitch);

} // namespace specrt::fuzz

#endif
