//===- specializer/polyhedral/contraction/contraction_cut.h - tiles with blocks -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In factorisations and triangular products, iterations of a contraction depend on each other, or
// the range of k differs between results. Then one dimension is cut into tiles:
//
//   for tile
//     what the others of this tile depend on    cut once more, then in the order of the band
//     a block                                   a kernel: no dependences inside, except along k
//
// or with the block first. The other iterations have little work per result, and no vectors if
// results lie in different rows; narrow tiles leave few of them. But narrow blocks do little work
// per packed element, hence two widths.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_CONTRACTION_CONTRACTION_CUT_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_CONTRACTION_CONTRACTION_CUT_H

#include "specializer/polyhedral/contraction/contraction_blocks.h"
#include "llvm/ADT/ArrayRef.h"

namespace specrt {

/// Returns \p Band, which must be permutable, tiled along one of its members with blocks of \p
/// Contractions, for \p Threads workers. Null if no cut pays or isl gave up. \p Validity: pairs
/// whose order is fixed.
isl::schedule_node cutIntoTiles(polly::Scop &S, const isl::union_map &Validity,
                                const isl::schedule_node_band &Band,
                                llvm::ArrayRef<Contraction> Contractions, unsigned Threads,
                                ContractionMarks &Marks);

} // namespace specrt

#endif
