//===- specializer/specialize.h - the candidates of one request -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns a region's bitcode and its profile into optimised modules that compute the same results
// under their guards. Only real calls can show which of them is fastest.
// strategies/table/candidates.h lists them.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPECIALIZE_H
#define SPECRT_SPECIALIZER_SPECIALIZE_H

#include "guards/guard_list.h"
#include "specializer/module/budget.h"
#include "specializer/module/dump.h"
#include "specializer/module/notes.h"
#include "specializer/nest/model_nest.h"
#include "specializer/nest/sparsity_report.h"
#include "specializer/polyhedral/polyhedral.h"
#include "specrt/jit_api.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class TargetMachine;
}

namespace specrt {

struct CandidateModule {
  std::string Name;
  GuardList Guards; ///< in the order in which they must be checked
  std::unique_ptr<llvm::Module> M;
  bool Parallel = false;
  double OptimizeMs = 0;
  /// Name of the serial candidate that this code also is if sparse loops say so (specrt/rows.h); ""
  /// if none.
  std::string SerialTwin = {};
};

struct SpecializedRegion {
  unsigned NumCandidates = 0;
  std::vector<RejectionCause> Causes;
  Notes Told;
  ModelNest Loops;                     ///< if requested and there was time
  std::optional<SparsityReport> Zeros; ///< likewise
};

/// Receives each candidate as soon as it is ready, so that earlier candidates remain if a later one
/// uses up the budget. The module must be destroyed before the function returns.
using CandidateSink = llvm::function_ref<void(CandidateModule Candidate)>;

/// Receives the names of candidates that the region cannot have, independent of time. A name may be
/// passed twice.
using AbsenceSink = llvm::function_ref<void(llvm::StringRef Name)>;

/// Builds the candidates of \p Request, or the first possible one of Request.only, for \p TM, and
/// writes their intermediate stages to \p Files. Returns an error if the bitcode is unusable, or if
/// the budget was used up before the first candidate was ready.
llvm::Expected<SpecializedRegion> specialize(
    const specrt_jit_request &Request, llvm::TargetMachine &TM, CompileBudget &Budget, Dump &Files,
    CandidateSink Ready, AbsenceSink Absent = [](llvm::StringRef) {});

} // namespace specrt

#endif
