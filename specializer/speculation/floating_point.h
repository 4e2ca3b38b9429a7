//===- specializer/speculation/floating_point.h - which results may change ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Specialisation makes code foldable that was not foldable before, and the host may have a fused
// multiply-add that the original was not compiled for. In strict mode neither may change a bit:
//
// * llvm.fmuladd means "fused or not, as you like". The original has decided: fused when it was
//   compiled for a target with FMA, otherwise a multiplication and an addition. The same decision
//   is written into the code, and `contract` flags go when there was no FMA.
// * LLVM folds calls of the C math library with constant arguments by calling the host's double
//   function and rounding, and rewrites pow(x, 2) to x*x and similar. The original, whose arguments
//   were variables, called the library. So calls whose result is not exactly defined by IEEE 754
//   stay library calls (nobuiltin); intrinsics for them become such calls first. sqrt, fma, fabs,
//   rounding, copysign, minimum, maximum, fmod, ldexp are exact and stay as they are.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPECULATION_FLOATING_POINT_H
#define SPECRT_SPECIALIZER_SPECULATION_FLOATING_POINT_H

namespace llvm {
class Module;
}

namespace specrt {

/// Prepares all functions of \p M for the mode \p FpMode (enum specrt_fp_mode); \p ContractFma says
/// whether the original was compiled for a target with FMA. Must run before any optimisation.
/// `finite` adds nsz to every operation, `fast` also reassoc, contract, arcp and afn.
void applyFloatingPointMode(llvm::Module &M, unsigned FpMode, bool ContractFma);

} // namespace specrt

#endif
