//===- specializer/polyhedral/contraction/contraction_blocks.h - parts of schedules -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the contractions below a schedule node and inserts their blocks. All functions propagate
// isl's null results.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_CONTRACTION_CONTRACTION_BLOCKS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_CONTRACTION_CONTRACTION_BLOCKS_H

#include "specializer/polyhedral/contraction/contraction_marks.h"
#include "isl/isl-noexceptions.h"
#include <memory>
#include <optional>
#include <vector>

namespace polly {
class Scop;
} // namespace polly

namespace specrt {

/// The objects that the marks of a schedule point to.
using ContractionMarks = std::vector<std::unique_ptr<MarkedContraction>>;

/// Returns the contractions in \p Domain, below \p Prefix, with the most dimensions.
std::vector<Contraction> contractionsIn(polly::Scop &S, const isl::union_set &Domain,
                                        const isl::multi_union_pw_aff &Prefix);

/// Returns whether all of \p Domain, below \p Prefix, can be one block of the contraction \p C: no
/// other statement is in it, the iterations depend on each other only along k, and all results have
/// the same k.
bool isWholeBlock(const Contraction &C, const isl::union_set &Domain,
                  const isl::multi_union_pw_aff &Prefix, const isl::union_map &Validity);

/// Returns \p Member restricted to the iterations of \p Domain.
isl::pw_aff onStatement(const isl::union_pw_aff &Member, const isl::set &Domain);

/// Returns the index of the member that equals dimension \p Dim of \p C; nothing if there is none,
/// or if \p Dim is negative.
std::optional<unsigned> memberFor(const isl::multi_union_pw_aff &Members, const Contraction &C,
                                  int Dim);

/// Returns \p Coordinate on the iterations of \p Block.
isl::union_pw_aff onBlock(const isl::aff &Coordinate, const isl::set &Block);

/// Inserts below \p Node the outer dimensions, then the marked block over i, j and k. With \p
/// Threads > 1 the block is cut for that many workers by a parallel loop.
isl::schedule_node insertBlock(isl::schedule_node Node, const Contraction &C, const isl::set &Block,
                               unsigned Threads, ContractionMarks &Marks);

} // namespace specrt

#endif
