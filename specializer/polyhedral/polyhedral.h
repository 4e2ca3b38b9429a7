//===- specializer/polyhedral/polyhedral.h - Polly, phase by phase, on one function -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polly models a loop nest and generates code from a schedule; which nests it accepts and which
// schedule it uses depends on what is known about sizes and aliasing. This room therefore uses it
// twice: explainRejections asks what stops Polly on the code as it was written, optimizeScops
// transforms a function whose sizes and disjointness have already been specialised. Polly's phases
// are called one by one so that the schedule is our choice and a compile budget is honoured.
//
// Polly keeps its options in global variables: all functions here must be called from one thread
// at a time. They leave the options as they found them.
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

/// Why a loop nest is not a static control part as it was written.
struct RejectionCause {
  std::string Kind;    ///< stable identifier: "alias", "non-affine access", "non-affine bound", ...
  std::string Message; ///< one sentence without compiler terms
  std::string Array;   ///< whose access it is about, as the code calls it; "" when unknown
  std::string File;    ///< "" when unknown
  unsigned Line = 0;   ///< 0 when unknown
  bool Speculative = false; ///< a guard on this call's values can resolve it
};

/// Runs Scop detection on \p F in keep-going mode, without run-time alias checks and without
/// guessing array shapes, and returns every cause once, in source order; empty when the whole nest
/// is a Scop as it stands. \p F must be in canonical form (addPollyCanonicalization) and is not
/// changed. (Simbürger et al. / Doerfert et al.: "all rejection causes are recorded", speculative
/// Polly, section 3.)
std::vector<RejectionCause> explainRejections(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                                              NameOfArray Names);

/// A subscript that Polly rejects as it was written, and that was modelled all the same (rows/).
struct ModelledSubscript {
  std::string Array; ///< "": without a name
  std::string File;
  unsigned Line = 0;
};

/// Removes the causes that \p Modelled answers.
void removeAnswered(std::vector<RejectionCause> &Causes,
                    llvm::ArrayRef<ModelledSubscript> Modelled);

/// Every kind that a cause may have, once each, also those that others find; static text.
std::vector<const char *> rejectionKinds();

class SchedulePolicy;

struct PolyhedralOptions {
  /// Decides about the order (schedule_policy.h). Null: that of the source.
  const SchedulePolicy *Schedule = nullptr;
  /// What to try, in this order, when a policy finds nothing in any Scop. Models and dependences,
  /// which take most of the time, are made once for as many policies as can share them.
  llvm::ArrayRef<const SchedulePolicy *> Otherwise = {};
  /// Emit loops that carry no dependence as parallel loops (calls of GOMP_* entry points).
  bool Parallel = false;
  /// Caches, registers and workers; see describeHost.
  TilingTarget Target = {};
  /// Places of expanded arrays share memory (storage/compact_storage.h). False: to measure what
  /// that gains.
  bool CompactsStorage = true;
  /// isl operations granted to a policy per Scop, and to each storage that is expanded for it; a
  /// nest of constant size needs a tenth. Beyond them isl gives up and the Scop keeps its code.
  unsigned long MaxTilingOperations = 3'000'000;
  /// True when the compile budget is used up: remaining phases are skipped and F is left valid.
  /// Null: no budget.
  llvm::function_ref<bool()> Expired = nullptr;
  /// For notes; null: arrays are called as in the model.
  NameOfArray Names = nullptr;
  /// Receives Scops, schedules and syntax trees for SPECRT_DUMP; may be null.
  llvm::raw_ostream *Dump = nullptr;

  const SchedulePolicy &first() const;
  bool isExpired() const { return Expired && Expired(); }
};

/// Why a loop that may run in parallel does not; see schedule/parallel_work.h.
inline constexpr const char *TooShortNote = "no parallel loop with enough work";

/// What came of one policy.
struct PolicyOutcome {
  std::string Notes; ///< one line per Scop: what was done, or why not
  /// Some Scop is what the policy looks for; whether it pays depends on the number of workers.
  bool DependsOnWorkers = false;
};

struct PolyhedralResult : PolicyOutcome {  // of the last policy that was tried
  unsigned NumGenerated = 0;               ///< Scops replaced by generated code; 0: F is unchanged
  unsigned NumParallel = 0;                ///< parallel loops emitted
  unsigned NumTooShort = 0;                ///< others that have too little to do per start
  int64_t ExpandedBytes = 0;               ///< memory of expanded values without sharing
  int64_t CompactBytes = 0;                ///< the same with sharing
  unsigned NumKernels = 0;                 ///< calls of contraction kernels emitted
  std::vector<std::string> Orders;         ///< what policies say about the orders that they chose
  std::vector<std::string> Storage;        ///< what each array takes whose places share memory
  std::vector<ModelledSubscript> Modelled; ///< if any code was generated
  bool IsInvalid = false;   ///< F must not be used: addresses of rows (rows/) were lost on the way
  bool AreTooLarge = false; ///< all Scops, for their dependences to be computed
  /// The policies before, which found nothing. Those that come after the last one in Otherwise need
  /// models of their own, in another call.
  std::vector<PolicyOutcome> Passed;
};

/// Models every maximal Scop of \p F, has the policy choose a schedule and regenerates code. \p F
/// must be in Polly's canonical form (see canonicalizeForPolly). Analyses of \p F in \p FAM are
/// invalidated. Never aborts on isl errors or exceeded limits: the Scop concerned keeps its
/// original code.
PolyhedralResult optimizeScops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                               const PolyhedralOptions &Options);

/// Adds the passes that bring a function into the form Polly expects: promoted scalars, simplified
/// and rotated loops with canonical induction variables.
void addPollyCanonicalization(llvm::FunctionPassManager &FPM);

/// The pipeline for a module with functions that optimizeScops changed, in place of PassBuilder's
/// default one. The default one would fully unroll the short loops of a register tile before the
/// vectoriser sees them; here they are vectorised first, then unrolled, and the tile's results are
/// promoted to registers. Inlining must have happened before optimizeScops.
llvm::ModulePassManager buildPipelineAfterPolly(llvm::PassBuilder &PB);

} // namespace specrt

#endif
