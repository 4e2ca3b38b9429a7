//===- specializer/wrapping/isolation.h - isolates a function of a user's module -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The module of a wrapped function describes a whole translation unit, of which the program has its
// own copy, built by another compiler. A version may contain copies of code and constants, which
// are indistinguishable from the originals, but must use the program's variables. If these cannot
// be found by name, as with static variables, there is no version.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_WRAPPING_ISOLATION_H
#define SPECRT_SPECIALIZER_WRAPPING_ISOLATION_H

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace specrt {

/// Names that only the library itself can resolve: static variables and static aliases.
using LocalNames = llvm::StringSet<>;

/// Replaces aliases and ifuncs by declarations, as only their addresses are known. Adds local ones,
/// whose names have another meaning outside of the library, to \p Locals.
void replaceAliases(llvm::Module &M, LocalNames &Locals);

/// Turns \p F into a declaration.
void dropDefinition(llvm::Function &F);

/// Makes \p Region the only visible function, so that unneeded code is removed: definitions become
/// local copies, except those that another definition may replace; variables become declarations,
/// except constant tables; static variables are added to \p Locals. Must run after replaceAliases
/// and before any pass: a pass would take a static variable that only other functions change for a
/// constant.
void isolate(llvm::Module &M, llvm::Function &Region, LocalNames &Locals);

/// Returns, as one sentence about "the function", why \p M, after optimisation, permits no version;
/// "" if it does.
std::string reasonAgainst(const llvm::Module &M, const LocalNames &Locals);

/// Returns what \p M refers to and does not define, in the order of the module, without intrinsics.
std::vector<const llvm::GlobalValue *> externalSymbols(const llvm::Module &M);

} // namespace specrt

#endif
