//===- specializer/loops/affine_trips.h - nests of loops with affine trip counts -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_LOOPS_AFFINE_TRIPS_H
#define SPECRT_SPECIALIZER_LOOPS_AFFINE_TRIPS_H

#include "support/ranking/ranked_nest.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <optional>

namespace llvm {
class Loop;
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace specrt {

/// The number of iterations of a loop, an affine function of the numbers of iterations of loops
/// around it. All are signed 64-bit numbers that are known before the outermost loop. The function
/// may have any value in iterations in which the loop does not run.
struct AffineTrips {
  const llvm::SCEV *Constant;
  std::array<const llvm::SCEV *, MaxRankedLoops - 1> Factors; ///< of the loops from outside in

  /// Returns whether iterations of the loops around differ.
  bool isVarying() const;
  /// Returns the same as numbers; nothing if they are not constants.
  std::optional<LoopExtent> extent() const;
};

/// A nest that begins with one loop and continues with a loop in it, and so on.
struct AffineNest {
  llvm::SmallVector<llvm::Loop *, MaxRankedLoops> Loops; ///< from outside in
  llvm::SmallVector<AffineTrips, MaxRankedLoops> Trips;  ///< [loop]
};

/// Returns the nest that begins with \p L, whose number of iterations is known before it. It
/// continues as long as there is a loop inside that has an affine number of iterations; of several
/// it takes the first one that contains the most loops inside each other.
AffineNest affineNest(llvm::Loop &L, llvm::ScalarEvolution &SE);

} // namespace specrt

#endif
