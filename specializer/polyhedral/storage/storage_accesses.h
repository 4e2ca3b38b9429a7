//===- specializer/polyhedral/storage/storage_accesses.h - accesses to one array ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_STORAGE_STORAGE_ACCESSES_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_STORAGE_STORAGE_ACCESSES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "isl/isl-noexceptions.h"
#include <optional>
#include <utility>

namespace llvm {
class Loop;
}
namespace polly {
class MemoryAccess;
class Scop;
class ScopArrayInfo;
class ScopStmt;
} // namespace polly

namespace specrt {

/// The accesses of a Scop to one array or scalar, each of which reads or writes one whole element.
class StorageAccesses {
public:
  StorageAccesses(polly::Scop &S, const polly::ScopArrayInfo &Array) : S(S), Array(Array) {}

  enum class When {
    Always,   ///< whenever its statement runs
    Sometimes ///< in the iterations that its relation names
  };
  /// Returns false if there are other accesses, or some that are not made \p Made, if code outside
  /// of the Scop uses the storage by itself, or if it is only read or only written.
  bool collect(When Made);

  /// Returns { Stmt[x] -> Stmt[y] } from each write to the reads of its value; nothing if a value
  /// may come from before the Scop. The schedule is the Scop's.
  std::optional<isl::union_map> values() const;

  llvm::ArrayRef<polly::MemoryAccess *> all() const { return Accesses; }
  const isl::union_map &writes() const { return Writes; } ///< { Stmt[x] -> Array[e] }
  /// Returns { Array[e] -> Stmt[x] } from each element to the write whose value it has behind the
  /// Scop. The schedule is the Scop's.
  isl::union_map lastWrites() const;

private:
  polly::Scop &S;
  const polly::ScopArrayInfo &Array;
  llvm::SmallVector<polly::MemoryAccess *, 8> Accesses;
  isl::union_map Reads, Writes;
};

/// Accesses whose places are others in the model than in the program.
class RedirectedAccesses {
public:
  /// Gives \p Access the relation \p Places, { Stmt[x] -> Array[place] }.
  void redirect(polly::MemoryAccess &Access, const isl::map &Places);
  /// Gives all accesses the relations back that they had before.
  void restore();

private:
  llvm::SmallVector<std::pair<polly::MemoryAccess *, isl::map>, 8> All;
};

/// Calls \p Work for each array of the program with one dimension or more, each time with a quota
/// of
/// \p MaxOperations isl operations, beyond which isl returns null and sets its error.
void forEachArray(polly::Scop &S, unsigned long MaxOperations,
                  llvm::function_ref<void(const polly::ScopArrayInfo &)> Work);

/// Adds a statement, which has no place in the schedule yet, that copies \p Source to \p Target,
/// { [x] -> Array[place] }, for each x in the domain of \p Source.
polly::ScopStmt *addCopyStatement(polly::Scop &S, const isl::map &Source, const isl::map &Target);

/// Returns the loop that dimension \p Dim of the statement counts; null if there is none.
const llvm::Loop *loopAt(const polly::ScopStmt &Stmt, unsigned Dim);

} // namespace specrt

#endif
