//===- specializer/polyhedral/parallel_start.h - starts parallel loops only if they pay -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Works between a syntax tree with parallel loops and their code: decides whether each start of
// such a loop has enough work (schedule/parallel_work.h). If that differs from start to start,
// because sizes are unknown or a triangle gets narrow, code decides before each start.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_PARALLEL_START_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_PARALLEL_START_H

#include "polly/CodeGen/IRBuilder.h"
#include "specializer/polyhedral/schedule/parallel_work.h"
#include "llvm/ADT/StringRef.h"

namespace specrt {

/// Name of the entry point that starts a parallel loop in Polly's GNU OpenMP back end.
inline constexpr llvm::StringLiteral ParallelLoopStart = "GOMP_parallel_loop_runtime_start";

/// Starts a parallel loop with memory for each thread; see runtime/parallel/parallel.h.
inline constexpr llvm::StringLiteral PrivateLoopStart = "GOMP_parallel_private_loop_start";
/// Starts a loop whose threads wait for each other, and the function with which they do.
inline constexpr llvm::StringLiteral PipelineStart = "GOMP_parallel_pipeline_start";
inline constexpr llvm::StringLiteral PipelineStep = "GOMP_loop_step";
/// Starts loops that threads may share as one, and takes iterations of one of them.
inline constexpr llvm::StringLiteral NestStart = "GOMP_parallel_nest_start";
inline constexpr llvm::StringLiteral NestNext = "GOMP_loop_nest_next";
/// Returns the memory of a thread.
inline constexpr llvm::StringLiteral PrivateMemoryName = "GOMP_loop_private";
/// Takes the next chunk of iterations.
inline constexpr llvm::StringLiteral ParallelLoopNext = "GOMP_loop_runtime_next";

/// Returns whether \p F, which may be null, starts the function of a parallel loop that is its
/// first argument.
bool isParallelStart(const llvm::Function *F);

/// Returns whether \p Iterator is an operand of \p E.
bool mentions(const isl::ast_expr &E, const isl::id &Iterator);

class ParallelStart {
public:
  /// Describes the loop \p For, which pays if a start has work of \p LeastNs nanoseconds.
  ParallelStart(const isl::ast_node &For, const llvm::TargetTransformInfo &TTI, double LeastNs);

  bool neverPays() const;

  using CreateInteger = llvm::function_ref<llvm::Value *(const isl::ast_expr &)>;
  /// Emits an i1 that says whether this start pays; null if every start does, or if that is
  /// unknown. \p Create emits 64-bit integers.
  llvm::Value *createCheck(polly::PollyIRBuilder &Builder, CreateInteger Create) const;

private:
  llvm::Value *createWork(const ParallelWork::Part &Part, polly::PollyIRBuilder &Builder,
                          CreateInteger Create) const;

  isl::ast_node For;
  double LeastNs;
  ParallelWork Work;
};

/// Returns the call that starts the parallel loop whose code ends where \p Builder is; null if
/// there is none.
llvm::CallInst *startBefore(polly::PollyIRBuilder &Builder);

/// Attaches the constant bounds of the parallel loop whose code ends at \p Builder to the bounds of
/// its chunks. Without them LLVM assumes that indices overflow, and turns vectors of constant
/// length into loops.
void boundChunks(polly::PollyIRBuilder &Builder);

/// Makes the parallel loop whose code ends at \p Builder run on one thread unless \p Pays is true.
void startThreadsIf(polly::PollyIRBuilder &Builder, llvm::Value *Pays);

} // namespace specrt

#endif
