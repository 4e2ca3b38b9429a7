//===- specializer/nest/model_dependences.h - dependences between accesses of a Scop ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_NEST_MODEL_DEPENDENCES_H
#define SPECRT_SPECIALIZER_NEST_MODEL_DEPENDENCES_H

#include "polly/ScopInfo.h"
#include "specrt/nest.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace specrt {

/// An access of a Scop with its number in reports.
struct NumberedAccess {
  const polly::MemoryAccess *Access;
  unsigned Number;
};

/// Finds dependences through arrays that loops of a Scop carry, exact as far as the model is: reads
/// on last writes, writes on last writes and on reads since. For each, computes the extremes of its
/// distance along each loop around both accesses, by the loop that carries it.
class ModelDependences {
public:
  /// \p Accesses are in the order of the code. \p Outside: number of loops around the Scop.
  ModelDependences(polly::Scop &S, unsigned Outside,
                   llvm::ArrayRef<specrt_recorded_access> Described,
                   llvm::ArrayRef<NumberedAccess> Accesses)
      : S(S), Outside(Outside), Described(Described), Accesses(Accesses) {}

  /// Adds the dependences to \p Found; returns false if isl gave up, so that some are missing.
  bool addTo(std::vector<specrt_nest_dependence> &Found);

private:
  isl::map tagged(const isl::map &Of, size_t Index) const;
  bool collect(const isl::union_map &Statements);
  bool addFlow(const isl::union_map &Sinks, const isl::union_map &Mays, uint32_t Kind);
  bool addPair(const isl::map &Pair, uint32_t Kind);
  unsigned numCommonLoops(const NumberedAccess &A, const NumberedAccess &B) const;

  polly::Scop &S;
  const unsigned Outside;
  const llvm::ArrayRef<specrt_recorded_access> Described;
  const llvm::ArrayRef<NumberedAccess> Accesses;
  std::vector<specrt_nest_dependence> Found;
  isl::union_map Reads, Writes, MustWrites, Schedule;
};

} // namespace specrt

#endif
