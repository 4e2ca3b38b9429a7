//===- profiler/feedback/advice.cpp - advice about the loops of a region --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/feedback/advice.h"

#include "profiler/feedback/verdicts.h"
#include <algorithm>
#include <cstdlib>
#include <set>

namespace specrt {
namespace {

std::string numbered(uint32_t Loop) { return "loop " + std::to_string(Loop + 1); }

/// Returns the stride in elements: "stride 1", "no stride", "stride 512".
std::string strideText(const NestAccess &A, uint32_t Loop) {
  const Stride Along = strideAlong(A, Loop);
  if (!Along)
    return "none";
  if (A.Width == 0 || *Along % A.Width != 0)
    return std::to_string(*Along) + " bytes";
  return std::to_string(*Along / A.Width);
}

class Adviser {
public:
  explicit Adviser(const Nest &N) : N(N) {}

  std::vector<std::string> advise();

private:
  void add(std::string Sentence) {
    if (Told.insert(Sentence).second)
      Sentences.push_back(std::move(Sentence));
  }
  size_t numDense(uint32_t Innermost, uint32_t Along) const;
  std::string strides(uint32_t Outer, uint32_t Inner) const;
  void adviseOrder(uint32_t Innermost);
  void adviseSkewing(uint32_t Inner);
  void adviseReductions();
  void adviseThreads();
  void adviseIrregular();

