//===- specializer/polyhedral/interleaving/nest_positions.h - nests on one domain ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loop nests that follow each other run interleaved when their loops are placed on a common
// *referential domain*: iteration k of a loop lies at position
//
//     Offset + Grain * k
//
// and positions run in lexicographic order; where several nests have an iteration at one position,
// the one that comes first in the source runs first. ("Multifor for multicore", IMPACT 2013, whose
// referential domains have one position too many and whose offsets for red-black relaxation are
// illegal.) The nests may compute anything: the least offsets at which the second nest of a pair
// never overtakes the first follow from their dependences.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_INTERLEAVING_NEST_POSITIONS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_INTERLEAVING_NEST_POSITIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "isl/isl-noexceptions.h"
#include <cstdint>

namespace polly {
class ScopStmt;
}

namespace specrt {

/// The place of a loop on the referential domain.
struct LoopPosition {
  int64_t Grain = 1; ///< at least 1
  int64_t Offset = 0;
  bool IsOffsetGiven = false; ///< by the program
};

/// One of several nests that follow each other.
struct PlacedNest {
  isl::union_set Domain;                         ///< of its statements
  llvm::SmallVector<isl::union_pw_aff, 3> Loops; ///< { S[x] -> [iteration] }, outermost first
  llvm::SmallVector<const polly::ScopStmt *, 4> Statements{}; ///< those of the Scop in Domain
  llvm::SmallVector<LoopPosition, 3> Positions{};             ///< of the outermost of Loops

  /// Returns { S[x] -> [Offset + Grain * iteration] } for the loop at \p Depth.
  isl::union_pw_aff position(unsigned Depth) const;
  /// Returns the same as a relation.
  isl::union_map positionsAt(unsigned Depth) const;
  /// Returns { S[x] -> [position, ...] } for all of Positions.
  isl::union_map positions() const;
};

/// Chooses the least offsets for the loops at \p Depth that are not given, none below 0, such that
/// no pair of \p Orders goes backwards along them. The grains of \p Nests must have been chosen,
/// and Orders holds pairs within one iteration of the loops around them. Returns false if there are
/// no such offsets: iterations of a nest depend on later ones of this loop, the distance to those
/// of another nest has no bound, or given offsets are too small.
bool placeNests(llvm::MutableArrayRef<PlacedNest> Nests, unsigned Depth,
                const isl::union_map &Orders);

/// Chooses the least offsets with which no pair of \p Orders goes backwards if positions run in
/// lexicographic order: inner loops need not keep pairs that outer loops keep. Otherwise like
/// placeNests() for all loops that have positions.
bool placeLexicographically(llvm::MutableArrayRef<PlacedNest> Nests, const isl::union_map &Orders);

/// Returns the pairs of \p Orders that would go backwards if positions ran in lexicographic order.
isl::union_map violatedOrders(llvm::ArrayRef<PlacedNest> Nests, const isl::union_map &Orders);

} // namespace specrt

#endif
