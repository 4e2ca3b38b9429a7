//===- analysis/memory/enumerated_range.cpp - least and largest offset, by enumeration -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/memory/enumerated_range.h"
#include "analysis/memory/linear_form.h"
#include "analysis/memory/scev_value.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include <algorithm>
#include <limits>

using namespace llvm;

namespace specrt {

/// Limit on the enumerated points; each takes some 20 ns.
static constexpr int64_t MaxPoints = 1 << 20;

std::optional<OffsetRange> enumeratedRange(const SCEV *Offset, ScalarEvolution &SE) {
  LinearForm Affine;
  SmallVector<const SCEV *, 2> Others;
  if (!splitAffine(Offset, Affine, Others))
    return std::nullopt;
  if (Others.empty()) {
    auto None = [](const Loop *) { return false; };
    std::optional<LinearForm> Low = eliminate(Affine, SE, None, /*Upper=*/false),
                              High = eliminate(Affine, SE, None, /*Upper=*/true);
    return Low && High ? std::optional(OffsetRange{Low->Constant, High->Constant}) : std::nullopt;
  }
  ScevValue Value(SE.getAddExpr(Others), SE);
  if (!Value.isKnown() || Value.loops().empty() || Value.loops().size() > 2)
    return std::nullopt;
  SmallVector<int64_t, 2> Counts;
  int64_t Points = 1;
  for (const Loop *L : Value.loops()) {
    std::optional<int64_t> Last = constantLastIteration(L, SE);
    if (!Last || *Last >= MaxPoints / Points)
      return std::nullopt;
    Counts.push_back(*Last + 1);
    Points *= *Last + 1;
  }
  auto IsKept = [&](const Loop *L) { return is_contained(Value.loops(), L); };
  std::optional<LinearForm> Low = eliminate(Affine, SE, IsKept, /*Upper=*/false),
                            High = eliminate(Affine, SE, IsKept, /*Upper=*/true);
  if (!Low || !High)
    return std::nullopt;
  OffsetRange Range{std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()};
  for (int64_t Point = 0; Point < Points; ++Point) {
    const uint64_t Iterations[] = {uint64_t(Point % Counts[0]), uint64_t(Point / Counts[0])};
    const auto At = ArrayRef(Iterations).take_front(Counts.size());
    std::optional<int64_t> Here = Value.at(At);
    if (!Here || *Here <= -MaxOffset || *Here >= MaxOffset)
      return std::nullopt;
    Range.Least = std::min(Range.Least, *Here + Low->at(Value.loops(), At));
    Range.Largest = std::max(Range.Largest, *Here + High->at(Value.loops(), At));
  }
  return Range;
}

} // namespace specrt
