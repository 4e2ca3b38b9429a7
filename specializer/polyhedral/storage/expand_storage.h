//===- specializer/polyhedral/storage/expand_storage.h - expands scalars and arrays -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scalar or a small array that every iteration of a loop uses anew ("sum = 0; ... ; x[i] = sum")
// prevents parallel execution although no value passes between iterations. Here such storage gets
// further dimensions, one for each loop that its values do not leave. Final values are copied back
// for the program. (Feautrier, "Array expansion".)
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_STORAGE_EXPAND_STORAGE_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_STORAGE_EXPAND_STORAGE_H

#include "specializer/polyhedral/storage/storage_accesses.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "isl/isl-noexceptions.h"
#include <cstdint>

namespace polly {
class MemoryAccess;
class Scop;
class ScopArrayInfo;
} // namespace polly

namespace specrt {

/// A scalar or an array of the program that was expanded.
struct ExpandedArray {
  polly::ScopArrayInfo *Of;    ///< the program's storage
  polly::ScopArrayInfo *Array; ///< the new one
  int64_t Bytes;               ///< size of Array
  bool IsScalar;
  bool IsLimited; ///< some loops that its values do not leave are omitted for lack of memory
  RedirectedAccesses Accesses;
};

/// Storage of a Scop that was expanded.
class ExpandedStorage {
public:
  explicit ExpandedStorage(polly::Scop &S) : S(S) {}

  /// Expands scalars by all loops that their values do not leave, and arrays that accumulate along
  /// one dimension by as many loops as make a contraction with rows and columns of them. New arrays
  /// are marked as on the heap; together they take at most MaxExpandedBytes. Dependences must be
  /// recomputed afterwards. isl may use \p MaxOperations for each; one that needs more is left as
  /// it is.
  void expand(unsigned long MaxOperations);

  /// Expands limited scalars by all loops, which takes more memory unless places are joined
  /// afterwards (compact_storage.h). Returns false if there are none.
  bool widen(unsigned long MaxOperations);
  /// Undoes widen(), and later changes to the places of scalars.
  void narrow(unsigned long MaxOperations);

  llvm::ArrayRef<ExpandedArray> all() const { return All; }

private:
  void add(polly::ScopArrayInfo &Array, int64_t &Budget, unsigned long MaxOperations);
  void restore(const polly::ScopArrayInfo &Array);

  polly::Scop &S;
  llvm::SmallVector<ExpandedArray, 8> All;
  unsigned NumMade = 0; ///< distinguishes the names of arrays
};

inline constexpr int64_t MaxExpandedBytes = int64_t{64} * 1024 * 1024;

} // namespace specrt

#endif
