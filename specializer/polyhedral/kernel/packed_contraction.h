//===- specializer/polyhedral/kernel/packed_contraction.h - contractions with packed operands -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The structure is that of Goto and van de Geijn, "Anatomy of high-performance matrix
// multiplication":
//
//   for j/Nc, k/Kc             pack columns: Kc x Nc values, in panels of Nr
//     for i/Mc                 pack rows: Mc x Kc values, in panels of Mr
//       for j/Nr, i/Mr         Mr x Nr results in vector registers
//         for k                the tree f, lane by lane
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_KERNEL_PACKED_CONTRACTION_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_KERNEL_PACKED_CONTRACTION_H

#include "specializer/polyhedral/kernel/contraction_kernel.h"

namespace specrt {

/// Implements emitContraction for any block. If there is no memory for packing, the code works in
/// small pieces on the stack.
void emitPackedContraction(llvm::IRBuilderBase &Builder, const Contraction &C,
                           const ContractionBlock &Block, const TilingTarget &Target,
                           const llvm::Function &User, BaseOf baseOf, UniformOf uniform);

} // namespace specrt

#endif
