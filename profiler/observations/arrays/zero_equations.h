//===- profiler/observations/arrays/zero_equations.h - equations for nonzero values ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_OBSERVATIONS_ARRAYS_ZERO_EQUATIONS_H
#define SPECRT_PROFILER_OBSERVATIONS_ARRAYS_ZERO_EQUATIONS_H

#include "profiler/observations/observation.h"
#include <string>

namespace specrt {

/// The compiler's texts about a region with arrays that are mostly zero, for `specrt explain`. No
/// decision uses them.
class ZeroEquations final : public ObservationOf<ZeroEquations> {
public:
  static constexpr const char *Name = "zero_equations";

  /// Texts of several lines.
  struct Texts {
    std::string Equations; ///< statements, equations, solutions, relations; "": unknown
    std::string Skips;     ///< the elements whose zeros let loops skip iterations
    std::string Program;   ///< structure/program/program_text.h; "": not one nest
  };

  explicit ZeroEquations(const specrt_region &) {}

  bool isEmpty() const override { return Told.Equations.empty(); }
  void clear() override;
  void add(const ZeroEquations &Newer);
  nlohmann::json toJson() const override;
  void readJson(JsonReader &In, const nlohmann::json &Json) override;
  size_t memoryBytes() const override;

  /// Texts that are too long are not kept.
  void set(Texts New);
  const Texts &get() const { return Told; }

private:
  Texts Told;
};

} // namespace specrt

#endif
