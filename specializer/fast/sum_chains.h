//===- specializer/fast/sum_chains.h - finds sums that loops carry --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sum is a number that a loop carries only to combine it with other numbers: s += x, s -= x,
// s = fma(a, b, s), s *= x, or the smaller or larger of s and x. Some iterations may leave it as it
// is. Only the final value is used after the loop, and nothing else in the loop depends on s. So
// the order in which the loop combines the numbers influences nothing but the rounding of s.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_FAST_SUM_CHAINS_H
#define SPECRT_SPECIALIZER_FAST_SUM_CHAINS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/FMF.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include <optional>

namespace llvm {
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace specrt {

enum class SumKind : uint8_t { Add, Multiply, Minimum, Maximum };

struct Sum {
  llvm::PHINode *Phi;      ///< the value at the beginning of an iteration, in the loop's header
  llvm::Instruction *Next; ///< the value at the end of an iteration
  SumKind Kind;
  llvm::Intrinsic::ID Extremum; ///< of a minimum or maximum, else not_intrinsic
  llvm::FastMathFlags Flags;    ///< common flags of all operations
};

/// A sum that is in memory while the loop runs, at an address that the loop does not change.
struct SumInMemory {
  /// Reads the value at the beginning of each iteration; null if the value is in a register, too.
  llvm::LoadInst *Load;
  llvm::StoreInst *Store; ///< writes the value at the end of each iteration
};

/// Returns the sum that \p Phi, of the header of the innermost loop \p L, carries; nothing if it
/// carries something else. Only sums of float and double are found. An extremum is a sum only if
/// its order does not matter where numbers are NaN.
/// If \p Store is not null, it may store the value of each iteration.
std::optional<Sum> findSum(llvm::PHINode &Phi, const llvm::Loop &L,
                           const llvm::StoreInst *Store = nullptr);

/// Returns whether what \p Store writes in the innermost loop \p L would be a sum if \p Load read
/// it from a register.
bool isSumInMemory(llvm::LoadInst &Load, llvm::StoreInst &Store, const llvm::Loop &L);

/// Returns whether the sums of the innermost loop \p L should keep the order of the source, because
/// a loop around \p L permits better code. Either all arrays are contiguous along one such loop, so
/// that vectors of sums can be computed, or these loops use each operand again, as in a product of
/// matrices. Loops that also write these arrays do not count if \p L is contiguous.
bool haveBetterLoops(const llvm::Loop &L, llvm::ArrayRef<Sum> Sums,
                     llvm::ArrayRef<SumInMemory> InMemory, llvm::ScalarEvolution &SE);

} // namespace specrt

#endif
