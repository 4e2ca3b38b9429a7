//===- profiler/feedback/feedback_json.cpp - feedback about loops in reports ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/feedback/feedback_json.h"

#include "profiler/feedback/advice.h"
#include "profiler/feedback/verdicts.h"
#include "profiler/json/json_writer.h"
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace specrt {
namespace {

using nlohmann::json;

json verdictJson(const LoopAnswer &V) {
  static constexpr const char *Answers[] = {"yes", "no", "unknown"};
  return {{"answer", Answers[V.Is]}, {"because", V.Because}};
}

json loopJson(const Nest &N, uint32_t Loop) {
  const LoopVerdicts V = judge(N, Loop);
  return {{"line", N.Loops[Loop].Line},
          {"depth", N.Loops[Loop].Depth},
          {"trips", countForJson(N.Loops[Loop].Trips)},
          {"parallel", verdictJson(V.Parallel)},
          {"vectorisable", verdictJson(V.Vectorisable)},
          {"tilable", verdictJson(V.Tilable)}};
}

/// Returns for example "A + 4096*c1 + 8*c2", in bytes, over the counters of loops; T marks a
/// coefficient that is not constant.
std::string functionText(const NestAccess &A) {
  std::string Text = A.Array.empty() ? "base" : A.Array;
  for (size_t D = 0; D < A.Loops.size(); ++D) {
    const Stride &S = A.Strides[D];
    const std::string Counter = "c" + std::to_string(A.Loops[D] + 1);
    if (!S)
      Text += " + T*" + Counter;
    else if (*S != 0)
      Text += (*S < 0 ? " - " : " + ") + std::to_string(std::abs(*S)) + "*" + Counter;
  }
  return Text;
}

json accessJson(const NestAccess &A) {
  json Strides = json::array();
  for (size_t D = 0; D < A.Loops.size(); ++D)
    Strides.push_back(
        {{"loop", A.Loops[D] + 1}, {"bytes", A.Strides[D] ? json(*A.Strides[D]) : json()}});
  json Out = {{"line", A.Line},
              {"column", A.Column},
              {"write", A.IsWrite},
              {"array", A.Array},
              {"width", A.Width},
              {"strides", std::move(Strides)},
              {"function", functionText(A)}};
  if (A.Points) {
    Out["points"] = countForJson(A.Points);
    Out["pieces"] = A.Pieces;
    Out["affine_percent"] = 100 * A.AffineShare;
  }
  return Out;
}

/// Returns the name of the role of a dependence in the loop; "" if it has none.
const char *roleName(const NestDependence &D) {
  if (D.Role == SPECRT_CARRIED_OTHER)
    return "";
  if (D.Role == SPECRT_CARRIED_COUNTER)
    return "counter";
  return D.IsFloat ? "ordered-reduction" : "reduction";
}

json dependenceJson(const NestDependence &D) {
  static constexpr const char *Kinds[] = {"flow", "anti", "output", "value"};
  const bool HasRole = D.Role != SPECRT_CARRIED_OTHER;
  return {{"kind", Kinds[D.What]}, {"loop", D.carrier() + 1},
          {"from", D.FromLine},    {"to", D.ToLine},
          {"array", D.Name},       {"distance", distanceText(D)},
          {"role", roleName(D)},   {"text", HasRole ? roleText(D) : dependenceText(D)}};
}

/// Returns the data of the picture: rows of the domain, and one arrow for each constant distance.
json pictureJson(const Nest &N) {
  json Rows = json::array(), Arrows = json::array();
  for (const NestRow &R : N.Domain.Rows)
    Rows.push_back({R.Outer, R.First, R.Last});
  std::set<std::pair<int64_t, int64_t>> Drawn;
  size_t NumOthers = 0;
  for (const NestDependence &D : N.Dependences) {
    if (D.Loops.size() != 2 || D.Loops[1] != N.Domain.Inner || D.What == NestDependence::Value)
      continue;
    if (!D.Distances[0].isExact() || !D.Distances[1].isExact()) {
      ++NumOthers;
      continue;
    }
    if (Drawn.emplace(*D.Distances[0].Min, *D.Distances[1].Min).second)
      Arrows.push_back({*D.Distances[0].Min, *D.Distances[1].Min});
  }
  return {{"outer", N.Domain.Outer + 1},
          {"inner", N.Domain.Inner + 1},
          {"outer_trips", countForJson(N.Loops[N.Domain.Outer].Trips)},
          {"inner_trips", countForJson(N.Loops[N.Domain.Inner].Trips)},
          {"rows", std::move(Rows)},
          {"arrows", std::move(Arrows)},
          {"not_drawn", NumOthers}};
}

} // namespace

json feedbackJson(const Nest &N) {
  json Loops = json::array(), Accesses = json::array(), Dependences = json::array();
  for (uint32_t Loop = 0; Loop < N.Loops.size(); ++Loop)
    Loops.push_back(loopJson(N, Loop));
  for (const NestAccess &A : N.Accesses)
    Accesses.push_back(accessJson(A));
  for (const NestDependence &D : N.Dependences)
    Dependences.push_back(dependenceJson(D));
  json Out = {{"from", N.From == Nest::Recording ? "recording" : "model"},
              {"loops", std::move(Loops)},
              {"accesses", std::move(Accesses)},
              {"dependences", std::move(Dependences)},
              {"advice", adviceFor(N)},
              {"omitted", N.Omitted}};
  if (!N.Domain.Rows.empty())
    Out["picture"] = pictureJson(N);
  if (N.From == Nest::Recording)
    Out["dependence_pieces"] = {{"folded", countForJson(N.DependencePieces)},
                                {"exact", countForJson(N.ExactPieces)}};
  return Out;
}

} // namespace specrt
