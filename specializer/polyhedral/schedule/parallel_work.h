//===- specializer/polyhedral/schedule/parallel_work.h - what a parallel loop has to do -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parallel loop wakes threads each time it starts, and waits for them at its end. That takes 2 to
// 5 us whatever the loop does, so what counts is not how long a nest runs but how much of it one
// start brings: six iterations inside of a million others are never worth it. The work is estimated
// from the iterations of all statements below the loop, for given iterations of the loops around
// it, where boxes stand for their sets. It is a number where sizes are constants, and otherwise a
// function of the parameters and the outer loops, which code can compute before each start.
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
class TargetTransformInfo;
} // namespace llvm
namespace polly {
class Scop;
class ScopStmt;
} // namespace polly

namespace specrt {

/// Serial work of the original that pays for a start. At 20 us a loop that gains nothing costs a
/// quarter more, and two threads gain 5 us.
constexpr double MinParallelWorkNs = 20e3;

/// One iteration of a statement whose contraction becomes a kernel.
constexpr double KernelIterationNs = 0.2;

/// One iteration of \p Stmt as LLVM compiles it, where it finds its data in a cache.
double iterationNs(const polly::ScopStmt &Stmt, const llvm::TargetTransformInfo &TTI);
/// Returns the same time for one execution of \p Block.
double iterationNs(const llvm::BasicBlock &Block, const llvm::TargetTransformInfo &TTI);

/// What one start of a loop brings.
class ParallelWork {
public:
  /// Iterations of a statement, at most as many as the product of Extents, which are functions of
  /// the outer loops.
  struct Part {
    double IterationNs;
    llvm::SmallVector<isl::pw_aff, 4> Extents;
  };
  using CostOfIteration = llvm::function_ref<double(const polly::ScopStmt &)>;

  /// Of a loop that \p Schedule, { S[x] -> [outer..., loop] }, executes as its last dimension.
  static ParallelWork ofLoop(const isl::union_map &Schedule, CostOfIteration Cost);
  /// Of everything in \p S: no loop of it can have more, in whatever order.
  static ParallelWork ofAll(const polly::Scop &S, CostOfIteration Cost);

  /// False when isl gave up: nothing is known.
  bool isKnown() const { return IsKnown; }
  llvm::ArrayRef<Part> parts() const { return Parts; }
  /// Bounds over all starts; nothing where there is none.
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
