//===- guards/words.h - describes arguments, values and ranges in words ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptions of guards, reports, dumps and the names of generated functions consist of these
// texts. All functions are thread-safe.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_GUARDS_WORDS_H
#define SPECRT_GUARDS_WORDS_H

#include "guards/address.h"
#include "specrt/abi.h"
#include "specrt/facts.h"
#include <string>

namespace specrt {

/// Returns the bytes of the range in words: "A[0, 8*n)"; "A[?, ?)" when they are unknown.
std::string describe(const RangeView &Range, const specrt_region &Region);
inline std::string describe(const specrt_range &Range, const specrt_region &Region) {
  return describe(viewOf(Range), Region);
}

/// Returns "A", "*(s + 8)" or the name of a symbol.
std::string describe(const specrt_base &Base, const specrt_region &Region);

/// Returns for example "8*n + 16"; "?" when it is unknown.
std::string describe(PolynomialView Polynomial, const specrt_region &Region);

/// Returns the bytes of the cell in words: "the 4 bytes at s + 8".
std::string describe(const specrt_cell &Cell, const specrt_region &Region);

/// Returns a packed value as the source would write it: "-3", "0.5", "0x7f00...".
std::string describeValue(uint8_t Kind, uint64_t Packed);
/// Returns a packed value of the argument as the source would write it.
std::string describeValue(const specrt_region &Region, uint32_t Argument, uint64_t Packed);

/// Returns the argument's source name, or a description if it has none: "1st array", "size 2".
std::string argumentName(const specrt_region &Region, uint32_t Argument);

/// Returns the arguments that \p Facts (one per argument, or null) make constant: "n=64,alpha=0.5",
/// in the order of the arguments, without spaces. "..." replaces those that would make it longer
/// than MaxLabel characters. Returns "" when there are none.
std::string labelOfConstants(const specrt_region &Region, const specrt_fact *Facts);

constexpr unsigned MaxLabel = 64;

/// Returns "jacobi(int)" for a C++ symbol, and other names unchanged. A function that the compiler
/// made of an OpenMP loop has the name of its source function: "jacobi (OpenMP loop)".
std::string demangled(const std::string &Symbol);

/// Returns the region's title for people: "Heat::step:10, inlined into main". Returns its name
/// where the descriptor has no title.
std::string titleOf(const specrt_region &Region);

/// Returns the title without the function that it was inlined into, for names of functions.
std::string shortTitleOf(const specrt_region &Region);

} // namespace specrt

#endif
