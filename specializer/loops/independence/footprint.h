//===- specializer/loops/independence/footprint.h - bytes that iterations access ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The address of an access is a base plus multiples of the iteration numbers of the loops around
// it. Two such accesses touch a common byte in iterations i and i' of a loop L only if
//
//     s (i - i') + (multiples of inner iteration numbers) + constant
//
// lies between minus the size of one access and the size of the other, where an iteration of L
// moves both by s bytes. Multiples that are larger than s, such as those of an outer dimension, are
// multiples of their greatest common divisor P. So the test is whether s (i - i') lies in an
// interval modulo P. It does not if the interval contains no multiple of s but zero, or only
// multiples that are further apart than the iterations of L, and all iterations of L together stay
// below P. (Banerjee, "Dependence analysis", combines tests by divisors and intervals.)
//
// If threads share inner loops of L (pipelined_loop.h), the iteration number j of the inner loop is
// a second unknown: the accesses meet if a difference of k and one of j satisfy
//
//     t (j' - j) = s (k - k') + (multiples of other iteration numbers) + constant
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_LOOPS_INDEPENDENCE_FOOTPRINT_H
#define SPECRT_SPECIALIZER_LOOPS_INDEPENDENCE_FOOTPRINT_H

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
  /// Returns the footprint in \p L of an access to \p Bytes bytes at \p Address; nothing if the
  /// address does not have the form above. \p Shared is a loop in L that contains the access and
  /// whose iteration number is an unknown, too; null if there is none.
  static std::optional<Footprint> of(const llvm::SCEV *Address, uint64_t Bytes, const llvm::Loop &L,
                                     llvm::ScalarEvolution &SE, const llvm::Loop *Shared = nullptr);

  /// Returns whether no two iterations of \p L touch a common byte, one by \p A and the other by \p
  /// B, while the loops around \p L stay in the same iteration. \p LastIteration is the number of
  /// the last one, if it is known to be small.
  static bool areApart(const Footprint &A, const Footprint &B, const llvm::Loop &L,
                       std::optional<int64_t> LastIteration);

  /// Limits for the iterations of a loop and of two shared loops in it.
  struct SharedIterations {
    int64_t LeastDistance; ///< of two iterations of the outer loop
    int64_t Last;          ///< the number of the outer loop's last iteration
    int64_t LastShared;    ///< the number of the last iteration of both shared loops
  };

  /// Returns whether there are no iterations k and k' of \p L with k - k' >= LeastDistance, j of
  /// \p SharedA, and j' > j of \p SharedB, such that \p A in (k, j) and \p B in (k', j') touch a
  /// common byte.
  static bool areInOrder(const Footprint &A, const llvm::Loop &SharedA, const Footprint &B,
                         const llvm::Loop &SharedB, const llvm::Loop &L, SharedIterations Of);

private:
  /// A summand: Factor times a number in [Low, High] that may differ in each iteration.
  struct Term {
    int64_t Factor, Low, High;
  };

  LinearForm Affine;
  llvm::SmallVector<const llvm::SCEV *, 2> Invariant; ///< summands that L does not change, sorted
  llvm::SmallVector<Term, 4> Varying;
  int64_t Bytes = 0;
};

/// Returns whether two accesses touch different bytes whatever the iterations of \p L and the data
/// are, as those to different members of the structures of an array do: the addresses \p A and \p B
/// differ by a constant and multiples of one size, and within that size the \p BytesOfA and \p
/// BytesOfB do not meet.
bool areDifferentMembers(const llvm::SCEV *A, uint64_t BytesOfA, const llvm::SCEV *B,
                         uint64_t BytesOfB, const llvm::Loop &L, llvm::ScalarEvolution &SE);

} // namespace specrt

#endif
