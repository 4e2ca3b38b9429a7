//===- specializer/region_structures.h - propagates zeros through a function -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_REGION_STRUCTURES_H
#define SPECRT_SPECIALIZER_REGION_STRUCTURES_H

#include "specrt/structure.h"
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace specrt {

/// A result with the data that it points to.
struct RegionStructures : specrt_structures {
  RegionStructures() : specrt_structures{} {}
  RegionStructures(const RegionStructures &) = delete;
  RegionStructures &operator=(const RegionStructures &) = delete;

  void fail(std::string Why);

  std::string Error, Equations;
  std::deque<std::string> Names;
  std::vector<specrt_array_structure> Arrays;
  std::deque<std::vector<specrt_box>> Boxes;
  std::vector<specrt_parameter> Parameters;
};

/// Performs specrt_propagate in two steps, of which only the first needs the compiler. Both must
/// run on one thread; they share the request's budget.
class StructureSearch {
public:
  StructureSearch(const specrt_structure_request &Request, RegionStructures &To);
  ~StructureSearch();

  /// Models the nest; returns false, with an error in the result, if that fails.
  bool model();
  /// Propagates the inputs through the nest. Uses neither LLVM nor isl.
  void propagate();

private:
  class Propagator;
  RegionStructures &To;
  std::unique_ptr<Propagator> Of;
};

} // namespace specrt

#endif
