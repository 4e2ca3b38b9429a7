//===- analysis/memory/scev_value.h - a SCEV as a function of iteration numbers ---===//
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

/// The value of an integer expression in an iteration of the loops around it, where it depends on
/// nothing else: by the arithmetic of the machine, also where that wraps.
class ScevValue {
public:
  ScevValue(const llvm::SCEV *S, llvm::ScalarEvolution &SE);

  /// False: it depends on something else, or on what is not understood.
  bool isKnown() const { return IsKnown; }
  /// The loops whose iteration numbers it depends on.
  llvm::ArrayRef<const llvm::Loop *> loops() const { return Loops.getArrayRef(); }
  /// With the iteration numbers of loops(), in that order. Nothing for a division by zero.
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
