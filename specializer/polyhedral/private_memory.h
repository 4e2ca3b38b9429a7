//===- specializer/polyhedral/private_memory.h - memory of threads for arrays ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     body(data):                                      // of a parallel loop, in each thread
//       mine = GOMP_loop_private()
//       while (GOMP_loop_runtime_next(&begin, &end))
//         array' = (mine == null || end > last) ? array : mine + offset
//
// See storage/private_arrays.h. A serial loop has no memory and runs its iterations in their order.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_PRIVATE_MEMORY_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_PRIVATE_MEMORY_H

#include "polly/CodeGen/IRBuilder.h"
#include "specializer/polyhedral/storage/private_arrays.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace specrt {

/// Reserves space for \p NumBytes bytes of an array, from its byte \p FirstByte on, in a thread's
/// memory of \p Bytes bytes. Increases \p Bytes and returns the offset of the space. The offset
/// minus \p FirstByte is a multiple of a cache line.
uint64_t placeInMemory(uint64_t FirstByte, uint64_t NumBytes, uint64_t &Bytes);

/// The layout of a parallel loop's private arrays in a thread's memory.
class PrivateMemory {
public:
  explicit PrivateMemory(llvm::ArrayRef<const PrivateArray *> Arrays);

  bool isEmpty() const { return Places.empty(); } ///< there are no arrays
  /// Returns the bytes of a thread's memory on the heap. Small arrays that the program does not
  /// know are on the thread's stack, where LLVM can prove that nothing else accesses them.
  uint64_t bytes() const { return Bytes; }

  /// Creates in the loop's function \p Body, for each chunk of iterations, the addresses at which
  /// the arrays begin. \p BaseOf: an array's address in \p Body. \p Found receives an array's
  /// original address and the one in \p Body.
  void createBases(llvm::Function &Body, llvm::function_ref<llvm::Value *(llvm::Value *)> BaseOf,
                   llvm::function_ref<void(llvm::Value *, llvm::Value *)> Found) const;

private:
  struct Place {
    const PrivateArray *Of;
    bool IsOnStack;
    uint64_t Offset; ///< offset in memory of the array's first accessed byte
  };
  llvm::SmallVector<Place, 4> Places;
  uint64_t Bytes = 0;
};

/// Gives \p Bytes of memory to each thread of the parallel loop whose code ends where \p Builder
/// is.
void startWithMemory(polly::PollyIRBuilder &Builder, uint64_t Bytes);

} // namespace specrt

#endif