  const Nest &N;
  std::vector<std::string> Sentences;
  std::set<std::string> Told;
};

/// Returns the number of accesses of the loop with stride 0 or 1 along another loop.
size_t Adviser::numDense(uint32_t Innermost, uint32_t Along) const {
  return static_cast<size_t>(
      std::count_if(N.Accesses.begin(), N.Accesses.end(), [&](const NestAccess &A) {
        return !A.Loops.empty() && A.Loops.back() == Innermost && isDense(A, Along);
      }));
}

/// Describes the access that gains most: "line 7 has stride 1 along loop 1, 512 along loop 2".
std::string Adviser::strides(uint32_t Outer, uint32_t Inner) const {
  for (const NestAccess &A : N.Accesses)
    if (!A.Loops.empty() && A.Loops.back() == Inner && isDense(A, Outer) && !isDense(A, Inner))
      return lineText(A.Line) + (A.Array.empty() ? "" : " (" + A.Array + ")") + " has stride " +
             strideText(A, Outer) + " along " + numbered(Outer) + ", " + strideText(A, Inner) +
             " along " + numbered(Inner);
  return "";
}

/// Advises an exchange if some loop around the innermost one is a better innermost loop.
void Adviser::adviseOrder(uint32_t Innermost) {
  const std::vector<uint32_t> Chain = N.chain(Innermost);
  uint32_t Best = Innermost;
  for (uint32_t Loop : Chain)
    if (numDense(Innermost, Loop) > numDense(Innermost, Best))
      Best = Loop;
  if (Best == Innermost)
    return;
  const std::string Strides = strides(Best, Innermost);
  if (Strides.empty())
    return;
  if (const NestDependence *D = whyNotPermutable(N, Best, Innermost))
    return add(Strides + ", but " + dependenceText(*D) + " forbids to interchange them");
  std::string Sums;
  for (const NestDependence &D : N.Dependences)
    if (D.carrier() == Innermost && D.What == NestDependence::Value && D.Role >= SPECRT_CARRIED_SUM)
      Sums = ", with " + roleText(D) + " in an array over " + numbered(Best);
  add(Strides + ": interchange them" + Sums);
}

/// Advises skewing for dependences that go forward along the outer loop and backward along this
/// one.
void Adviser::adviseSkewing(uint32_t Inner) {
  const std::optional<uint32_t> Outer = N.parent(Inner);
  const NestDependence *Why = Outer ? whyNotPermutable(N, *Outer, Inner) : nullptr;
  if (!Why)
    return;
  int64_t Factor = 0;
  const size_t At = N.chain(*Outer).size() - 1;
  for (const NestDependence &D : N.Dependences) {
    if (D.Level != At || D.carrier() != *Outer || D.Loops.size() <= At + 1 ||
        D.Loops[At + 1] != Inner || D.Role != SPECRT_CARRIED_OTHER)
      continue;
    const Distance &Along = D.Distances[At], &Against = D.Distances[At + 1];
    if (!Along.Min || !Against.Min || *Along.Min <= 0)
      return;
    if (*Against.Min < 0)
      Factor = std::max(Factor, (-*Against.Min + *Along.Min - 1) / *Along.Min);
  }
  constexpr int64_t MaxFactor = 16;
  if (Factor == 0 || Factor > MaxFactor)
    return;
  const std::string Times = Factor == 1 ? "" : std::to_string(Factor) + " times ";
  add(numbered(Inner) + " runs against " + numbered(*Outer) + " (" + dependenceText(*Why) +
      "): skew it, that is, add " + Times + "the counter of " + numbered(*Outer) +
      " to its own; then both can be tiled");
}

void Adviser::adviseReductions() {
  // Sums are grouped by the accumulated value, in the order in which they were found.
  std::vector<std::pair<const NestDependence *, std::vector<uint32_t>>> Sums;
  for (const NestDependence &D : N.Dependences) {
    if (D.Role < SPECRT_CARRIED_SUM)
      continue;
    auto Known = std::find_if(Sums.begin(), Sums.end(),
                              [&](const auto &Sum) { return roleText(*Sum.first) == roleText(D); });
    if (Known == Sums.end())
      Known = Sums.insert(Sums.end(), {&D, {}});
    if (std::find(Known->second.begin(), Known->second.end(), D.carrier()) == Known->second.end())
      Known->second.push_back(D.carrier());
  }
  for (const auto &[Sum, Carriers] : Sums) {
    std::string Who;
    for (uint32_t Loop : Carriers)
      Who += (Who.empty() ? "" : " and ") + numbered(Loop);
    add(Who + (Carriers.size() > 1 ? " carry " : " carries ") + roleText(*Sum) + ": " +
        (Sum->IsFloat ? "several of them, added up at the end, or -fassociative-math make it "
                        "parallel; the last bits may differ"
                      : "threads and vectors may each have one of their own"));
  }
}

/// Advises threads for the outermost parallel loop of each nest.
void Adviser::adviseThreads() {
  for (uint32_t Loop = 0; Loop < N.Loops.size(); ++Loop) {
    if (judge(N, Loop).Parallel.Is != LoopAnswer::Yes)
      continue;
    const std::optional<uint32_t> Around = N.parent(Loop);
    if (Around && judge(N, *Around).Parallel.Is != LoopAnswer::No)
      continue;
    const std::string Line = N.Loops[Loop].Line ? " (" + lineText(N.Loops[Loop].Line) + ")" : "";
    add(numbered(Loop) + Line + " is parallel" +
        (Around ? ", " + numbered(*Around) +
                      " around it is not: threads would have to meet in "
                      "each of its iterations"
                : ": its iterations can run on several threads"));
  }
}

void Adviser::adviseIrregular() {
  for (const NestAccess &A : N.Accesses) {
    constexpr double Regular = 0.995;
    if (A.Points == 0 || A.AffineShare >= Regular || A.Loops.empty())
      continue;
    add(lineText(A.Line) + (A.Array.empty() ? "" : " (" + A.Array + ")") +
        " moves through memory " + "irregularly along " + numbered(A.Loops.back()) +
        ": one array in the order in which it is accessed would be a stride");
  }
}

std::vector<std::string> Adviser::advise() {
  for (uint32_t Loop = 0; Loop < N.Loops.size(); ++Loop)
    if (N.isInnermost(Loop))
      adviseOrder(Loop);
  for (uint32_t Loop = 0; Loop < N.Loops.size(); ++Loop)
    adviseSkewing(Loop);
  adviseReductions();
  adviseThreads();
  adviseIrregular();
  return std::move(Sentences);
}

} // namespace

std::vector<std::string> adviceFor(const Nest &N) { return Adviser(N).advise(); }

} // namespace specrt
