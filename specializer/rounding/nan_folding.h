//===- specializer/rounding/nan_folding.h - keeps the signs of NaNs -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM does not distinguish NaNs: it folds 0.0 / 0.0 to a positive one, where x86 computes a
// negative one. It is hard to predict which operations LLVM will fold, but a NaN that it created
// remains visible as a constant in the code, unless only its sign is used. Therefore uses of signs
// get fences that constant folding does not pass, the program's own NaNs are hidden, and code that
// contains a NaN after optimisation is rejected.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_ROUNDING_NAN_FOLDING_H
#define SPECRT_SPECIALIZER_ROUNDING_NAN_FOLDING_H

namespace llvm {
class Module;
}

namespace specrt {

/// Replaces the NaNs in \p M by loads of variables, so that containsNaN only finds new ones. Must
/// run before any optimisation.
void hideNaNs(llvm::Module &M);

/// Inserts a fence before each use of the sign of a value that may be folded to a NaN. Must run
/// before any optimisation, and again after inlining.
void fenceSignsOfNaNs(llvm::Module &M);

/// Returns whether the functions of \p M contain a constant NaN.
bool containsNaN(const llvm::Module &M);

} // namespace specrt

#endif
