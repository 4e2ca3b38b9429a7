//===- specializer/polyhedral/model/wrapping.h - checks that integers do not wrap -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polly models integers without bounds, and lets isl compute for each expression in which
// iterations it differs from the processor's result. That takes an eighth of a compilation; with
// constant sizes, inspecting the expressions shows that they are far from any limit.
//
//===------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_WRAPPING_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_WRAPPING_H

namespace llvm {
class Function;
class ScalarEvolution;
} // namespace llvm

namespace specrt {

/// Returns whether an integer that \p F uses for addresses or for comparisons of branches may leave
/// the range of its type, or come close to its limits. False is certain.
bool mayWrap(llvm::Function &F, llvm::ScalarEvolution &SE);

} // namespace specrt

#endif
