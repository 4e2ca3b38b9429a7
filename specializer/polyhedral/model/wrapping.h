//===- specializer/polyhedral/model/wrapping.h - integers that stay within their types -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polly models integers without bounds, and for each expression computes with isl for which
// iterations that differs from what the processor does. That takes an eighth of a compilation, and
// where sizes are constants a look at the expressions says that they are far from any limit.
//
//===------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_WRAPPING_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_WRAPPING_H

namespace llvm {
class Function;
class ScalarEvolution;
} // namespace llvm

namespace specrt {

/// May an integer by which \p F finds addresses, or compares to decide about branches, leave the
/// range of its type, or come near its ends? False is certain.
bool mayWrap(llvm::Function &F, llvm::ScalarEvolution &SE);

} // namespace specrt

#endif
