//===- specializer/loops/independence/path_conditions.h - conditions of blocks in loops ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block of a loop is executed if the branches on the way to it go in its direction. The results
// of conditions are elements of virtual arrays: two conditions that apply the same operations to
// the same memory are one element, also in different loops. So `if (mask[j] > 0)` in two loops over
// j is known to have the same result for the same j. (Verdoolaege and others, 2013, section 4.)
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_LOOPS_INDEPENDENCE_PATH_CONDITIONS_H
#define SPECRT_SPECIALIZER_LOOPS_INDEPENDENCE_PATH_CONDITIONS_H

#include "analysis/memory/linear_form.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class BranchInst;
class LoadInst;
class PostDominatorTree;
class ScalarEvolution;
} // namespace llvm

namespace specrt {

/// The result of a condition in an iteration: an element of a virtual array.
struct ConditionResult {
  unsigned Array;
  llvm::SmallVector<LinearForm, 2> At; ///< subscripts, in numbers of iterations
};

/// A branch that goes in the direction of its first successor, or of the second one.
struct BranchDirection {
  llvm::BranchInst *Branch;
  bool IsFirst;
};

/// The condition under which a block is executed in an iteration of the loops around it.
struct PathCondition {
  /// A result, by its number in Results, and its value.
  using Literal = std::pair<unsigned, bool>;
  using Conjunction = llvm::SmallVector<Literal, 4>; ///< sorted, each result once
  using Alternatives = std::vector<Conjunction>;     ///< sorted, none implies another one
  using Directions = llvm::SmallVector<BranchDirection, 4>;

  std::vector<ConditionResult> Results;
  Alternatives Any; ///< the block is executed if all literals of one of them hold
  /// The block is executed if all these branches go in these directions whenever they are executed.
  /// Nothing if that is not enough.
  std::optional<Directions> Sufficient;

  bool isAlways() const { return Results.empty(); }
};

class PathConditions {
public:
  /// The control flow of \p L must be reducible. All loops in \p L, and \p L, must be left behind
  /// their latches only. \p IsConstant returns whether the loop does not write the memory that a
  /// load reads.
  PathConditions(const llvm::Loop &L, const llvm::LoopInfo &LI, llvm::ScalarEvolution &SE,
                 const llvm::PostDominatorTree &PDT,
                 llvm::function_ref<bool(const llvm::LoadInst &)> IsConstant)
      : L(L), LI(LI), SE(SE), PDT(PDT), IsConstant(IsConstant) {}

  /// Returns nothing if the condition is too large.
  std::optional<PathCondition> of(const llvm::BasicBlock &BB);

private:
  /// A value as text, in which "#" stands for the subscripts of memory or numbers of iterations.
  struct Shape {
    std::string Text;
    llvm::SmallVector<LinearForm, 2> At;
    unsigned NumOperations = 0;
  };
  /// The condition of a block in an iteration of one loop. Literals name elements of Results.
  struct BlockCondition {
    PathCondition::Alternatives Any;
    std::optional<PathCondition::Directions> Sufficient;
  };

  bool mayGoOn() { return ++NumSteps <= MaxSteps; }
  std::optional<BlockCondition> inLoop(const llvm::BasicBlock &BB, const llvm::Loop &In);
  std::optional<BlockCondition> computeInLoop(const llvm::BasicBlock &BB, const llvm::Loop &In);
  std::optional<PathCondition::Alternatives> resultsOf(const llvm::Value &Condition, bool IsTrue);
  std::optional<PathCondition::Alternatives> computeResults(const llvm::Value &Condition,
                                                            bool IsTrue);
  unsigned resultOf(const Shape &Of);
  void describe(const llvm::Value &V, Shape &To);
  void describeLoad(const llvm::LoadInst &Load, Shape &To);
  void describeOperation(const llvm::Instruction &I, Shape &To);
  void describeExecution(const llvm::Instruction &I, Shape &To);

  /// Limits the time and the depth of the recursion, for all blocks together.
  static constexpr unsigned MaxSteps = 1000;

  const llvm::Loop &L;
  const llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  const llvm::PostDominatorTree &PDT;
  llvm::function_ref<bool(const llvm::LoadInst &)> IsConstant;
  std::map<std::string, unsigned> Arrays; ///< [shape] its number
  std::vector<ConditionResult> Results;
  std::map<std::pair<const llvm::BasicBlock *, const llvm::Loop *>, std::optional<BlockCondition>>
      Blocks;
  std::map<std::pair<const llvm::Value *, bool>, std::optional<PathCondition::Alternatives>> Values;
  unsigned NumSteps = 0;
};

} // namespace specrt

#endif
