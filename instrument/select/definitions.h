//===- instrument/select/definitions.h - what a visible definition stands for ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that can be seen here need not be the one that calls reach. The linker keeps one of
// the definitions of an inline function or a template, perhaps that of a file with other flags; a
// symbol of a shared library may be found elsewhere.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_SELECT_DEFINITIONS_H
#define SPECRT_INSTRUMENT_SELECT_DEFINITIONS_H

namespace llvm {
class Function;
class GlobalVariable;
} // namespace llvm

namespace specrt {

/// Do all definitions that calls of \p F may reach have the meaning of the one that is seen here?
/// They may still round differently, and what cannot happen in this one because the compiler chose
/// so (an allocation that it removed cannot fail) may happen in others.
bool hasMeaningOfCalls(const llvm::Function &F);

/// May a version run the definition that is seen here where the program calls \p F? Then it
/// computes the same bits.
bool mayStandForCalls(const llvm::Function &F);

/// The same for what the program reads from a constant.
bool mayStandForReads(const llvm::GlobalVariable &V);

} // namespace specrt

#endif
