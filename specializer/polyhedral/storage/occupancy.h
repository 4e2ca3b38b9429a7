//===- specializer/polyhedral/storage/occupancy.h - iterations that may share memory ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iteration x of a statement computes a value, and iteration x + v uses it last: v is a distance in
// scheduled space. An occupancy vector u says that iteration x + u may store its value where x has
// stored its own, because all uses are over. It is quasi-universal if that holds for every size of
// the tiles into which some of the dimensions are cut, and needs only the distances (Yuki and
// Rajopadhye, "Memory allocations for tiled uniform dependence programs", 2013; in parentheses the
// numbers of their results). Two corrections are necessary:
//
//  - Where several dimensions run in sequence and m is the lexicographic maximum, [m1, 0, ...] is
//    enough if the rest of m is not positive (corollary 1 has m or [m1 + 1, 0, ...]).
//  - Where a use at distance m comes after the iteration's own store, u = m overwrites the value
//  too
//    early, and u is m plus a unit vector. Section 5.2 increases a component to at least 1, which
//    changes nothing if it is 1 already.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_STORAGE_OCCUPANCY_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_STORAGE_OCCUPANCY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace specrt {

using IterationVector = llvm::SmallVector<int64_t, 6>;

/// A use of a value.
struct ValueUse {
  IterationVector Distance;  ///< from the iteration that computes the value
  bool IsAfterStore = false; ///< in its iteration, the use comes after that iteration's own store
};

/// Neighbouring dimensions of a schedule.
struct ScheduleBand {
  unsigned Size;  ///< number of dimensions, at least 1
  bool IsTilable; ///< may be cut into tiles of any size; otherwise runs in lexicographic order
};

/// Returns the shortest quasi-universal occupancy vector of one band, and the combination of these
/// for several (theorem 1, corollaries 1 and 2). [0, ..., 0, 1] means that all iterations share one
/// element. Returns nothing if \p Uses are not legal: negative in a tilable band, or backwards in a
/// sequential one.
std::optional<IterationVector> occupancyVector(llvm::ArrayRef<ValueUse> Uses,
                                               llvm::ArrayRef<ScheduleBand> Bands);

/// The elements in which iterations store their values: two share one exactly if their difference
/// is a multiple of an occupancy vector u. The projection along u / g, and the position modulo g,
/// where g is the greatest common divisor of u's components.
class OccupancyMapping {
public:
  /// \p Vector must not be zero.
  explicit OccupancyMapping(llvm::ArrayRef<int64_t> Vector);

  /// Linear functions, one less than dimensions, whose values distinguish lines along the vector.
  /// With line() they form a unimodular matrix.
  llvm::ArrayRef<IterationVector> projection() const { return Projection; }
  llvm::ArrayRef<int64_t> line() const { return Line; } ///< the position along the vector
  int64_t modulus() const { return Modulus; }           ///< g

  /// Returns the element of an iteration: its projection, then its position modulo g.
  IterationVector elementOf(llvm::ArrayRef<int64_t> Iteration) const;

private:
  llvm::SmallVector<IterationVector, 6> Projection;
  IterationVector Line;
  int64_t Modulus = 1;
};

} // namespace specrt

#endif
