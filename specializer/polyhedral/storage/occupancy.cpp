//===- specializer/polyhedral/storage/occupancy.cpp - iterations that may share memory ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/storage/occupancy.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cstdlib>
#include <numeric>

using namespace llvm;

namespace specrt {
namespace {

/// Returns the component-wise maximum; nothing if a component is negative.
std::optional<IterationVector> tilable(ArrayRef<IterationVector> Distances, unsigned Size) {
  IterationVector Most(Size, 0);
  for (const IterationVector &Distance : Distances)
    for (unsigned D = 0; D < Size; ++D) {
      if (Distance[D] < 0)
        return std::nullopt;
      Most[D] = std::max(Most[D], Distance[D]);
    }
  return Most;
}

bool isNegative(ArrayRef<int64_t> Distance) {
  const auto *const First = find_if(Distance, [](int64_t X) { return X != 0; });
  return First != Distance.end() && *First < 0;
}

int64_t length(ArrayRef<int64_t> Vector) {
  return std::accumulate(Vector.begin(), Vector.end(), int64_t{0},
                         [](int64_t Sum, int64_t X) { return Sum + std::abs(X); });
}

/// Returns the shortest vector that is not before any distance; nothing if a distance is negative.
/// \p IsAfterStore: for each distance, whether the use comes after the store of its iteration.
std::optional<IterationVector> sequential(ArrayRef<IterationVector> Distances,
                                          ArrayRef<bool> IsAfterStore, unsigned Size) {
  IterationVector Most(Size, 0);
  for (const IterationVector &Distance : Distances) {
    if (isNegative(Distance))
      return std::nullopt;
    Most = std::max(Most, Distance);
  }
  const ArrayRef<int64_t> Rest = ArrayRef(Most).drop_front();
  const bool IsTooEarly = any_of(zip(Distances, IsAfterStore), [&](const auto &Use) {
    return std::get<1>(Use) && std::get<0>(Use) == Most;
  });
  if (length(Rest) == 0 || (length(Most) == 1 && !IsTooEarly))
    return Most;
  IterationVector Vector(Size, 0);
  Vector.front() = Most.front() + (isNegative(Rest) ? 0 : 1);
  return Vector;
}

} // namespace

std::optional<IterationVector> occupancyVector(ArrayRef<ValueUse> Uses,
                                               ArrayRef<ScheduleBand> Bands) {
  IterationVector Vector;
  // A use is over in the first band in which it is before the vector.
  for (const ScheduleBand &Band : Bands) {
    const auto First = unsigned(Vector.size());
    SmallVector<IterationVector, 8> Distances;
    SmallVector<bool, 8> IsAfterStore;
    for (const ValueUse &Use : Uses) {
      const ArrayRef<int64_t> Part = ArrayRef(Use.Distance).slice(First, Band.Size);
      Distances.emplace_back(Part.begin(), Part.end());
      IsAfterStore.push_back(Use.IsAfterStore);
    }
    const auto Own = Band.IsTilable ? tilable(Distances, Band.Size)
                                    : sequential(Distances, IsAfterStore, Band.Size);
    if (!Own)
      return std::nullopt;
    Vector.append(Own->begin(), Own->end());
  }
  const bool IsZero = all_of(Vector, [](int64_t X) { return X == 0; });
  const bool IsTooEarly = any_of(Uses, [&](const ValueUse &Use) {
    return Use.IsAfterStore && ArrayRef(Use.Distance) == ArrayRef(Vector);
  });
  if (!Vector.empty() && (IsZero || IsTooEarly))
    ++Vector.back();
  return Vector;
}

/// Column operations reduce the vector to [0, ..., 0, g]. The same operations on the identity give
/// functions of iterations, all of which but the last are zero along the vector.
OccupancyMapping::OccupancyMapping(ArrayRef<int64_t> Vector) {
  IterationVector Left(Vector.begin(), Vector.end());
  const size_t Size = Left.size();
  SmallVector<IterationVector, 6> Rows(Size, IterationVector(Size, 0));
  for (size_t D = 0; D < Size; ++D)
    Rows[D][D] = 1;
  // Row i of the matrix times the vector is Left[i].
  for (size_t D = 0; D + 1 < Size; ++D)
    while (Left[D] != 0) {
      const int64_t Quotient = Left[D + 1] / Left[D];
      Left[D + 1] -= Quotient * Left[D];
      for (size_t C = 0; C < Size; ++C)
        Rows[D + 1][C] -= Quotient * Rows[D][C];
      std::swap(Left[D], Left[D + 1]);
      std::swap(Rows[D], Rows[D + 1]);
    }
  Modulus = std::abs(Left.back());
  Line = Rows.pop_back_val();
  Projection = std::move(Rows);
}

IterationVector OccupancyMapping::elementOf(ArrayRef<int64_t> Iteration) const {
  const auto ValueOf = [&](ArrayRef<int64_t> Row) {
    return std::inner_product(Row.begin(), Row.end(), Iteration.begin(), int64_t{0});
  };
  IterationVector Element;
  for (const IterationVector &Row : Projection)
    Element.push_back(ValueOf(Row));
  const int64_t Position = ValueOf(Line) % Modulus;
  Element.push_back(Position < 0 ? Position + Modulus : Position);
  return Element;
}

} // namespace specrt
