//===- instrument/select/definitions.h - definitions that other ones may replace ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that is visible here need not be the one that calls reach. The linker keeps one of the
// definitions of an inline function or a template, perhaps from a file with other flags, and a
// symbol of a shared library may be preempted.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_SELECT_DEFINITIONS_H
#define SPECRT_INSTRUMENT_SELECT_DEFINITIONS_H

namespace llvm {
class Function;
class GlobalVariable;
} // namespace llvm

namespace specrt {

/// Returns whether all definitions that calls of \p F may reach have the same meaning as the
/// visible one. They may still round differently. What the compiler has excluded in the visible one
/// (an allocation that it removed cannot fail) may happen in others.
bool hasMeaningOfCalls(const llvm::Function &F);

/// Returns whether a version may run the visible definition where the program calls \p F: it
/// computes the same bits then.
bool mayStandForCalls(const llvm::Function &F);

/// Returns whether a version may use the visible initializer of \p V, which must be a constant,
/// where the program reads \p V.
bool mayStandForReads(const llvm::GlobalVariable &V);

} // namespace specrt

#endif
