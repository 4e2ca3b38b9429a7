//===- tests/fuzz/condition_generator.h - random work arrays under conditions ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_FUZZ_CONDITION_GENERATOR_H
#define SPECRT_TESTS_FUZZ_CONDITION_GENERATOR_H

#include "tests/fuzz/contraction_generator.h"

namespace specrt::fuzz {

/// As generateContraction, whose promises hold here too, for nests whose iterations write work
/// arrays and variables under conditions. Some conditions hold for all data of a test, some for
/// none, others for most.
GeneratedKernel generateConditions(std::mt19937 &Random, const std::string &Name, unsigned Pitch);

} // namespace specrt::fuzz

#endif
