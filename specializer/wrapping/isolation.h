//===- specializer/wrapping/isolation.h - one function out of a user's module ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The module of a wrapped function describes a whole translation unit, of which the program has its
// own copy, made by another compiler. A version may contain copies of code and of constants, which
// nobody can tell from the originals, but must use the program's own variables. Where those cannot
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

/// The names of what only the library itself finds: static variables, and static aliases.
using LocalNames = llvm::StringSet<>;

/// Aliases and ifuncs become declarations: only their address is known. Adds the local ones, whose
/// names mean something else outside of the library, to \p Locals.
void replaceAliases(llvm::Module &M, LocalNames &Locals);

/// \p F is defined elsewhere.
void dropDefinition(llvm::Function &F);

/// Makes \p Region the only function that others can see, so that what it does not need goes away:
/// definitions become local copies, except those that another definition may replace; variables
/// become declarations, except tables of numbers; static ones are added to \p Locals. After
/// replaceAliases, and before any pass: a pass would take a static variable that only other
/// functions change for a constant.
void isolate(llvm::Module &M, llvm::Function &Region, LocalNames &Locals);

/// Why there can be no version of what is left in \p M after optimisation, as one sentence about
/// "the function"; "" when there can.
std::string reasonAgainst(const llvm::Module &M, const LocalNames &Locals);

/// What \p M refers to and does not define, in the order of the module; no intrinsics.
std::vector<const llvm::GlobalValue *> externalSymbols(const llvm::Module &M);

} // namespace specrt

#endif
