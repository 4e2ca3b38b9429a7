//===- specializer/speculation/row_pointers/certain_paths.h - iterations of every call ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A nest over a triangle need not execute an instruction in every iteration of the loops around it.
// With constant bounds it can be proved for single iterations: each branch on the path from the
// entry depends only on the numbers of these iterations.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPECULATION_ROW_POINTERS_CERTAIN_PATHS_H
#define SPECRT_SPECIALIZER_SPECULATION_ROW_POINTERS_CERTAIN_PATHS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace llvm {
class BasicBlock;
class Instruction;
class Loop;
class LoopInfo;
class SCEV;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace specrt {

/// Iterations of some loops around an instruction, the outermost first.
struct LoopPoint {
  llvm::SmallVector<const llvm::Loop *, 4> Loops;
  llvm::SmallVector<uint64_t, 4> Iterations;
};

class CertainPaths {
public:
  CertainPaths(llvm::ScalarEvolution &SE, llvm::LoopInfo &LI) : SE(SE), LI(LI) {}

  /// Calls \p Visit with points at which every call executes \p I, provided that every loop and
  /// call returns: the first and last iterations of the loops around it, as far as they can be
  /// followed.
  void forEach(const llvm::Instruction &I,
               llvm::function_ref<void(const LoopPoint &At)> Visit) const;

private:
  void visit(const llvm::Instruction &I, llvm::ArrayRef<const llvm::Loop *> Left,
             const llvm::BasicBlock *From, LoopPoint &At,
             llvm::function_ref<void(const LoopPoint &At)> Visit) const;
  bool leadsTo(const llvm::BasicBlock *From, const llvm::BasicBlock *To, const LoopPoint &At) const;
  const llvm::BasicBlock *next(const llvm::BasicBlock &Block, const LoopPoint &At) const;
  std::optional<int64_t> valueOf(const llvm::SCEV *S, const LoopPoint &At) const;

  llvm::ScalarEvolution &SE;
  llvm::LoopInfo &LI;
};

} // namespace specrt

#endif
