//===- profiler/store/compile_costs.cpp - what compiling beside a program has cost it ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/store/compile_costs.h"

#include "profiler/json/json_reader.h"
#include <algorithm>

namespace specrt {

double CompileCosts::affordableNs(double ElapsedNs) const {
  constexpr double ShareOfRuns = 0.02, ShareOfGain = 0.5;
  const double UsualNs = Runs ? RanNs / static_cast<double>(Runs) : 0;
  return std::min(std::max(UsualNs, ElapsedNs), FirstNs) + ShareOfRuns * (RanNs + ElapsedNs) +
         ShareOfGain * GainedNs - TakenNs;
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
  return {.Runs = In.count(J, "runs"),
          .RanNs = In.number(J, "ran_ns"),
          .TakenNs = In.number(J, "taken_ns"),
          .GainedNs = In.number(J, "gained_ns")};
}

} // namespace specrt
