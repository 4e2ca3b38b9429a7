//===- specializer/nest/model_dependences.h - dependences between accesses of a Scop ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_NEST_MODEL_DEPENDENCES_H
#define SPECRT_SPECIALIZER_NEST_MODEL_DEPENDENCES_H

#include "polly/ScopInfo.h"
#include "specrt/nest.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace specrt {

/// An access of a Scop under the number that it is told by.
struct NumberedAccess {
  const polly::MemoryAccess *Access;
  unsigned Number;
};

/// Dependences through arrays that loops of a Scop carry, exact as far as the model is: reads on
/// last writes, writes on last writes and on reads since. Of each, the extremes of its distance
/// along each loop around both, by the loop that carries it.
class ModelDependences {
public:
  /// \p Accesses in the order of the code; \p Outside: loops around the Scop.
  ModelDependences(polly::Scop &S, unsigned Outside,
                   llvm::ArrayRef<specrt_recorded_access> Described,
                   llvm::ArrayRef<NumberedAccess> Accesses)
      : S(S), Outside(Outside), Described(Described), Accesses(Accesses) {}

  /// False when isl gave up: then what was found is not all.
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
