//===- specializer/polyhedral/contraction/contraction_cut.h - tiles with blocks -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In factorisations and triangular products iterations of a contraction depend on each other, or
// the range of k is another one for every result. There one dimension is cut into tiles:
//
//   for tile
//     what the others of this tile depend on    cut once more, then in the order of the band
//     a block                                   a kernel: no dependences inside, except along k
//
// or with the block first. What is left over has little work per result and no vectors where
// results lie in different rows: the narrower its tiles, the less of it there is. But narrow blocks
// do little per packed element, hence two widths.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_CONTRACTION_CONTRACTION_CUT_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_CONTRACTION_CONTRACTION_CUT_H

#include "specializer/polyhedral/contraction/contraction_blocks.h"
#include "llvm/ADT/ArrayRef.h"

namespace specrt {

/// \p Band, which is permutable, in tiles of one of its members with blocks of \p Contractions, for
/// \p Threads workers. Null when no cut pays or isl gave up. \p Validity: pairs whose order is
/// fixed.
isl::schedule_node cutIntoTiles(polly::Scop &S, const isl::union_map &Validity,
                                const isl::schedule_node_band &Band,
                                llvm::ArrayRef<Contraction> Contractions, unsigned Threads,
                                ContractionMarks &Marks);

} // namespace specrt

#endif
