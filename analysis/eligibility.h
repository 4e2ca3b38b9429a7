//===- analysis/eligibility.h - code that cannot be compiled once more ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds properties that rule out a second version of code: of a loop nest that the plugin would
// outline, or of a function that is wrapped at run time. Reasons are phrases that continue "it" or
// "the function".
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_ANALYSIS_ELIGIBILITY_H
#define SPECRT_ANALYSIS_ELIGIBILITY_H

#include <string>

namespace llvm {
class Constant;
class Function;
class Instruction;
} // namespace llvm

namespace specrt {

/// Functions with more instructions do not become part of the nests that call them. Line solvers
/// eliminate blocks of 5 x 5 in functions of some hundred instructions.
inline constexpr unsigned MaxCalleeInstructions = 1000;

/// Returns a phrase that continues "it", such as "contains inline assembly"; "" if \p I can be
/// compiled again.
std::string reasonAgainst(const llvm::Instruction &I);

/// Returns a phrase that continues "the function", such as "is naked"; "" if \p F can be compiled
/// again as far as its own properties and calls of setjmp go. Other instructions are not inspected.
std::string reasonAgainst(const llvm::Function &F);

/// Returns whether \p C is a constant without pointers to globals, so that a copy can replace it.
bool isPlainData(const llvm::Constant *C);

} // namespace specrt

#endif
