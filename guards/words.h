//===- guards/words.h - arguments, values and ranges as people write them -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What descriptions of guards, reports, dumps and the names of generated functions are made of.
// Thread-safe.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_GUARDS_WORDS_H
#define SPECRT_GUARDS_WORDS_H

#include "guards/address.h"
#include "specrt/abi.h"
#include "specrt/facts.h"
#include <string>

namespace specrt {

/// The bytes of the range, in words: "A[0, 8*n)"; "A[?, ?)" when they are unknown.
std::string describe(const RangeView &Range, const specrt_region &Region);
inline std::string describe(const specrt_range &Range, const specrt_region &Region) {
  return describe(viewOf(Range), Region);
}

/// "A", "*(s + 8)", the name of a symbol.
std::string describe(const specrt_base &Base, const specrt_region &Region);

/// "8*n + 16"; "?" when it is unknown.
std::string describe(PolynomialView Polynomial, const specrt_region &Region);

/// The bytes of the cell, in words: "the 4 bytes at s + 8".
std::string describe(const specrt_cell &Cell, const specrt_region &Region);

/// A packed value as the source would write it: "-3", "0.5", "0x7f00...".
std::string describeValue(uint8_t Kind, uint64_t Packed);
/// The same for a value of the argument.
std::string describeValue(const specrt_region &Region, uint32_t Argument, uint64_t Packed);

/// The argument's source name, or what it is: "1st array", "size 2".
std::string argumentName(const specrt_region &Region, uint32_t Argument);

/// The arguments that \p Facts (one per argument, or null) make constant: "n=64,alpha=0.5", in the
/// order of the arguments, without spaces; "..." stands for those that would make it longer than
/// MaxLabel characters. "" when there are none.
std::string labelOfConstants(const specrt_region &Region, const specrt_fact *Facts);

constexpr unsigned MaxLabel = 64;

/// "jacobi(int)" for a symbol of C++, anything else as it is; names of loops that compilers made
/// functions of are those of their functions: "jacobi (OpenMP loop)".
std::string demangled(const std::string &Symbol);

/// What people call the region: "Heat::step:10, inlined into main". Its name where the compiler did
/// not say.
std::string titleOf(const specrt_region &Region);

/// The title without what it was inlined into: for names of functions.
std::string shortTitleOf(const specrt_region &Region);

} // namespace specrt

#endif
