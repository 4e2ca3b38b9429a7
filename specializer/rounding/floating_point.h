//===- specializer/rounding/floating_point.h - keeps results bit by bit ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Specialisation makes more code foldable. In strict mode folding must not change a bit; nor may
// the host's fused multiply-add, see fusion.h:
//
// * LLVM folds calls of the C math library with constant arguments by calling the host's double
//   function and rounding, and rewrites pow(x, 2) to x*x and similar. The original, whose arguments
//   were variables, called the library. So calls whose result is not exactly defined by IEEE 754
//   stay library calls (nobuiltin); intrinsics for them have become such calls (library_calls).
//   sqrt, fma, fabs, rounding, copysign, minimum, maximum, fmod, ldexp are exact and stay as they
//   are.
// * Fast-math flags are dropped. The original makes no use of those that its region still has
//   (analysis/rounding/fast_math.h), but a version might, in which more is constant.
//
// The fast mode defines its own results (fast_math.h). All versions must compute those bit by bit,
// too.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_ROUNDING_FLOATING_POINT_H
#define SPECRT_SPECIALIZER_ROUNDING_FLOATING_POINT_H

namespace llvm {
class Module;
}

namespace specrt {

/// Prepares all functions of \p M for the mode \p FpMode (enum specrt_fp_mode). Must run before any
/// optimisation, after decideFusion and after guardOnFpEnvironment, which reads the flags. `finite`
/// leaves nsz on every operation and nothing else, the other modes leave no flags. With `fast`,
/// applyFastMath must have been called before.
void applyFloatingPointMode(llvm::Module &M, unsigned FpMode);

} // namespace specrt

#endif
