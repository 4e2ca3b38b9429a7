//===- specializer/rounding/fusion.h - makes fused multiply-adds explicit -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// llvm.fmuladd may be fused or not; the code generator decides for each function by its target.
// Versions are compiled for another target than their original, and callees are inlined into
// functions with other targets. These passes therefore make the original's decision explicit in
// each function: llvm.fma, or a multiplication and an addition.
//
// `contract` flags leave the decision to a code generator that sees whole blocks after all
// optimisations. They are kept only where operations may be reordered anyway and the original's
// target has the instruction.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_ROUNDING_FUSION_H
#define SPECRT_SPECIALIZER_ROUNDING_FUSION_H

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace specrt {

/// Replaces products and sums with `contract` flags by llvm.fma where code generation certainly
/// fuses them: in a region without open results (analysis/rounding/fast_math.h). Must run before
/// decideFusion.
void fuseProducts(llvm::Function &F);

/// Replaces each sum or difference in \p F by llvm.fma if one of its operands is a product in the
/// same block that has no other use. Fuses the first such operand. Does nothing if the target of \p
/// F has no such instruction. For SPECRT_FP=fast.
void fuseFirstProducts(llvm::Function &F);

/// Replaces each llvm.fmuladd in \p M. Must run before retarget, which changes the targets of
/// functions, and before any function is inlined.
void decideFusion(llvm::Module &M);

/// Does the same in \p F alone; \p Fuses says whether its target has a fused multiply-add.
void decideFusion(llvm::Function &F, bool Fuses);

} // namespace specrt

#endif
