//===- specializer/rounding/nan_folding.h - NaNs as the processor makes them ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// To LLVM one NaN is as good as another: it folds 0.0 / 0.0 to a positive one, where the processor
// makes a negative one. Which operations it will fold nobody can tell in advance, but a NaN that it
// made stays in sight: as a constant in the code, unless something looks at the sign alone. So what
// looks at signs gets fences that constants do not pass, the program's own NaNs are hidden, and
// code that contains a NaN after optimisation is not used.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_ROUNDING_NAN_FOLDING_H
#define SPECRT_SPECIALIZER_ROUNDING_NAN_FOLDING_H

namespace llvm {
class Module;
}

namespace specrt {

/// Reads the NaNs that \p M contains from variables, so that containsNaN sees only others. Before
/// any optimisation.
void hideNaNs(llvm::Module &M);

/// Puts a fence before what looks at the sign of a value that may be folded to a NaN. Before any
/// optimisation, and again after calls were inlined.
void fenceSignsOfNaNs(llvm::Module &M);

/// Is a NaN among the constants of the functions of \p M?
bool containsNaN(const llvm::Module &M);

} // namespace specrt

#endif
