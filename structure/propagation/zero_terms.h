//===- structure/propagation/zero_terms.h - when a value may be nonzero ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_STRUCTURE_PROPAGATION_ZERO_TERMS_H
#define SPECRT_STRUCTURE_PROPAGATION_ZERO_TERMS_H

#include "structure/program/dense_program.h"
#include "structure/propagation/boxes.h"

namespace specrt {

/// When any or all of some reads may be nonzero.
struct ZeroTerm {
  enum class Kind { Never, Always, Read, Any, All };
  Kind K = Kind::Never;
  unsigned Access = 0; ///< of a read
  /// Of a read: by dimension, how far around it elements are read as well. Empty: no others.
  std::vector<IndexInterval> Reach;
  std::vector<ZeroTerm> Parts;

  /// Is it what the statement overwrites, or one of several things of which that is one?
  bool isOldValue(const DenseStatement &Of) const;
  bool includesOldValue(const DenseStatement &Of) const;
  ZeroTerm withoutOldValue(const DenseStatement &Of) const;
};

/// The same as \p Of where several reads of an array differ by constants: each straight run of
/// neighbours is one read with a reach.
ZeroTerm withReach(const ZeroTerm &Of, const DenseStatement &In);

/// \p IsEverywhere: by array, whether all its elements may be nonzero.
ZeroTerm zeroTerm(const DenseStatement &Of, const std::vector<bool> &IsEverywhere);

} // namespace specrt

#endif
