//===- specializer/sparse/equations/language/concretisation.h - solutions as sets ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules 23-27: letters become relations, concatenation composition, and a star the reflexive
// transitive closure. isl says whether a closure is exact; an inexact one is an over-approximation.
//
// Suits few and large sets (cones, bands, triangles, parameters). structure/propagation handles
// data with many pieces.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_EQUATIONS_LANGUAGE_CONCRETISATION_H
#define SPECRT_SPECIALIZER_SPARSE_EQUATIONS_LANGUAGE_CONCRETISATION_H

#include "specializer/sparse/equations/language/sparsity_system.h"

#include <map>
#include <optional>

namespace specrt {

struct ConcreteStructures {
  std::vector<isl::set> Nonzero; ///< per name of the system, in the space of its domain
  bool IsExact = true;           ///< whether all closures are exact
  unsigned Rounds = 0;           ///< largest number of Kleene iterations of a component
};

/// \p LiveIns: nonzero elements of live-ins by number; missing ones are nonzero everywhere. Returns
/// nothing if isl gave up, or if an iteration did not end within \p MaxRounds.
std::optional<ConcreteStructures> concretise(const SparsitySystem &System,
                                             const SparsitySolution &Solution,
                                             const std::map<unsigned, isl::set> &LiveIns,
                                             unsigned MaxRounds = 1000);

/// Returns the relation of \p Path with restrictions given by \p Nonzero. Sets \p IsExact to false
/// if a closure is inexact.
isl::union_map relationOf(const RegularExpression &Path, const SparsitySystem &System,
                          const SparsitySolution &Solution, const std::vector<isl::set> &Nonzero,
                          bool &IsExact);

} // namespace specrt

#endif
