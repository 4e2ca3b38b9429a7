//===- specializer/polyhedral/kernel/unpacked_contraction.h - small contractions in place ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits code for a contraction with constant extents and operands that fit the second-level cache.
// From there they arrive faster than results can be updated, and copying them into the order of use
// costs more than it gains. They are read in place:
//
//   for j/Nv vectors, i/Mr       Mr x Nv vectors of results in registers
//     for k                      Nv vectors of b, Mr values of a for all lanes, the tree f
//
// The extents are cut into nearly equal pieces (33 rows into 9, 8, 8, 8 rather than 9, 9, 9, 6),
// each shape with code of its own, so that no register block is ragged except for the lanes beyond
// the last column. Operands that are more than one load (alpha * A[i,k]), that are not adjacent in
// memory, or whose rows evict each other from the cache are computed once, into a buffer.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_KERNEL_UNPACKED_CONTRACTION_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_KERNEL_UNPACKED_CONTRACTION_H

#include "specializer/polyhedral/kernel/contraction_kernel.h"

namespace specrt {

/// Implements emitContraction in this form and returns true; or emits nothing and returns false, if
/// the block is too large, or its bounds are not constants or depend on i.
bool emitUnpackedContraction(llvm::IRBuilderBase &Builder, const Contraction &C,
                             const ContractionBlock &Block, const TilingTarget &Target,
                             const llvm::Function &User, BaseOf baseOf, UniformOf uniform);

} // namespace specrt

#endif
