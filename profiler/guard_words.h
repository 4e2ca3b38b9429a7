//===- profiler/guard_words.h - guards and values as people write them ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What reports, dumps and the names of generated functions say about guards. A library of its own
// without anything else, because libspecrt.so and libspecrt-jit.so both link it. Thread-safe.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_GUARD_WORDS_H
#define SPECRT_PROFILER_GUARD_WORDS_H

#include "jit/jit_api.h"
#include <string>

namespace specrt {

/// What the guard demands, in words: "n == 1000", "A[0, 8*n) and B[0, 8*n) do not overlap".
std::string describe(const specrt_guard &Guard, const specrt_region &Region);

/// The bytes of the range, in words: "A[0, 8*n)"; "A[?, ?)" when they are unknown.
std::string describe(const specrt_range &Range, const specrt_region &Region);

/// A packed value as the source would write it: "-3", "0.5", "0x7f00...".
std::string describeValue(uint8_t Kind, uint64_t Packed);

/// The argument's source name, or "arg3".
std::string argumentName(const specrt_region &Region, uint32_t Argument);

/// The arguments that \p Facts (one per argument, or null) make constant: "n=64,alpha=0.5", in the
/// order of the arguments, without spaces; "..." stands for those that would make it longer than
/// MaxLabel characters. "" when there are none.
std::string labelOfConstants(const specrt_region &Region, const specrt_fact *Facts);

constexpr unsigned MaxLabel = 64;

} // namespace specrt

#endif
