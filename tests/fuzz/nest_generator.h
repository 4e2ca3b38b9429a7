//===- tests/fuzz/nest_generator.h - random loop nests as C source
//------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A generated program has a number of kernels and calls each with several sizes and several
// placements of its arrays: apart, halves of one buffer, the same array twice, overlapping by a few
// elements. After each series of calls it prints a checksum of all memory the kernel can reach. The
// same seed gives the same program.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_TESTS_FUZZ_NEST_GENERATOR_H
#define SPECRT_TESTS_FUZZ_NEST_GENERATOR_H

#include <string>

namespace specrt::fuzz {

/// The source of a complete program with \p NumKernels kernels. Every access stays in bounds and
/// integer arithmetic does not overflow, so that the program has exactly one result.
std::string generateProgram(unsigned Seed, unsigned NumKernels);

} // namespace specrt::fuzz

#endif
