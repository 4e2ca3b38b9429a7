//===- specializer/loops/footprint.h - which bytes the iterations of a loop access ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The address of an access is a base plus multiples of the iteration numbers of the loops around
// it. Two iterations i and i' of a loop L access a common byte by two such accesses only if
//
//     s (i - i') + (multiples of inner iteration numbers) + constant
//
// lies between minus the bytes of one access and the bytes of the other, where s is how far L moves
// both. Multiples that are larger than s, those of an outer dimension of an array for example, are
// multiples of their greatest common divisor P. So the question is whether s (i - i') meets a small
// interval around zero modulo P, which it does not if the interval is shorter than s and all of
// L's iterations together stay below P. (A test with a common divisor and an interval, as Banerjee,
// "Dependence analysis", combines them.)
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_LOOPS_FOOTPRINT_H
#define SPECRT_SPECIALIZER_LOOPS_FOOTPRINT_H

#include "analysis/memory/linear_form.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace llvm {
class Loop;
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace specrt {

/// The bytes that an access in a loop touches.
class Footprint {
public:
  /// Of \p Bytes bytes at \p Address in \p L. Returns nothing if the address is not of this form.
  static std::optional<Footprint> of(const llvm::SCEV *Address, uint64_t Bytes, const llvm::Loop &L,
                                     llvm::ScalarEvolution &SE);

  /// Returns whether no iteration of the loop accesses by one what another iteration accesses by
  /// the other, as long as the loops around it stay in the same iteration.
  static bool areApart(const Footprint &A, const Footprint &B, const llvm::Loop &L,
                       llvm::ScalarEvolution &SE);

private:
  /// Factor times a number from Low to High, another one in each iteration.
  struct Term {
    int64_t Factor, Low, High;
  };

  LinearForm Affine;
  llvm::SmallVector<const llvm::SCEV *, 2> Invariant; ///< summands, sorted
  llvm::SmallVector<Term, 4> Varying;
  int64_t Bytes = 0;
};

} // namespace specrt

#endif
