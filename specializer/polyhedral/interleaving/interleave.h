//===- specializer/polyhedral/interleaving/interleave.h - interleaves nests in blocks -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nests that follow each other read data that previous ones have written, or the same inputs. If
// these do not fit a cache, they are read from memory again. Here the nests are placed on a common
// referential domain (nest_positions.h), which is cut into blocks that fit the cache:
//
//   for p/T                       blocks of positions
//     for i: A[i] = ...           the nests as they were written, restricted to the block
//     for i: B[i] = A[i-1] + ...
//
// Inside a block the order of each nest is kept, so that LLVM vectorises innermost loops as before,
// and loops over the rows of a block may be parallel. If no cache holds a few rows, blocks are cut
// along the second loop, too. A nest that is a contraction becomes a kernel in each block.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_INTERLEAVING_INTERLEAVE_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_INTERLEAVING_INTERLEAVE_H

#include "specializer/polyhedral/contraction/contraction_blocks.h"
#include "specializer/polyhedral/interleaving/position_text.h"
#include "specializer/polyhedral/schedule/tiling_target.h"
#include "isl/isl-noexceptions.h"
#include <string>

namespace polly {
class Scop;
}

namespace specrt {

/// Returns whether some nests follow each other in the schedule of \p S. Reads only the tree.
bool hasNestsInSequence(polly::Scop &S);

struct Interleaving {
  isl::schedule Schedule;  ///< null: there is none that pays, or isl gave up
  std::string Note;        ///< describes the blocks, or says why there are none
  bool IsPossible = false; ///< nests could be placed, whether or not interleaving pays
  ContractionMarks Marks;  ///< the targets of the marks in Schedule
};

/// Interleaves nests of \p S that follow each other, with the least offsets that respect the pairs
/// of \p Orders, or with those that the program gives (analysis/pipeline_positions.h): if the nests
/// of a sequence are those of the program, all of them are interleaved or none is. isl gives up
/// after \p MaxOperations.
Interleaving interleaveNests(polly::Scop &S, const isl::union_map &Orders,
                             const TilingTarget &Target, NameOfArray Names,
                             unsigned long MaxOperations);

} // namespace specrt

#endif
