//===- structure/propagation/iteration_boxes.cpp - iterations of a statement as boxes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/propagation/iteration_boxes.h"

#include <cstdlib>
#include <limits>

namespace specrt {
namespace {

int64_t floorOf(int64_t Number, int64_t By) {
  return Number / By - (Number % By != 0 && (Number < 0) != (By < 0));
}
int64_t ceilOf(int64_t Number, int64_t By) { return -floorOf(-Number, By); }

int32_t limited(int64_t Value) {
  return static_cast<int32_t>(std::clamp<int64_t>(Value, -FarAway, FarAway));
}

/// Cuts \p From along \p Counter and calls \p Visit with each slice, until \p To is full.
template <typename Visitor> void cut(const Box &From, size_t Counter, Boxes &To, Visitor Visit) {
  Box Slice = From;
  if (From.Sides[Counter].size() > static_cast<int64_t>(MaxBoxes))
    To.resize(MaxBoxes, From);
  for (int64_t At = From.Sides[Counter].Low; At <= From.Sides[Counter].High && To.size() < MaxBoxes;
       ++At) {
    Slice.Sides[Counter] = {static_cast<int32_t>(At), static_cast<int32_t>(At)};
    Visit(Slice);
  }
}

constexpr size_t None = std::numeric_limits<size_t>::max();

/// Returns the counter in \p Of with the fewest values in \p Within, among those that vary; None if
/// fewer than \p AtLeast vary.
size_t shortest(const AffineValue &Of, const Box &Within, unsigned AtLeast) {
  size_t Best = None;
  unsigned NumVarying = 0;
  for (size_t K = 0; K < Of.Loops.size(); ++K) {
    const int64_t Size = Within.Sides[K].size();
    if (Of.Loops[K] == 0 || Size <= 1)
      continue;
    ++NumVarying;
    if (Best == None || Size < Within.Sides[Best].size())
      Best = K;
  }
  return NumVarying >= AtLeast ? Best : None;
}

/// Narrows counters so that Value >= 0 can hold; returns false if nothing is left.
bool narrow(const AffineValue &Value, Box &Within, bool &HasChanged) {
  const auto [Low, High] = rangeOf(Value, Within);
  if (High < 0)
    return false;
  if (Low >= 0)
    return true;
  for (size_t K = 0; K < Value.Loops.size(); ++K) {
    const int64_t Factor = Value.Loops[K];
    if (Factor == 0)
      continue;
    IndexInterval &Side = Within.Sides[K];
    // The maximum of all other terms must compensate for this counter.
    const int64_t Own = Factor > 0 ? Factor * Side.High : Factor * Side.Low;
    const int64_t Others = High - Own;
    const IndexInterval Old = Side;
    if (Factor > 0)
      Side.Low = std::max(Side.Low, limited(ceilOf(-Others, Factor)));
    else
      Side.High = std::min(Side.High, limited(floorOf(-Others, Factor)));
    if (Side.isEmpty())
      return false;
    HasChanged |= !(Side == Old);
  }
  return true;
}

Box emptyBox() {
  Box Result;
  Result.Sides[0] = {0, -1};
  return Result;
}

/// Returns a counter that keeps the image of \p Of from being a box, or None: it occurs in two
/// subscripts, shares its subscript with another varying counter, or leaves gaps.
size_t counterToCut(const std::vector<AffineValue> &Subscripts, const Box &Of) {
  std::array<unsigned, MaxDimensions> NumUses{};
  for (const AffineValue &Subscript : Subscripts)
    for (size_t K = 0; K < Subscript.Loops.size(); ++K)
      NumUses[K] += Subscript.Loops[K] != 0;
  size_t Best = None;
  for (const AffineValue &Subscript : Subscripts)
    for (size_t K = 0; K < Subscript.Loops.size(); ++K) {
      const int64_t Factor = Subscript.Loops[K];
      const bool IsBad =
          Factor != 0 && Of.Sides[K].size() > 1 && (NumUses[K] > 1 || Factor > 1 || Factor < -1);
      if (IsBad && (Best == None || Of.Sides[K].size() < Of.Sides[Best].size()))
        Best = K;
    }
  return Best;
}

} // namespace

std::pair<int64_t, int64_t> rangeOf(const AffineValue &Of, const Box &Counters) {
  int64_t Low = Of.Constant, High = Of.Constant;
  for (size_t K = 0; K < Of.Loops.size(); ++K) {
    const int64_t A = Of.Loops[K] * Counters.Sides[K].Low, B = Of.Loops[K] * Counters.Sides[K].High;
    Low += std::min(A, B);
    High += std::max(A, B);
  }
  return {Low, High};
}

Box narrowed(const Conjunction &Where, Box Within) {
  // Bounds of loops depend on those of outer loops, so each round may fix one loop more. What stays
  // too large is cut later.
  bool HasChanged = true;
  for (unsigned Round = 0; HasChanged && Round <= MaxDimensions; ++Round) {
    HasChanged = false;
    for (const AffineValue &Value : Where)
      if (!narrow(Value, Within, HasChanged))
        return emptyBox();
  }
  return Within;
}

void addWhere(const Conjunction &Where, const Box &From, Boxes &To) {
  const Box Within = narrowed(Where, From);
  if (Within.isEmpty())
    return;
  size_t Counter = None;
  for (const AffineValue &Value : Where)
    if (rangeOf(Value, Within).first < 0) {
      const size_t Candidate = shortest(Value, Within, 1);
      if (Candidate != None &&
          (Counter == None || Within.Sides[Candidate].size() < Within.Sides[Counter].size()))
        Counter = Candidate;
    }
  if (Counter == None)
    To.push_back(Within);
  else
    cut(Within, Counter, To, [&](const Box &Slice) { addWhere(Where, Slice, To); });
}

bool holdsIn(const Conjunction &Where, const Box &Within) {
  return std::all_of(Where.begin(), Where.end(),
                     [&](const AffineValue &Value) { return rangeOf(Value, Within).first >= 0; });
}

bool hasBoxImages(const std::vector<AffineValue> &Subscripts, const Box &Within) {
  return counterToCut(Subscripts, Within) == None;
}

Box imageOf(const std::vector<AffineValue> &Subscripts, const Box &Of) {
  Box Image;
  for (size_t D = 0; D < Subscripts.size(); ++D) {
    const auto [Low, High] = rangeOf(Subscripts[D], Of);
    Image.Sides[D] = {limited(Low), limited(High)};
  }
  return Image;
}

void addImage(const std::vector<AffineValue> &Subscripts, const Box &Of, Boxes &To) {
  if (const size_t Counter = counterToCut(Subscripts, Of); Counter != None) {
    cut(Of, Counter, To, [&](const Box &Slice) { addImage(Subscripts, Slice, To); });
    return;
  }
  To.push_back(imageOf(Subscripts, Of));
}

void addPreimage(const std::vector<AffineValue> &Subscripts, const Box &Elements, const Box &Within,
                 Boxes &To) {
  Box Found = Within;
  for (size_t D = 0; D < Subscripts.size(); ++D) {
    const AffineValue &Subscript = Subscripts[D];
    // Finds the varying counter and the sum of the other terms.
    size_t Varying = None;
    int64_t Base = Subscript.Constant;
    for (size_t K = 0; K < Subscript.Loops.size(); ++K) {
      const IndexInterval &Side = Found.Sides[K];
      if (Subscript.Loops[K] == 0)
        continue;
      if (Side.Low == Side.High) {
        Base += Subscript.Loops[K] * Side.Low;
      } else if (Varying == None) {
        Varying = K;
      } else {
        cut(Found, shortest(Subscript, Found, 2), To,
            [&](const Box &Slice) { addPreimage(Subscripts, Elements, Slice, To); });
        return;
      }
    }
    const int64_t Low = Elements.Sides[D].Low - Base, High = Elements.Sides[D].High - Base;
    if (Varying == None) {
      if (Low > 0 || High < 0)
        return;
      continue;
    }
    const int64_t Factor = Subscript.Loops[Varying];
    const auto [First, Last] =
        std::minmax(Low * (Factor > 0 ? 1 : -1), High * (Factor > 0 ? 1 : -1));
    const int64_t Size = std::abs(Factor);
    IndexInterval &Side = Found.Sides[Varying];
    Side = Side & IndexInterval{limited(ceilOf(First, Size)), limited(floorOf(Last, Size))};
    if (Side.isEmpty())
      return;
  }
  To.push_back(Found);
}

} // namespace specrt
