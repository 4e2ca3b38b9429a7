//===- structure/propagation/zero_terms.h - when a value may be nonzero ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_STRUCTURE_PROPAGATION_ZERO_TERMS_H
#define SPECRT_STRUCTURE_PROPAGATION_ZERO_TERMS_H

#include "structure/program/dense_program.h"
#include "structure/propagation/boxes.h"

namespace specrt {

/// Condition for a value to be nonzero: any or all of some reads may be nonzero.
struct ZeroTerm {
  enum class Kind { Never, Always, Read, Any, All };
  Kind K = Kind::Never;
  unsigned Access = 0; ///< of a read
  /// For each dimension of a read, the offsets of further elements that are read around it; empty
  /// if there are none.
  std::vector<IndexInterval> Reach;
  std::vector<ZeroTerm> Parts;

  /// Returns whether this is the value that the statement overwrites (isOldValue), or an Any with
  /// that among its parts (includesOldValue).
  bool isOldValue(const DenseStatement &Of) const;
  bool includesOldValue(const DenseStatement &Of) const;
  ZeroTerm withoutOldValue(const DenseStatement &Of) const;
};

/// Returns \p Of with reads of one array that differ by constants joined: each straight run of
/// neighbours becomes one read with a reach.
ZeroTerm withReach(const ZeroTerm &Of, const DenseStatement &In);

/// Returns the condition for the value of \p Of. \p IsEverywhere: by array, whether all its
/// elements may be nonzero.
ZeroTerm zeroTerm(const DenseStatement &Of, const std::vector<bool> &IsEverywhere);

} // namespace specrt

#endif
