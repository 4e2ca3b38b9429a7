//===- specializer/region_structures.h - zeros through a function of bitcode --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_REGION_STRUCTURES_H
#define SPECRT_SPECIALIZER_REGION_STRUCTURES_H

#include "specrt/structure.h"
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace specrt {

/// A result with all that it points to.
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

/// What specrt_propagate does, in two steps, of which only the first one needs the compiler. Both
/// on one thread; the request's budget is one of both.
class StructureSearch {
public:
  StructureSearch(const specrt_structure_request &Request, RegionStructures &To);
  ~StructureSearch();

  /// Models the nest. False: the result says what is wrong.
  bool model();
  /// Propagates through it. Uses neither LLVM nor isl.
  void propagate();

private:
  class Propagator;
  RegionStructures &To;
  std::unique_ptr<Propagator> Of;
};

} // namespace specrt

#endif
