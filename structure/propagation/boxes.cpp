//===- structure/propagation/boxes.cpp - sets of points as boxes ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/propagation/boxes.h"

namespace specrt {
namespace {

bool byBegin(const Box &A, const Box &B, unsigned Dimension) {
  return A.Sides[Dimension].Low < B.Sides[Dimension].Low;
}

/// Converts boxes to slabs, dimension by dimension.
class SlabBuilder {
public:
  /// Dimensions after \p Last are equal in all boxes.
  explicit SlabBuilder(unsigned Last) : Last(Last) {}

  /// Appends \p Of, which are equal in the dimensions before \p Dimension, to \p To as slabs.
  void build(Boxes &Of, unsigned Dimension, Boxes &To);

private:
  void buildLast(Boxes &Of, Boxes &To) const;
  static void addSlab(const Boxes &Section, const IndexInterval &Along, unsigned Dimension,
                      Boxes &To, size_t &LastBegin, size_t &LastEnd);
  static void sort(Boxes &Of, unsigned Dimension);

  const unsigned Last;
};

/// Sorts boxes. Sets that were in slabs before consist of a few sorted runs, which are merged.
void SlabBuilder::sort(Boxes &Of, unsigned Dimension) {
  auto ByBegin = [&](const Box &A, const Box &B) { return byBegin(A, B, Dimension); };
  constexpr size_t MaxRuns = 8, Few = 64;
  if (Of.size() < Few) {
    if (!std::is_sorted(Of.begin(), Of.end(), ByBegin))
      std::sort(Of.begin(), Of.end(), ByBegin);
    return;
  }
  std::vector<size_t> Ends;
  for (auto At = Of.begin(); At != Of.end() && Ends.size() <= MaxRuns;) {
    At = std::is_sorted_until(At, Of.end(), ByBegin);
    Ends.push_back(static_cast<size_t>(At - Of.begin()));
  }
  if (Ends.size() > MaxRuns) {
    std::sort(Of.begin(), Of.end(), ByBegin);
    return;
  }
  Boxes Merged(Ends.size() > 1 ? Of.size() : 0);
  for (; Ends.size() > 1; std::swap(Of, Merged)) {
    std::vector<size_t> Longer;
    size_t Begin = 0;
    for (size_t I = 0; I < Ends.size(); I += 2) {
      const size_t Middle = Ends[I], End = I + 1 < Ends.size() ? Ends[I + 1] : Middle;
      auto At = [&](size_t Index) { return Of.begin() + static_cast<std::ptrdiff_t>(Index); };
      std::merge(At(Begin), At(Middle), At(Middle), At(End),
                 Merged.begin() + static_cast<std::ptrdiff_t>(Begin), ByBegin);
      Longer.push_back(End);
      Begin = End;
    }
    Ends = std::move(Longer);
  }
}

/// Builds the innermost dimension: joins intervals that touch.
void SlabBuilder::buildLast(Boxes &Of, Boxes &To) const {
  sort(Of, Last);
  const size_t First = To.size();
  for (const Box &Next : Of)
    if (To.size() > First && Next.Sides[Last].Low <= To.back().Sides[Last].High + 1)
      To.back().Sides[Last].High = std::max(To.back().Sides[Last].High, Next.Sides[Last].High);
    else
      To.push_back(Next);
}

/// Appends a slab, or extends the last one if it is adjacent and otherwise equal.
void SlabBuilder::addSlab(const Boxes &Section, const IndexInterval &Along, unsigned Dimension,
                          Boxes &To, size_t &LastBegin, size_t &LastEnd) {
  const size_t LastSize = LastEnd - LastBegin;
  bool IsSame = LastSize == Section.size() && LastSize != 0 &&
                To[LastBegin].Sides[Dimension].High + 1 == Along.Low;
  for (size_t I = 0; IsSame && I < LastSize; ++I)
    for (unsigned D = Dimension + 1; D < MaxDimensions; ++D)
      IsSame = IsSame && To[LastBegin + I].Sides[D] == Section[I].Sides[D];
  if (IsSame) {
    for (size_t I = LastBegin; I < LastEnd; ++I)
      To[I].Sides[Dimension].High = Along.High;
    return;
  }
  LastBegin = To.size();
  To.insert(To.end(), Section.begin(), Section.end());
  LastEnd = To.size();
  for (size_t I = LastBegin; I < LastEnd; ++I)
    To[I].Sides[Dimension] = Along;
}

void SlabBuilder::build(Boxes &Of, unsigned Dimension, Boxes &To) {
  if (Of.size() == 1) {
    To.push_back(Of[0]);
    return;
  }
  if (Dimension == Last) {
    buildLast(Of, To);
    return;
  }
  const IndexInterval First = Of[0].Sides[Dimension];
  if (std::all_of(Of.begin(), Of.end(),
                  [&](const Box &B) { return B.Sides[Dimension] == First; })) {
    build(Of, Dimension + 1, To);
    return;
  }
  sort(Of, Dimension);
  Boxes Open, Section, Built;
  size_t Next = 0, LastBegin = To.size(), LastEnd = To.size();
  int32_t At = First.Low;
  while ((Next < Of.size() || !Open.empty()) && To.size() < MaxBoxes) {
    if (Open.empty())
      At = Of[Next].Sides[Dimension].Low;
    while (Next < Of.size() && Of[Next].Sides[Dimension].Low == At)
      Open.push_back(Of[Next++]);
    // The slab ends where the first open box ends or the next one begins.
    int32_t End = Next < Of.size() ? Of[Next].Sides[Dimension].Low - 1 : FarAway + FarAway / 2;
    for (const Box &B : Open)
      End = std::min(End, B.Sides[Dimension].High);
    Section = Open;
    Built.clear();
    build(Section, Dimension + 1, Built);
    addSlab(Built, {At, End}, Dimension, To, LastBegin, LastEnd);
    std::erase_if(Open, [&](const Box &B) { return B.Sides[Dimension].High <= End; });
    At = End + 1;
  }
}

/// Finds boxes by their begin in the dimension in which they are shortest.
class BoxIndex {
public:
  BoxIndex(const Boxes &Of, const Boxes &Others) : Sorted(Of) {
    int64_t Best = -1;
    for (unsigned D = 0; D < MaxDimensions; ++D) {
      const int64_t Cost = longest(Of, D) + longest(Others, D);
      const int64_t Range = rangeOf(Of, D);
      // Share of all boxes, in thousandths, that a look-up visits.
      const int64_t Share = 1000 * std::min(Cost, Range) / Range;
      if (Best < 0 || Share < Best) {
        Best = Share;
        Dimension = D;
      }
    }
    Longest = longest(Of, Dimension);
    std::sort(Sorted.begin(), Sorted.end(),
              [&](const Box &A, const Box &B) { return byBegin(A, B, Dimension); });
  }

