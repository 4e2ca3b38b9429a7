//===- specializer/loops/distribution/kept_values.h - what one loop keeps for another ---===//
//-------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that is split in two keeps values of its first part in memory for the second one:
//
//     words:   | values of inner loops, in the order of execution | one row per iteration |
//
// An iteration of the loop has one word for each of its own values. How often it executes the inner
// loops depends on data, so their values follow each other, and a second array has the place at
// which each iteration begins.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_LOOPS_DISTRIBUTION_KEPT_VALUES_H
#define SPECRT_SPECIALIZER_LOOPS_DISTRIBUTION_KEPT_VALUES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include <cstdint>

namespace llvm {
class AllocaInst;
class BasicBlock;
class Instruction;
class Loop;
class Value;
} // namespace llvm

namespace specrt {

struct KeptValues {
  static constexpr uint64_t WordBytes = 8;

  /// The values of one inner loop. An iteration of it takes a word for each.
  struct OfInner {
    llvm::Loop *In;
    llvm::SmallVector<llvm::Instruction *, 4> Values;
  };

  llvm::SmallVector<llvm::Instruction *, 8> OfLoop; ///< outside of the inner loops
  llvm::SmallVector<OfInner, 2> Inside;
  uint64_t InsideWords = 0;      ///< that the inner loops of all iterations take at most
  llvm::Value *Memory = nullptr; ///< the words
  llvm::Value *Begins = nullptr; ///< [iteration] the first word of Inside; null if Inside is empty

  bool isEmpty() const { return OfLoop.empty() && Inside.empty(); }
  /// Adds \p V, an instruction of the inner loop \p In, or of the loop itself if that is null.
  void add(llvm::Instruction &V, llvm::Loop *In);

  /// Emits the address of the word for the value number \p Place of OfLoop.
  llvm::Value *wordOf(llvm::Value *Iteration, uint64_t Place, llvm::IRBuilder<> &B) const;
  /// Gives an iteration of the loop at \p Header its words: emits code that advances \p Next, a
  /// variable with the number of the next free word of Inside, by \p Number. Then emits the
  /// addresses of the words for \p Values, instructions in that loop, and calls \p Use with the
  /// number of each, its address, and a builder that is behind it.
  void takeWords(llvm::BasicBlock *Header, llvm::AllocaInst *Next,
                 llvm::ArrayRef<llvm::Instruction *> Values,
                 llvm::function_ref<void(unsigned, llvm::Value *, llvm::IRBuilder<> &)> Use) const;
  /// Emits the address of the word of Begins that belongs to \p Iteration.
  llvm::Value *beginOf(llvm::Value *Iteration, llvm::IRBuilder<> &B) const;
};

/// Marks \p Store as one to a word that no other iteration of the loop stores to. This is so in
/// loops for which keepsValues() returns true; the mark means nothing for others. LLVM's
/// llvm.loop.parallel_accesses says the same, but also of loops of the program under omp simd,
/// whose iterations may depend on earlier ones.
void markKept(llvm::Instruction &Store);
bool isMarkedKept(const llvm::Instruction &Store);

/// Marks \p L as a loop that keeps values.
void markKeepsValues(llvm::Loop &L);
bool keepsValues(const llvm::Loop &L);

} // namespace specrt

#endif
