//===- specializer/speculation/element_boxes.h - boxes of elements of an array ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPECULATION_ELEMENT_BOXES_H
#define SPECRT_SPECIALIZER_SPECULATION_ELEMENT_BOXES_H

#include "specializer/speculation/element_walk.h"
#include "llvm/ADT/ArrayRef.h"

namespace specrt {

/// The indices First .. First + Count of one dimension.
struct Extent {
  int64_t First = 0;
  Backedges Count;

  bool isNumber() const { return Count.Number.has_value(); }
  int64_t last() const { return First + *Count.Number; }
  bool contains(const Extent &Other) const {
    if (isNumber() && Other.isNumber())
      return First <= Other.First && Other.last() <= last();
    return First == Other.First && Count.Expression == Other.Count.Expression &&
           isNumber() == Other.isNumber();
  }
};
using Box = llvm::SmallVector<Extent, 3>;

bool contains(const Box &Outer, const Box &Inner);

/// Replaces \p Into by its union with \p Other, if that is a box; otherwise returns false.
bool join(Box &Into, const Box &Other);

/// Returns the same elements in boxes that overlap less, because guards read each element of each
/// box.
llvm::SmallVector<Box, 2> withoutOverlap(llvm::ArrayRef<Box> Boxes);

} // namespace specrt

#endif
