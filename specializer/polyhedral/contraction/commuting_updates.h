//===- specializer/polyhedral/contraction/commuting_updates.h - updates whose order is free ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On integers, minimum, maximum, and, or, exclusive or, and addition and multiplication modulo 2^n
// are exact, associative and commutative. Statements that update one element by the same one of
// these (t[i][j] = max(t[i][j], ...)) may run in any order without changing the final value of the
// element. Polly sees a chain of dependences, as each update reads what the previous one wrote, and
// keeps its order.
//
// The remaining dependences are computed here between all pairs of accesses to an element, not from
// an access to the last write before it: if updates are reordered, another one is the last before a
// read.
//
// With X_0 .. X_n the accesses to one element in the order of the source, all pairs are kept except
// those of two updates of the same class (same operation, both through an update's own read and
// write). A schedule that respects these pairs computes the same values:
//
// - An access that is no update of class c is ordered against every update of c. So what a new
//   schedule permutes are updates within runs, that is, updates of one class with no other access
//   to the element in between, and reads among each other. Runs keep their places.
// - By induction over the new schedule: every update combines the element with the same value as in
//   the source, because that value comes from reads that are no update's own, which see runs that
//   are complete. After a run the element holds what it held before, combined with the same values,
//   so the same bits. A value that depends on the element itself by a second read is no exception:
//   that read is ordered against all other updates, so its iteration does not move.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_CONTRACTION_COMMUTING_UPDATES_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_CONTRACTION_COMMUTING_UPDATES_H

#include "llvm/ADT/SmallVector.h"
#include "isl/isl-noexceptions.h"
#include <optional>

namespace llvm {
class Instruction;
}
namespace polly {
class MemoryAccess;
class Scop;
class ScopArrayInfo;
class ScopStmt;
} // namespace polly

namespace specrt {

/// A statement that combines one element with a value by an operation whose order is free.
struct ElementUpdate {
  polly::ScopStmt *Stmt = nullptr;
  /// Updates with the same operation commute: an opcode, or an intrinsic's number behind those.
  unsigned Operation = 0;
  isl::map Element; ///< { Stmt[x] -> Array[e] }
  /// The read and the writes of the element that the update consists of.
  llvm::SmallVector<polly::MemoryAccess *, 4> Accesses;
  /// The read's value, then operations from it to the stored value.
  llvm::SmallVector<llvm::Instruction *, 4> Steps;
};

/// Returns \p Stmt as such an update, or nothing. The element's value before the update and the
/// intermediate values must not be used otherwise.
std::optional<ElementUpdate> recognizeUpdate(polly::ScopStmt &Stmt);

/// The dependences of a Scop without those between commuting updates.
struct RelaxedOrder {
  isl::union_map Validity; ///< { first -> second } of all pairs whose order is fixed
  /// All pairs that must not run at the same time: the pairs in Validity, and updates of the same
  /// element.
  isl::union_map Conflicts;
  llvm::SmallVector<ElementUpdate, 4> Updates;
};

/// Returns nothing if no order becomes free, or if isl gave up after \p MaxOperations.
std::optional<RelaxedOrder> relaxUpdates(polly::Scop &S, unsigned long MaxOperations);

/// Removes flags from the instructions of \p Updates that are only valid in the order of the
/// source: a sum in another order may overflow on the way. Must be called before code generation.
void dropPromises(llvm::ArrayRef<ElementUpdate> Updates);

} // namespace specrt

#endif
