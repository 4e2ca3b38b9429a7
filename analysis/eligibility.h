//===- analysis/eligibility.h - code that cannot be compiled once more ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What rules out a second version of some code wherever it stands: in a loop nest that the plugin
// would outline, in a function that is wrapped at run time. Reasons are in plain words that go on
// after "it" or "the function".
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

/// A function with more instructions is not part of the nests that call it. Line solvers eliminate
/// blocks of 5 x 5 in functions of some hundred.
inline constexpr unsigned MaxCalleeInstructions = 1000;

/// Goes on after "it": "contains inline assembly". "" when \p I does not stand in the way.
std::string reasonAgainst(const llvm::Instruction &I);

/// Goes on after "the function": "is naked". "" when nothing about \p F as a whole stands in the
/// way; its instructions are not looked at, except for calls of setjmp.
std::string reasonAgainst(const llvm::Function &F);

/// Is \p C a constant without pointers to globals, a table of numbers? Then a copy is as good.
bool isPlainData(const llvm::Constant *C);

} // namespace specrt

#endif
