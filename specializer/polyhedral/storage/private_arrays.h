//===- specializer/polyhedral/storage/private_arrays.h - work arrays of iterations ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A work array that each iteration of an outermost loop writes before it reads it passes no value
// from one iteration to another: only its memory orders them. Such an array is private. In the
// model it gets a dimension for the loop, and the iterations may run in parallel. Code is generated
// for the array as it is, but each thread has memory of its own for it; only the thread that runs
// the last iteration uses the program's. Since the last iteration writes every element that some
// iteration writes, the program then finds the values that it expects. (Tu and Padua, "Automatic
// array privatization"; values are followed as by Feautrier, "Dataflow analysis of array and scalar
// references".)
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_STORAGE_PRIVATE_ARRAYS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_STORAGE_PRIVATE_ARRAYS_H

#include "specializer/polyhedral/storage/storage_accesses.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "isl/isl-noexceptions.h"
#include <cstdint>
#include <optional>

namespace llvm {
class Loop;
}
namespace polly {
class MemoryAccess;
class Scop;
class ScopArrayInfo;
} // namespace polly

namespace specrt {

/// An array that is private in one loop.
struct PrivateArray {
  const polly::ScopArrayInfo *Array;
  const llvm::Loop *Of;  ///< null: in each loop that needs it; the program does not know the array
  int64_t LastIteration; ///< of the loop, as its statements count
  /// The part of the array that the Scop accesses, in bytes from the array's beginning.
  uint64_t FirstByte, NumBytes;
};

class PrivateArrays {
public:
  explicit PrivateArrays(polly::Scop &S) : S(S) {}

  /// Finds the private arrays and gives them a dimension more, which changes the dependences. isl
  /// may use \p MaxOperations for each array; one that needs more stays as it is.
  void find(unsigned long MaxOperations);
  /// Removes the further dimensions, before code is generated.
  void restore() { Accesses.restore(); }
  /// Does the same for a schedule that does not keep outermost loops, in which no array is private.
  void drop() {
    restore();
    All.clear();
  }

  bool isEmpty() const { return All.empty(); }
  llvm::ArrayRef<PrivateArray> all() const { return All; }
  /// Returns whether \p Dependences leave the iterations of some loop with private arrays free to
  /// run in parallel.
  bool freeSomeLoop(const isl::union_map &Dependences) const;
  /// Returns whether \p Schedule runs the iterations of loops with private arrays one by one, each
  /// with all of its statements.
  bool fit(const isl::union_map &Schedule) const;

  /// Returns the arrays that threads need of their own for a loop whose iterations are the last
  /// dimension of \p Schedule, { Stmt[x] -> [t] } of all statements in it. Returns nothing if the
  /// loop's iterations may not run in parallel, because they are not those of the arrays' loop.
  std::optional<llvm::SmallVector<const PrivateArray *, 4>>
  neededFor(const isl::union_map &Schedule) const;

private:
  bool add(const polly::ScopArrayInfo &Array, long &Budget);

  polly::Scop &S;
  llvm::SmallVector<PrivateArray, 4> All;
  RedirectedAccesses Accesses;
};

} // namespace specrt

#endif
