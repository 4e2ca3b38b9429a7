//===- analysis/rounding/fusion.h - fusion of multiplications with additions -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fused multiply-add rounds once. Code generation emits one for llvm.fmuladd exactly if the
// target of the function has the instruction. With `contract` flags (-ffp-contract=fast) it also
// looks for products and sums itself, after all optimisations, so that a product that was hoisted
// or is used twice may be fused in one compilation and not in another. This option makes it ignore
// that the flag is missing.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_ANALYSIS_ROUNDING_FUSION_H
#define SPECRT_ANALYSIS_ROUNDING_FUSION_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Function;
class Instruction;
class Module;
class Type;
} // namespace llvm

namespace specrt {

/// Returns whether the target of \p F has a fused multiply-add for float and double.
bool mayFuse(const llvm::Function &F);

/// Returns whether llvm.fmuladd of type \p T is fused in \p F; for long double it never is.
bool mayFuse(const llvm::Function &F, const llvm::Type &T);

/// Returns whether \p M may have been compiled with -ffp-contract=fast, which flags in its code
/// indicate. -ffast-math and -Ofast imply the option. With them and a later -ffp-contract=off the
/// code looks the same as with a pragma, and counts as compiled with the option.
bool mayContract(const llvm::Module &M);

/// Returns a sum in \p Code that code generation may or may not fuse with a product of it; null if
/// there is none. Only for modules with flags.
const llvm::Instruction *findFreeFusion(llvm::ArrayRef<const llvm::Instruction *> Code);

} // namespace specrt

#endif
