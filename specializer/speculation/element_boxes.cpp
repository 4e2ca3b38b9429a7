//===- specializer/speculation/element_boxes.cpp - boxes of elements of an array ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/speculation/element_boxes.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace specrt {

bool contains(const Box &Outer, const Box &Inner) {
  return all_of_zip(Outer, Inner, [](const Extent &A, const Extent &B) { return A.contains(B); });
}

bool join(Box &Into, const Box &Other) {
  if (contains(Into, Other))
    return true;
  if (contains(Other, Into)) {
    Into = Other;
    return true;
  }
  Extent *Grows = nullptr;
  for (auto [A, B] : zip(Into, Other)) {
    if (A.contains(B) && B.contains(A))
      continue;
    if (Grows || !A.isNumber() || !B.isNumber() || A.First > B.last() + 1 || B.First > A.last() + 1)
      return false;
    Grows = &A;
  }
  const Extent &With = Other[static_cast<size_t>(Grows - Into.data())];
  const int64_t Last = std::max(Grows->last(), With.last());
  Grows->First = std::min(Grows->First, With.First);
  Grows->Count.Number = Last - Grows->First;
  return true;
}

/// Appends the parts of \p Of outside of \p Known; all of \p Of if these are not boxes.
static void addRest(const Box &Of, const Box &Known, SmallVectorImpl<Box> &To) {
  const Extent *Differs = nullptr, *Covers = nullptr;
  for (auto [A, B] : zip_equal(Known, Of)) {
    if (A.contains(B))
      continue;
    const bool Overlap = A.isNumber() && B.isNumber() && A.First <= B.last() && B.First <= A.last();
    if (Differs || !Overlap)
      return To.push_back(Of);
    Differs = &B;
    Covers = &A;
  }
  auto AddPart = [&](int64_t First, int64_t Last) {
    if (First > Last)
      return;
    To.push_back(Of);
    To.back()[static_cast<size_t>(Differs - Of.data())] = {First, {Last - First, nullptr}};
  };
  if (!Differs)
    return;
  AddPart(Differs->First, Covers->First - 1);
  AddPart(Covers->last() + 1, Differs->last());
}

SmallVector<Box, 2> withoutOverlap(ArrayRef<Box> Boxes) {
  SmallVector<Box, 2> Result;
  for (const Box &Each : Boxes) {
    SmallVector<Box, 2> Parts = {Each};
    for (const Box &Known : Result) {
      SmallVector<Box, 2> Left;
      for (const Box &Part : Parts)
        addRest(Part, Known, Left);
      Parts = std::move(Left);
    }
    Result.append(Parts);
  }
  return Result;
}

} // namespace specrt
