//===- specializer/polyhedral/parallel_start.h - which starts of parallel loops wake threads -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between a syntax tree with parallel loops and their code: is there enough to do each time such a
// loop starts (schedule/parallel_work.h)? Where that differs from start to start, because sizes are
// unknown or a triangle gets narrow, code decides before each.
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

/// The same, with memory of each thread; see runtime/parallel/parallel.h.
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

/// Does \p F, which may be null, start the function of a parallel loop that it is given first?
bool isParallelStart(const llvm::Function *F);

/// Is \p Iterator an operand of \p E?
bool mentions(const isl::ast_expr &E, const isl::id &Iterator);

class ParallelStart {
public:
  /// Of the loop \p For, which pays when it has work of \p LeastNs.
  ParallelStart(const isl::ast_node &For, const llvm::TargetTransformInfo &TTI, double LeastNs);

  bool neverPays() const;

  using CreateInteger = llvm::function_ref<llvm::Value *(const isl::ast_expr &)>;
  /// Code that says whether this start pays; null when every start does, or when that cannot be
  /// told. \p Create makes 64-bit integers.
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

/// The parallel loop whose code ends where \p Builder is runs on one thread unless \p Pays.
void startThreadsIf(polly::PollyIRBuilder &Builder, llvm::Value *Pays);

} // namespace specrt

#endif
