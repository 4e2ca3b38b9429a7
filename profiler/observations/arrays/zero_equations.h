//===- profiler/observations/arrays/zero_equations.h - where values can be nonzero ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_OBSERVATIONS_ARRAYS_ZERO_EQUATIONS_H
#define SPECRT_PROFILER_OBSERVATIONS_ARRAYS_ZERO_EQUATIONS_H

#include "profiler/observations/observation.h"
#include <string>

namespace specrt {

/// What the compiler told of a region with arrays that are mostly zero, for `specrt explain`.
/// Nothing is decided by it.
class ZeroEquations final : public ObservationOf<ZeroEquations> {
public:
  static constexpr const char *Name = "zero_equations";

  /// Lines.
  struct Texts {
    std::string Equations; ///< "": nothing is known; statements, equations, solutions, relations
    std::string Skips;     ///< which element's zero lets which loop skip iterations
    std::string Program;   ///< structure/program/program_text.h; "": not one nest
  };

  explicit ZeroEquations(const specrt_region &) {}

  bool isEmpty() const override { return Told.Equations.empty(); }
  void clear() override;
  void add(const ZeroEquations &Newer);
  nlohmann::json toJson() const override;
  void readJson(JsonReader &In, const nlohmann::json &Json) override;
  size_t memoryBytes() const override;

  /// What is too long is not kept.
  void set(Texts New);
  const Texts &get() const { return Told; }

private:
  Texts Told;
};

} // namespace specrt

#endif