  template <typename Visitor> void overlapping(const Box &With, Visitor Visit) const {
    const IndexInterval &Side = With.Sides[Dimension];
    auto At = std::partition_point(Sorted.begin(), Sorted.end(), [&](const Box &B) {
      return int64_t{B.Sides[Dimension].Low} + Longest <= Side.Low;
    });
    for (; At != Sorted.end() && At->Sides[Dimension].Low <= Side.High; ++At)
      if (const Box Both = *At & With; !Both.isEmpty())
        Visit(*At, Both);
  }

private:
  static int64_t longest(const Boxes &Of, unsigned Dimension) {
    int64_t Longest = 0;
    for (const Box &B : Of)
      Longest = std::max(Longest, B.Sides[Dimension].size());
    return Longest;
  }
  static int64_t rangeOf(const Boxes &Of, unsigned Dimension) {
    IndexInterval All{FarAway, -FarAway};
    for (const Box &B : Of)
      All = {std::min(All.Low, B.Sides[Dimension].Low),
             std::max(All.High, B.Sides[Dimension].High)};
    return std::max<int64_t>(All.size(), 1);
  }

  Boxes Sorted;
  unsigned Dimension = 0;
  int64_t Longest = 0;
};

/// Appends \p From without \p Hole, which lies within it.
void addWithout(const Box &From, const Box &Hole, Boxes &To) {
  Box Rest = From;
  for (unsigned D = 0; D < MaxDimensions; ++D) {
    const IndexInterval Side = Rest.Sides[D], Out = Hole.Sides[D];
    if (Side.Low < Out.Low) {
      Rest.Sides[D] = {Side.Low, Out.Low - 1};
      To.push_back(Rest);
    }
    if (Out.High < Side.High) {
      Rest.Sides[D] = {Out.High + 1, Side.High};
      To.push_back(Rest);
    }
    Rest.Sides[D] = Out;
  }
}

} // namespace

Boxes inSlabs(Boxes Of) {
  std::erase_if(Of, [](const Box &B) { return B.isEmpty(); });
  Boxes Result;
  if (Of.empty())
    return Result;
  unsigned Last = MaxDimensions - 1;
  auto IsSame = [&](const Box &B) { return B.Sides[Last] == Of[0].Sides[Last]; };
  while (Last > 0 && std::all_of(Of.begin(), Of.end(), IsSame))
    --Last;
  SlabBuilder(Last).build(Of, 0, Result);
  return Result;
}

Boxes difference(const Boxes &A, const Boxes &B) {
  if (A.empty() || B.empty())
    return A;
  const BoxIndex Holes(B, A);
  Boxes Result, Left, Smaller;
  for (const Box &From : A) {
    if (Result.size() >= MaxBoxes)
      break;
    Left = {From};
    Holes.overlapping(From, [&](const Box &Hole, const Box &) {
      if (Left.size() >= MaxBoxes)
        return;
      Smaller.clear();
      for (const Box &Part : Left)
        if (const Box Both = Part & Hole; Both.isEmpty())
          Smaller.push_back(Part);
        else
          addWithout(Part, Both, Smaller);
      std::swap(Left, Smaller);
    });
    Result.insert(Result.end(), Left.begin(), Left.end());
  }
  return Result;
}

Boxes intersection(const Boxes &A, const Boxes &B) {
  Boxes Result;
  if (A.empty() || B.empty())
    return Result;
  if (A.size() > B.size())
    return intersection(B, A);
  const BoxIndex Others(B, A);
  for (const Box &Each : A) {
    if (Result.size() >= MaxBoxes)
      break;
    Others.overlapping(Each, [&](const Box &, const Box &Both) { Result.push_back(Both); });
  }
  return Result;
}

int64_t numPoints(const Boxes &Of) {
  int64_t Sum = 0;
  for (const Box &B : Of)
    if (__builtin_add_overflow(Sum, B.size(), &Sum))
      return INT64_MAX;
  return Sum;
}

} // namespace specrt
