//===- specializer/polyhedral/storage/storage_accesses.h - accesses to one array ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_STORAGE_STORAGE_ACCESSES_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_STORAGE_STORAGE_ACCESSES_H

#include "llvm/ADT/SmallVector.h"
#include "isl/isl-noexceptions.h"
#include <optional>

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

private:
  polly::Scop &S;
  const polly::ScopArrayInfo &Array;
  llvm::SmallVector<polly::MemoryAccess *, 8> Accesses;
  isl::union_map Reads, Writes;
};

/// Returns the loop that dimension \p Dim of the statement counts; null if there is none.
const llvm::Loop *loopAt(const polly::ScopStmt &Stmt, unsigned Dim);

} // namespace specrt

#endif
