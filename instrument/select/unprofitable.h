//===- instrument/select/unprofitable.h - nests that no version can help --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Watching a nest costs little, but not nothing, and what is compiled for it in vain costs more. So
// nests are left alone whose work no version can do otherwise: those that run fewer instructions
// than a call through their slot takes, whose numbers only follow from each other, that move texts
// and keys.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_SELECT_UNPROFITABLE_H
#define SPECRT_INSTRUMENT_SELECT_UNPROFITABLE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"
#include <string>

namespace llvm {
class Function;
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace specrt {

/// Why no version of the nest can pay; "" when one may.
std::string whyUnprofitable(const llvm::Loop &L, llvm::ScalarEvolution &SE);

/// Attribute of functions whose loops belong to the nests that call them.
inline constexpr llvm::StringLiteral PartOfNests = "specrt-part";

/// Is \p F a function of this module alone whose loops all have small constant numbers of
/// iterations, and which some loop calls? By themselves its loops gain nothing, but the loop around
/// the call is one nest with them: a solver that inverts a block of 5 by 5 at each point of a line.
bool isPartOfNests(const llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace specrt

#endif
