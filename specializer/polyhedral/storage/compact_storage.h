//===- specializer/polyhedral/storage/compact_storage.h - places that share memory ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An expanded array has a place for every value, although few values exist at a time. Two places
// can share memory if no access to one lies between the first and the last access to the other, and
// if no loop that runs in parallel accesses both in different iterations. D is the set of
// differences of all places that cannot. A vector no multiple of which is in D is an occupancy
// vector: places along it share memory. Candidates are the dimensions, outermost ones first, and
// what occupancy.h computes of the distances at which values are used; each one that is confirmed
// takes away a dimension. Of those that are left, dimension d needs
//
//     m_d = 1 + max { x_d : x in D, x_0 = ... = x_(d-1) = 0 }
//
// elements and is counted modulo m_d (Lefebvre and Feautrier, "Automatic storage management for
// parallel programs", 1998). D is computed from the chosen schedule, so nothing is assumed about
// the form of dependences, bands or tiles.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_STORAGE_COMPACT_STORAGE_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_STORAGE_COMPACT_STORAGE_H

#include "specializer/polyhedral/storage/occupancy.h"
#include "llvm/ADT/SmallVector.h"
#include "isl/isl-noexceptions.h"
#include <cstdint>
#include <optional>

namespace polly {
class MemoryAccess;
class Scop;
class ScopArrayInfo;
} // namespace polly

namespace specrt {

/// An array after places were joined.
struct CompactArray {
  const polly::ScopArrayInfo *Array;
  int64_t Bytes; ///< memory that the array takes
  /// Places that differ by one of these share memory.
  llvm::SmallVector<IterationVector, 4> Vectors;
  /// { Stmt[x] -> Stmt[y] } of accesses to the same memory; one of them writes.
  isl::union_map Conflicts;
  /// { Stmt[x] -> Stmt[y] } of accesses to the same place: no other pair passes a value.
  isl::union_map SamePlace;

  /// Returns whether the iterations of a loop may use the array at the same time, if each thread
  /// has memory of its own for it. The iterations are the last dimension of \p Schedule,
  /// { Stmt[x] -> [t] } of all statements in the loop. False also if isl gives up.
  bool isPrivateIn(const isl::union_map &Schedule) const;
};

/// Joins places of \p Array, which must have no value before or after the Scop. The schedule of
/// \p S is final and respects \p Dependences. Innermost loops without dependences stay as they are.
/// So do the outermost ones if \p IsParallel, unless threads can have memory of their own for the
/// array. Changes the array's sizes and its accesses. Returns nothing, and changes nothing, if isl
/// cannot find the places in \p MaxOperations, or if they take more than \p MaxBytes.
std::optional<CompactArray> compactArray(polly::Scop &S, polly::ScopArrayInfo &Array,
                                         const isl::union_map &Dependences, bool IsParallel,
                                         int64_t MaxBytes, unsigned long MaxOperations);

} // namespace specrt

#endif
