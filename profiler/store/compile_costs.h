//===- profiler/store/compile_costs.h - what compiling beside a program has cost it ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a program keeps all of its processors busy, each compile takes time from it, in the hope
// that this and later runs gain more. A program of short runs with many regions would go on hoping
// for ever. So the program's account is kept over its runs.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_STORE_COMPILE_COSTS_H
#define SPECRT_PROFILER_STORE_COMPILE_COSTS_H

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

namespace specrt {

class JsonReader;

/// Sums over runs. A value type.
struct CompileCosts {
  uint64_t Runs = 0;   ///< that are accounted for
  double RanNs = 0;    ///< for which they lasted
  double TakenNs = 0;  ///< processor time of compiles while the program left no processor free
  double GainedNs = 0; ///< by versions

  /// What a run takes; 0: unknown.
  double usualNs() const { return Runs ? RanNs / static_cast<double>(Runs) : 0; }
  /// The most that may still be taken from a run that has lasted ElapsedNs: in the hope as much as
  /// one run takes, at least LeastNs and at most MostNs; a fiftieth of all runs; and half of what
  /// was gained.
  double affordableNs(double ElapsedNs) const;
  static constexpr double LeastNs = 1e9, MostNs = 3e9;

  CompileCosts &operator+=(const CompileCosts &Other);
  CompileCosts &operator-=(const CompileCosts &Other);
  bool operator==(const CompileCosts &) const = default;
};

nlohmann::json toJson(const CompileCosts &Costs);
/// As the JsonReader's accessors.
CompileCosts readCompileCosts(JsonReader &In, const nlohmann::json &J);

} // namespace specrt

#endif
