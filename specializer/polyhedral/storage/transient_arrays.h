//===- specializer/polyhedral/storage/transient_arrays.h - short-lived arrays ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for t                                      // steps
//       for i
//         for j: P[i,j] = f(P[i,j-1], ...)       // coefficients of line i
//         for j: V[j,i] = g(P[i,j], ...)         // and their use
//
// A transient array is written again and again, and no value stays in it for longer than an
// iteration of the loops around its use, here t and i. Its memory is much larger than what it holds
// at any time, so every value travels through the caches. In the model such an array gets a
// dimension for each of these loops (Feautrier, "Array expansion"), and its elements are counted
// from the first one that an iteration uses: { P[i,j] at t } becomes [t,i,j]. When the order of
// execution is known, compact_storage.h lets these places share memory. Only the values that the
// program can see at the end of the Scop are copied to the array, when the iteration that computes
// them ends.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_STORAGE_TRANSIENT_ARRAYS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_STORAGE_TRANSIENT_ARRAYS_H

#include "specializer/polyhedral/storage/storage_accesses.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "isl/isl-noexceptions.h"
#include <cstdint>

namespace polly {
class MemoryAccess;
class Scop;
class ScopArrayInfo;
class ScopStmt;
} // namespace polly

namespace specrt {

/// A transient array of the program and its places in the model.
struct TransientArray {
  const polly::ScopArrayInfo *Array;
  polly::ScopArrayInfo *Expanded; ///< has no memory before its places share some
  int64_t UsedBytes;              ///< of the array, from the first to the last element
};

class TransientArrays {
public:
  explicit TransientArrays(polly::Scop &S) : S(S) {}

  /// Finds the transient arrays of \p LeastBytes and more and expands them, which changes the
  /// schedule of the source and the dependences. With \p ShortensLives also those of which most
  /// elements hold values at a time in the order of the source. isl may use \p MaxOperations for
  /// each array; one that needs more stays as it is.
  void expand(int64_t LeastBytes, bool ShortensLives, unsigned long MaxOperations);
  /// Undoes expand().
  void restore();

  bool isEmpty() const { return All.empty(); }
  llvm::ArrayRef<TransientArray> all() const { return All; }

private:
  /// Returns the relation of a delinearised access (delinearisation.h), or null if isl gave up.
  using DelinearisedAccess = llvm::function_ref<isl::map(const polly::MemoryAccess &)>;

  bool add(const polly::ScopArrayInfo &Array, int64_t LeastBytes, DelinearisedAccess Delinearised);
  void removeCopies(llvm::ArrayRef<const polly::ScopStmt *> Some);

  polly::Scop &S;
  llvm::SmallVector<TransientArray, 4> All;
  RedirectedAccesses Accesses;
  llvm::SmallVector<const polly::ScopStmt *, 4> Copies;
  isl::schedule Source; ///< without the copies
  unsigned NumMade = 0; ///< distinguishes the names of arrays
};

} // namespace specrt

#endif
