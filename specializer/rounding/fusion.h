//===- specializer/rounding/fusion.h - what is fused, written down -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// llvm.fmuladd means "fused or not, as you like", and the code generator of the original has
// decided for each function by the target that it was compiled for. Versions are compiled for
// another one, and callees are inlined into functions with other targets. So the same decision is
// written into the code of each function: llvm.fma, or a multiplication and an addition.
//
// `contract` flags leave the decision to a code generator that looks at whole blocks after all
// optimisations. They stay only where operations may be reordered anyway, and the original had the
// instruction.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_ROUNDING_FUSION_H
#define SPECRT_SPECIALIZER_ROUNDING_FUSION_H

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace specrt {

/// Makes llvm.fma of products and sums with `contract` flags as code generation does where it has
/// no choice: of a region without open results (analysis/rounding/fast_math.h). Before
/// decideFusion.
void fuseProducts(llvm::Function &F);

/// Replaces each sum or difference in \p F by llvm.fma if one of its operands is a product in the
/// same block that has no other use. Fuses the first such operand. Does nothing if the target of \p
/// F has no such instruction. For SPECRT_FP=fast.
void fuseFirstProducts(llvm::Function &F);

/// Must run before retarget, which forgets what the functions were compiled for, and before any
/// function is inlined.
void decideFusion(llvm::Module &M);

/// The same for \p F alone; \p Fuses says whether its target has a fused multiply-add.
void decideFusion(llvm::Function &F, bool Fuses);

} // namespace specrt

#endif
