//===- profiler/feedback/verdicts.cpp - determines how a loop may be executed ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/feedback/verdicts.h"

#include <algorithm>
#include <cstdlib>

namespace specrt {
namespace {

/// The least number of iterations per vector.
constexpr int64_t FewestLanes = 4;

bool isCounter(const NestDependence &D) { return D.Role == SPECRT_CARRIED_COUNTER; }
bool isReduction(const NestDependence &D) { return D.Role >= SPECRT_CARRIED_SUM; }

std::string componentText(const Distance &D) {
  if (D.isExact())
    return std::to_string(*D.Min);
  if (D.Min && *D.Min > 0)
    return "+";
  if (D.Max && *D.Max < 0)
    return "-";
  if (D.Min && *D.Min == 0)
    return "0+";
  return "*";
}

/// Returns the dependences that \p Loop carries, the most important ones first: flow of values
/// before mere order.
std::vector<const NestDependence *> carriedBy(const Nest &N, uint32_t Loop) {
  std::vector<const NestDependence *> Found;
  for (int Rank = 0; Rank < 3; ++Rank)
    for (const NestDependence &D : N.Dependences)
      if (D.carrier() == Loop && !isCounter(D) && D.What % 3 == Rank)
        Found.push_back(&D);
  return Found;
}

bool isUnknown(const Nest &N, uint32_t Loop) {
  return std::find(N.Unknown.begin(), N.Unknown.end(), Loop) != N.Unknown.end();
}

LoopAnswer unknown(const Nest &N, uint32_t Loop) {
  if (N.From == Nest::Recording)
    return {LoopAnswer::Unknown, "only one iteration was recorded"};
  return {LoopAnswer::Unknown, N.Loops[Loop].Line ? "the compiler cannot model it" : ""};
}

LoopAnswer judgeParallel(const Nest &N, uint32_t Loop) {
  const auto Carried = carriedBy(N, Loop);
  for (const NestDependence *D : Carried)
    if (!isReduction(*D))
      return {LoopAnswer::No, dependenceText(*D)};
  if (isUnknown(N, Loop))
    return unknown(N, Loop);
  if (!Carried.empty())
    return {LoopAnswer::No, "it carries " + roleText(*Carried.front())};
  return {LoopAnswer::Yes, ""};
}

/// Judges vectorisation by the dependences between iterations.
LoopAnswer judgeVectorOrder(const Nest &N, uint32_t Loop) {
  LoopAnswer Best = {LoopAnswer::Yes, ""};
  for (const NestDependence *D : carriedBy(N, Loop)) {
    const Distance &Along = D->Distances[D->Level];
    if (isReduction(*D)) {
      if (D->IsFloat)
        return {LoopAnswer::No, "it carries " + roleText(*D) + ", whose order counts"};
      Best.Because = "with several copies of " + roleText(*D);
    } else if (D->What == NestDependence::Value || !Along.Min || *Along.Min < FewestLanes) {
      return {LoopAnswer::No, dependenceText(*D)};
    }
  }
  return isUnknown(N, Loop) ? unknown(N, Loop) : Best;
}

LoopAnswer judgeVectorisable(const Nest &N, uint32_t Loop) {
  LoopAnswer Order = judgeVectorOrder(N, Loop);
  if (Order.Is != LoopAnswer::Yes)
    return Order;
  // An access with a line is preferred, because accesses that LLVM moved have none.
  const NestAccess *Why = nullptr;
  for (const NestAccess &A : N.Accesses)
    if (std::find(A.Loops.begin(), A.Loops.end(), Loop) != A.Loops.end() && !isDense(A, Loop) &&
        (!Why || (Why->Line == 0 && A.Line != 0)))
      Why = &A;
  if (Why) {
    const Stride Along = strideAlong(*Why, Loop);
    return {LoopAnswer::No, lineText(Why->Line) + " has " +
                                (Along ? "stride " + std::to_string(*Along) + " bytes"
                                       : std::string("no constant stride")) +
                                (Why->Array.empty() ? "" : " in " + Why->Array)};
  }
  return Order;
}

std::string numbered(uint32_t Loop) { return "loop " + std::to_string(Loop + 1); }

/// Judges the loop together with the one around it.
LoopAnswer judgePair(const Nest &N, uint32_t Outer, uint32_t Inner) {
  if (const NestDependence *D = whyNotPermutable(N, Outer, Inner))
    return {LoopAnswer::No, dependenceText(*D) + " goes backwards along " + numbered(Inner)};
  if (isUnknown(N, Outer) || isUnknown(N, Inner))
    return unknown(N, isUnknown(N, Outer) ? Outer : Inner);
  return {LoopAnswer::Yes, "with "};
}

LoopAnswer judgeTilable(const Nest &N, uint32_t Loop) {
  LoopAnswer Why = {LoopAnswer::No, "it stands alone"};
  if (const std::optional<uint32_t> Around = N.parent(Loop)) {
    Why = judgePair(N, *Around, Loop);
    if (Why.Is == LoopAnswer::Yes)
      return {LoopAnswer::Yes, "with " + numbered(*Around)};
  }
  for (uint32_t Inner = Loop + 1; Inner < N.Loops.size(); ++Inner) {
    if (N.parent(Inner) != Loop)
      continue;
    const LoopAnswer With = judgePair(N, Loop, Inner);
    if (With.Is == LoopAnswer::Yes)
      return {LoopAnswer::Yes, "with " + numbered(Inner)};
    Why = With;
  }
  return Why;
}

} // namespace

Stride strideAlong(const NestAccess &A, uint32_t Loop) {
  const auto At = std::find(A.Loops.begin(), A.Loops.end(), Loop);
  return At == A.Loops.end() ? Stride(0) : A.Strides[static_cast<size_t>(At - A.Loops.begin())];
}

bool isDense(const NestAccess &A, uint32_t Loop) {
  const Stride Along = strideAlong(A, Loop);
  return Along && (*Along == 0 || std::abs(*Along) == A.Width);
}

const NestDependence *whyNotPermutable(const Nest &N, uint32_t Outer, uint32_t Inner) {
  const std::vector<uint32_t> Chain = N.chain(Inner);
  const auto First =
      static_cast<size_t>(std::find(Chain.begin(), Chain.end(), Outer) - Chain.begin());
  for (const NestDependence &D : N.Dependences) {
    // The order of a dependence that a loop further outside carries is kept in any case.
    if (D.Role != SPECRT_CARRIED_OTHER || D.Level < First)
      continue;
    const size_t Common = std::min(D.Loops.size(), Chain.size());
    if (!std::equal(D.Loops.begin(), D.Loops.begin() + static_cast<ptrdiff_t>(Common),
                    Chain.begin()))
      continue;
    for (size_t I = First; I < Common; ++I)
      if (!D.Distances[I].Min || *D.Distances[I].Min < 0)
        return &D;
  }
  return nullptr;
}

LoopVerdicts judge(const Nest &N, uint32_t Loop) {
  return {.Parallel = judgeParallel(N, Loop),
          .Vectorisable = judgeVectorisable(N, Loop),
          .Tilable = judgeTilable(N, Loop)};
}

std::string lineText(uint32_t Line) {
  return Line ? "line " + std::to_string(Line) : "an unknown line";
}

std::string distanceText(const NestDependence &D) {
  std::string Text;
  for (const Distance &One : D.Distances)
    Text += (Text.empty() ? "(" : ", ") + componentText(One);
  return Text + ")";
}

std::string dependenceText(const NestDependence &D) {
  if (D.What == NestDependence::Value)
    return lineText(D.FromLine) + " goes on with " +
           (D.Name.empty() ? "a value of the iteration before"
                           : D.Name + " of the iteration before");
  std::string Text = lineText(D.FromLine) + " -> " + lineText(D.ToLine);
  if (!D.Name.empty())
    Text += " through " + D.Name;
  Text += ", distance " + distanceText(D);
  if (D.What == NestDependence::Anti)
    Text += " (overwrites what was read)";
  if (D.What == NestDependence::Output)
    Text += " (overwrites what was written)";
  return Text;
}

std::string roleText(const NestDependence &D) {
  static constexpr const char *Names[SPECRT_NUM_CARRIED_ROLES] = {
      "value", "counter", "sum", "product", "minimum", "maximum", "combination of bits"};
  std::string Text = std::string("the ") + Names[D.Role];
  if (!D.Name.empty())
    Text += " in " + D.Name;
  return Text + (D.Name.empty() ? " of " : " (") + lineText(D.FromLine) +
         (D.Name.empty() ? "" : ")");
}

} // namespace specrt
