//===- specializer/loops/independence/work_arrays.h - arrays each iteration writes anew ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If each iteration of a loop writes an array before it reads it, each thread can have its own
// array (array privatisation). With constant sizes, interpreting one iteration without data proves
// that: integers that depend on constants only are computed, sets of bytes represent the array, and
// both sides of an unknown branch are executed.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_LOOPS_INDEPENDENCE_WORK_ARRAYS_H
#define SPECRT_SPECIALIZER_LOOPS_INDEPENDENCE_WORK_ARRAYS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/PassManager.h"
#include <optional>

namespace llvm {
class Instruction;
class Loop;
class Value;
} // namespace llvm

namespace specrt {

/// An array of which each thread needs an instance when threads share a loop.
struct WorkArray {
  llvm::Value *Base; ///< the address of the program's array
  /// The part of the array that the loop accesses, in bytes from its beginning.
  uint64_t FirstByte, NumBytes;
  /// The last iteration of the loop, counted from 0, whose values the program expects in the array.
  int64_t LastIteration;
  /// If not null, an i64 that is known before the loop and takes the place of LastIteration: the
  /// last iteration that writes the array, or -1.
  llvm::Value *LastWrite = nullptr;
};

/// A load, a store, or one side of a block operation.
struct ArrayAccess {
  const llvm::Instruction *I;
  const llvm::Value *Pointer;
  uint64_t Bytes;
  bool IsWrite;
};

/// Returns the array at \p Base, an argument, a variable or stack memory, if it is a work array of
/// \p L: each iteration writes the same bytes, and reads no byte before it has written it. \p
/// Accesses are all accesses to the array in \p L, which is left behind its latch only. Returns
/// nothing if this is not known, or if the address of the array is used for more than accesses.
std::optional<WorkArray> workArrayAt(llvm::Value &Base, llvm::ArrayRef<ArrayAccess> Accesses,
                                     const llvm::Loop &L, llvm::FunctionAnalysisManager &FAM);

/// Returns whether \p L uses addresses in the array at \p Base only to access it.
bool isOnlyAccessed(const llvm::Value &Base, const llvm::Loop &L);

} // namespace specrt

#endif
