//===- specializer/polyhedral/polyhedral.h - models and reorders nests with Polly -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polly models a loop nest and generates code from a schedule; the nests it accepts and the
// schedule it uses depend on what is known about sizes and aliasing. It is used in two ways:
// explainRejections finds what prevents a model of the code as written, and optimizeScops
// transforms a function whose sizes and disjointness have been specialised. Polly's phases are
// called one by one, so that a policy chooses the schedule and the compile budget is honoured.
//
// Polly keeps its options in global variables: all functions here must be called from one thread at
// a time. They restore the options.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_POLYHEDRAL_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_POLYHEDRAL_H

#include "specializer/polyhedral/schedule/array_name.h"
#include "specializer/polyhedral/schedule/tiling_target.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"
#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class PassBuilder;
class Value;
} // namespace llvm

namespace specrt {

/// Why a loop nest as written is not a static control part.
struct RejectionCause {
  std::string Kind;    ///< stable identifier: "alias", "non-affine access", "non-affine bound", ...
  std::string Message; ///< one sentence without compiler terms
  std::string Array;   ///< array of the access, as the code names it; "" when unknown
  std::string File;    ///< "" when unknown
  unsigned Line = 0;   ///< 0 when unknown
  bool Speculative = false; ///< a guard on this call's values can resolve it
};

/// Runs Scop detection on \p F in keep-going mode, without run-time alias checks and without
/// guessing array shapes. Returns every cause once, in source order; none if the whole nest is a
/// Scop. \p F must be in canonical form (addPollyCanonicalization) and is not changed. (Simbürger
/// et al. / Doerfert et al.: "all rejection causes are recorded", speculative Polly, section 3.)
std::vector<RejectionCause> explainRejections(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                                              NameOfArray Names);

/// A subscript that Polly rejects as written, but that was modelled nevertheless (rows/).
struct ModelledSubscript {
  std::string Array; ///< "": without a name
  std::string File;
  unsigned Line = 0;
};

/// Removes the causes that \p Modelled resolves.
void removeAnswered(std::vector<RejectionCause> &Causes,
                    llvm::ArrayRef<ModelledSubscript> Modelled);

/// Returns every kind of cause once, including those that other code finds; static text.
std::vector<const char *> rejectionKinds();

class SchedulePolicy;

struct PolyhedralOptions {
  /// Decides about the order (schedule_policy.h). Null: the order of the source.
  const SchedulePolicy *Schedule = nullptr;
  /// Policies to try, in this order, if one finds nothing in any Scop. Models and dependences,
  /// which take most of the time, are shared by as many policies as possible.
  llvm::ArrayRef<const SchedulePolicy *> Otherwise = {};
  /// Emit loops that carry no dependence as parallel loops (calls of GOMP_* entry points).
  bool Parallel = false;
  /// Caches, registers and workers; see describeHost.
  TilingTarget Target = {};
  /// Places of expanded arrays share memory (storage/compact_storage.h). False only for
  /// measurements.
  bool CompactsStorage = true;
  /// isl operations granted to a policy per Scop, and to each expansion of storage for it; a nest
  /// of constant size needs a tenth. Beyond them isl gives up and the Scop keeps its code.
  unsigned long MaxTilingOperations = 3'000'000;
  /// Returns true if the compile budget is used up: remaining phases are skipped and F is left
  /// valid. Null: no budget.
  llvm::function_ref<bool()> Expired = nullptr;
  /// Names of arrays in notes; null: as in the model.
  NameOfArray Names = nullptr;
  /// Receives Scops, schedules and syntax trees for SPECRT_DUMP; may be null.
  llvm::raw_ostream *Dump = nullptr;

  const SchedulePolicy &first() const;
  bool isExpired() const { return Expired && Expired(); }
};

/// Note for parallelisable loops that stay serial; see schedule/parallel_work.h.
inline constexpr const char *TooShortNote = "no parallel loop with enough work";

/// The result of one policy.
struct PolicyOutcome {
  std::string Notes; ///< one line per Scop: what was done, or why not
  /// Some Scop suits the policy; whether it pays depends on the number of workers.
  bool DependsOnWorkers = false;
};

struct PolyhedralResult : PolicyOutcome {  // of the last policy that was tried
  unsigned NumGenerated = 0;               ///< Scops replaced by generated code; 0: F is unchanged
  unsigned NumParallel = 0;                ///< parallel loops emitted
  unsigned NumTooShort = 0;                ///< other parallel loops, with too little work per start
  int64_t ExpandedBytes = 0;               ///< memory of expanded values without sharing
  int64_t CompactBytes = 0;                ///< the same with sharing
  unsigned NumKernels = 0;                 ///< calls of contraction kernels emitted
  std::vector<std::string> Orders;         ///< descriptions of the orders that policies chose
  std::vector<std::string> Storage;        ///< memory of each array whose places share memory
  std::vector<ModelledSubscript> Modelled; ///< if any code was generated
  bool IsInvalid = false;   ///< F must not be used: addresses of rows (rows/) could not be followed
  bool AreTooLarge = false; ///< all Scops are too large to compute their dependences
  /// The policies before, which found nothing. Policies after the last one in Otherwise need models
  /// of their own, in another call.
  std::vector<PolicyOutcome> Passed;
};

/// Models every maximal Scop of \p F, lets the policy choose a schedule and regenerates code. \p F
/// must be in Polly's canonical form (see canonicalizeForPolly). Invalidates analyses of \p F in \p
/// FAM. Never aborts on isl errors or exceeded limits: the affected Scop keeps its original code.
PolyhedralResult optimizeScops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                               const PolyhedralOptions &Options);

/// Adds the passes that bring a function into the form that Polly expects: promoted scalars,
/// simplified and rotated loops with canonical induction variables.
void addPollyCanonicalization(llvm::FunctionPassManager &FPM);

/// Returns the pipeline for a module with functions that optimizeScops changed, in place of
/// PassBuilder's default one. The default one would fully unroll the short loops of a register tile
/// before the vectoriser sees them; here they are vectorised first, then unrolled, and the tile's
/// results are promoted to registers. Inlining must have happened before optimizeScops.
llvm::ModulePassManager buildPipelineAfterPolly(llvm::PassBuilder &PB);

} // namespace specrt

#endif
