//===- specializer/sparse/equations/language/concretisation.h - solutions as sets ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules 23-27: letters are relations again, concatenation is composition, and a star the transitive
// closure, to which the identity is added. isl says whether a closure is exact; an inexact one
// holds too much, never too little.
//
// Meant for few and large sets (cones, bands, triangles, parameters). Data with many pieces is for
// structure/propagation.
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
  bool IsExact = true;           ///< every closure was
  unsigned Rounds = 0;           ///< of Kleene's iteration, the most that a component took
};

/// \p LiveIns: nonzero elements of live-ins by number; those that are missing are nonzero
/// everywhere. Nothing when isl gave up, or an iteration did not end within \p MaxRounds.
std::optional<ConcreteStructures> concretise(const SparsitySystem &System,
                                             const SparsitySolution &Solution,
                                             const std::map<unsigned, isl::set> &LiveIns,
                                             unsigned MaxRounds = 1000);

/// The relation of \p Path where restrictions are given by \p Nonzero. \p IsExact becomes false
/// when a closure is not.
isl::union_map relationOf(const RegularExpression &Path, const SparsitySystem &System,
                          const SparsitySolution &Solution, const std::vector<isl::set> &Nonzero,
                          bool &IsExact);

} // namespace specrt

#endif
