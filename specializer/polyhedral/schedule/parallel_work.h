//===- specializer/polyhedral/schedule/parallel_work.h - estimates the work of parallel loops -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parallel loop wakes threads each time it starts, and waits for them at its end. That takes 2 to
// 5 us, so the work of one start decides: a loop of six iterations inside of a million others never
// pays. The work is estimated from the iterations of all statements in the loop, for given
// iterations of the loops around it, with boxes around their sets. With constant sizes it is a
// number, otherwise a function of the parameters and the outer loops, which code can compute before
// each start.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_PARALLEL_WORK_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_PARALLEL_WORK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "isl/isl-noexceptions.h"
#include <optional>

namespace llvm {
class BasicBlock;
class Instruction;
class TargetTransformInfo;
} // namespace llvm
namespace polly {
class Scop;
class ScopStmt;
} // namespace polly

namespace specrt {

/// Serial work of the original that pays for a start. With 20 us, a loop that gains nothing costs a
/// quarter more, and two threads gain 5 us.
constexpr double MinParallelWorkNs = 20e3;

/// Time of one iteration of a statement whose contraction becomes a kernel.
constexpr double KernelIterationNs = 0.2;

/// Returns the cost of \p I in units of LLVM's cost model, of which one takes 0.2 ns on average.
double costOf(const llvm::Instruction &I, const llvm::TargetTransformInfo &TTI);

/// Returns the time of one iteration of \p Stmt as compiled by LLVM, with its data in a cache.
double iterationNs(const polly::ScopStmt &Stmt, const llvm::TargetTransformInfo &TTI);
/// Returns the same time for one execution of \p Block.
double iterationNs(const llvm::BasicBlock &Block, const llvm::TargetTransformInfo &TTI);

/// The work of one start of a loop.
class ParallelWork {
public:
  /// The iterations of a statement, at most the product of Extents, which are functions of the
  /// outer loops.
  struct Part {
    double IterationNs;
    llvm::SmallVector<isl::pw_aff, 4> Extents;
  };
  using CostOfIteration = llvm::function_ref<double(const polly::ScopStmt &)>;

  /// Returns the work of the loop that is the last dimension of \p Schedule, { S[x] -> [outer...,
  /// loop] }.
  static ParallelWork ofLoop(const isl::union_map &Schedule, CostOfIteration Cost);
  /// Returns the work of all of \p S, which no loop can exceed in any order.
  static ParallelWork ofAll(const polly::Scop &S, CostOfIteration Cost);

  /// Returns false if isl gave up.
  bool isKnown() const { return IsKnown; }
  llvm::ArrayRef<Part> parts() const { return Parts; }
  /// Return bounds over all starts; nothing if there is none.
  std::optional<double> mostNs() const;
  std::optional<double> leastNs() const;

private:
  void add(const isl::map &Iterations, CostOfIteration Cost);
  std::optional<double> boundNs(isl_val *(*BoundOf)(isl_pw_aff *)) const;
  std::optional<double> sumOf(isl_val *(*BoundOf)(isl_pw_aff *)) const;

  bool IsKnown = true;
  llvm::SmallVector<Part, 4> Parts;
};

} // namespace specrt

#endif
