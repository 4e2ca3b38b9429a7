//===- specializer/sparse/equations/language/sparsity_terms.cpp - simplified terms ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/equations/language/sparsity_system.h"

namespace specrt {

using Kind = SparsityTerm::Kind;

/// Combines \p Parts; \p Neutral is the identity of the operation, \p Absorbing its zero.
static SparsityTerm combine(Kind Wanted, std::vector<SparsityTerm> Parts, Kind Neutral,
                            Kind Absorbing) {
  std::vector<SparsityTerm> Kept;
  for (SparsityTerm &Part : Parts) {
    if (Part.K == Absorbing)
      return {Absorbing, 0, {}, {}};
    if (Part.K == Wanted)
      Kept.insert(Kept.end(), Part.Parts.begin(), Part.Parts.end());
    else if (Part.K != Neutral)
      Kept.push_back(std::move(Part));
  }
  if (Kept.empty())
    return {Neutral, 0, {}, {}};
  if (Kept.size() == 1)
    return std::move(Kept[0]);
  return {Wanted, 0, {}, std::move(Kept)};
}

SparsityTerm SparsityTerm::unionOf(std::vector<SparsityTerm> Parts) {
  return combine(Kind::Union, std::move(Parts), Kind::Empty, Kind::Everything);
}

SparsityTerm SparsityTerm::intersectionOf(std::vector<SparsityTerm> Parts) {
  return combine(Kind::Intersection, std::move(Parts), Kind::Everything, Kind::Empty);
}

} // namespace specrt
