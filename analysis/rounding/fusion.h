//===- analysis/rounding/fusion.h - who fuses multiplications with additions ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fused multiplication and addition is rounded once. Code generation makes one of llvm.fmuladd
// wherever the target of the function has the instruction, and never elsewhere. With `contract`
// flags (-ffp-contract=fast) it looks for products and sums by itself, after all optimisations: a
// product that was hoisted or is used twice may be fused here and not there. That option makes it
// disregard where the flag is missing.
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

/// Has the target that \p F itself is compiled for a fused multiply-add?
/// For float and double.
bool mayFuse(const llvm::Function &F);

/// The same for llvm.fmuladd of type \p T; of long double it is always two operations.
bool mayFuse(const llvm::Function &F, const llvm::Type &T);

/// May \p M have been compiled with the option? So it may when some of its code carries the flag.
/// -ffast-math and -Ofast imply the option. With them and a later -ffp-contract=off the code looks
/// the same as with a pragma, and counts as compiled with the option.
bool mayContract(const llvm::Module &M);

/// A sum in \p Code that code generation may fuse with a product of it, or not; null when there is
/// none. Only for modules with flags.
const llvm::Instruction *findFreeFusion(llvm::ArrayRef<const llvm::Instruction *> Code);

} // namespace specrt

#endif
