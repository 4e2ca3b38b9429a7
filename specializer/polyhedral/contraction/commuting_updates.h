//===- specializer/polyhedral/contraction/commuting_updates.h - updates whose order is free ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On integers minimum, maximum, and, or, exclusive or, and addition and multiplication modulo 2^n
// are exact, associative and commutative. Statements that update one element by the same one of
// these (t[i][j] = max(t[i][j], ...), from wherever) may run in any order without changing a bit of
// what the element holds after the last of them. Polly sees a chain of dependences, each update
// reading what the previous one wrote, and keeps its order.
//
// What remains of the dependences is computed here between all pairs of accesses to an element, not
// from an access to the last write before it: when updates change places, the last one before a
// read is another one.
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

/// How \p Stmt can be read as such an update, or nothing. The element's value before the update and
/// those on the way are used for nothing else.
std::optional<ElementUpdate> recognizeUpdate(polly::ScopStmt &Stmt);

/// The dependences of a Scop without those between commuting updates.
struct RelaxedOrder {
  isl::union_map Validity; ///< { first -> second } of all pairs whose order is fixed
  /// All pairs that must not run at the same time: those, and updates of the same element.
  isl::union_map Conflicts;
  llvm::SmallVector<ElementUpdate, 4> Updates;
};

/// Nothing when no order becomes free, or isl gave up after \p MaxOperations.
std::optional<RelaxedOrder> relaxUpdates(polly::Scop &S, unsigned long MaxOperations);

/// Takes from the instructions of \p Updates what holds in the order of the source only: a sum in
/// another order may overflow on the way. To be called before code is generated.
void dropPromises(llvm::ArrayRef<ElementUpdate> Updates);

} // namespace specrt

#endif
