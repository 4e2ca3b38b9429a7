//===- profiler/store/compile_costs.cpp - what compiling beside a program has cost it ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/store/compile_costs.h"

#include "profiler/json/json_reader.h"
#include <algorithm>

namespace specrt {

double CompileCosts::affordableNs(double ElapsedNs) const {
  constexpr double ShareOfRuns = 0.02, ShareOfGain = 0.5;
  return std::clamp(std::max(usualNs(), ElapsedNs), LeastNs, MostNs) +
         ShareOfRuns * (RanNs + ElapsedNs) + ShareOfGain * GainedNs - TakenNs;
}

CompileCosts &CompileCosts::operator+=(const CompileCosts &Other) {
  Runs += Other.Runs;
  RanNs += Other.RanNs;
  TakenNs += Other.TakenNs;
  GainedNs += Other.GainedNs;
  return *this;
}

CompileCosts &CompileCosts::operator-=(const CompileCosts &Other) {
  Runs -= std::min(Runs, Other.Runs);
  RanNs -= Other.RanNs;
  TakenNs -= Other.TakenNs;
  GainedNs -= Other.GainedNs;
  return *this;
}

nlohmann::json toJson(const CompileCosts &Costs) {
  return {{"runs", Costs.Runs},
          {"ran_ns", Costs.RanNs},
          {"taken_ns", Costs.TakenNs},
          {"gained_ns", Costs.GainedNs}};
}

CompileCosts readCompileCosts(JsonReader &In, const nlohmann::json &J) {
  const auto Time = [&](const char *Name) {
    constexpr double Most = 1e18; // thirty years
    const double Ns = In.number(J, Name);
    return In.require(Ns >= 0 && Ns <= Most) ? Ns : 0;
  };
  return {.Runs = In.count(J, "runs"),
          .RanNs = Time("ran_ns"),
          .TakenNs = Time("taken_ns"),
          .GainedNs = Time("gained_ns")};
}

} // namespace specrt
