//===- analysis/memory/scev_value.h - values of SCEVs at given iteration numbers -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_ANALYSIS_MEMORY_SCEV_VALUE_H
#define SPECRT_ANALYSIS_MEMORY_SCEV_VALUE_H

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace llvm {
class Instruction;
class Loop;
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace specrt {

/// Evaluates an integer expression that depends only on the iteration numbers of the loops around
/// it. The arithmetic is that of the machine, including wrap-around.
class ScevValue {
public:
  ScevValue(const llvm::SCEV *S, llvm::ScalarEvolution &SE);

  /// Returns false if the expression depends on other values or contains unsupported operations.
  bool isKnown() const { return IsKnown; }
  /// Returns the loops on whose iteration numbers the expression depends.
  llvm::ArrayRef<const llvm::Loop *> loops() const { return Loops.getArrayRef(); }
  /// Returns the value for the iteration numbers of loops(), in that order; nothing for a division
  /// by zero.
  std::optional<int64_t> at(llvm::ArrayRef<uint64_t> Iterations);

private:
  void collect(const llvm::SCEV *S);
  void collectFrom(const llvm::Instruction &I);
  uint64_t evaluate(const llvm::SCEV *S);
  uint64_t evaluate(const llvm::Instruction &I);
  uint64_t iteration(const llvm::Loop *L) const;
  unsigned width(const llvm::SCEV *S) const;

  const llvm::SCEV *Root;
  llvm::ScalarEvolution &SE;
  llvm::SmallSetVector<const llvm::Loop *, 4> Loops;
  llvm::ArrayRef<uint64_t> Now;
  bool IsKnown = true;
  bool DividedByZero = false;
};

} // namespace specrt

#endif
