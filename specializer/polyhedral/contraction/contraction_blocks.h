//===- specializer/polyhedral/contraction/contraction_blocks.h - parts of schedules -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the contractions below a node of a schedule and puts their blocks into it. All functions
// pass isl's null results on.
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

/// What the marks of a schedule point to.
using ContractionMarks = std::vector<std::unique_ptr<MarkedContraction>>;

/// The contractions in \p Domain, below \p Prefix, with the most dimensions.
std::vector<Contraction> contractionsIn(polly::Scop &S, const isl::union_set &Domain,
                                        const isl::multi_union_pw_aff &Prefix);

/// Returns whether all of \p Domain, below \p Prefix, can be one block of the contraction \p C: no
/// other statement is in it, the iterations depend on each other only along k, and all results have
/// the same k.
bool isWholeBlock(const Contraction &C, const isl::union_set &Domain,
                  const isl::multi_union_pw_aff &Prefix, const isl::union_map &Validity);

/// The part of \p Member for the iterations of \p Domain.
isl::pw_aff onStatement(const isl::union_pw_aff &Member, const isl::set &Domain);

/// Which of \p Members is dimension \p Dim of \p C; a negative one is none.
std::optional<unsigned> memberFor(const isl::multi_union_pw_aff &Members, const Contraction &C,
                                  int Dim);

/// \p Coordinate for the iterations of \p Block.
isl::union_pw_aff onBlock(const isl::aff &Coordinate, const isl::set &Block);

/// Below \p Node: outer dimensions, then the marked block over i, j and k. With \p Threads > 1
/// cut for that many workers by a loop that is parallel.
isl::schedule_node insertBlock(isl::schedule_node Node, const Contraction &C, const isl::set &Block,
                               unsigned Threads, ContractionMarks &Marks);

} // namespace specrt

#endif
