//===- specializer/polyhedral/scop_survey.h - counts regions that are Scops -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts what figures 1 and 3 of speculative Polly (Doerfert et al., 2013) show: how many regions
// of a program are Scops, how many would be if guards resolved what static analysis cannot, and the
// causes that reject the others. A region is one of LLVM's region tree that contains a loop; it is
// a candidate if Polly considers it, that is, if it is not inside of a Scop.
//
// A cause counts as resolved by a conservative check of the code: a subscript that would be affine
// for constant parameters, a size, row pointers or an index array that every call reads and that
// the region does not write. Whether the values recur is known only at run time.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_SCOP_SURVEY_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_SCOP_SURVEY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/PassManager.h"
#include <cstdint>
#include <vector>

namespace specrt {

/// Why regions are rejected, for counting.
struct ScopCause {
  const char *Name;    ///< stable identifier
  const char *Meaning; ///< what resolves it, or what it is; a few words
  bool Speculative;    ///< libspecrt answers it at run time
};

/// Returns all causes; those that can be resolved come first. Cumulative numbers follow this order.
llvm::ArrayRef<ScopCause> scopCauses();

struct ScopCauseCount {
  uint64_t Affected = 0;   ///< rejected regions that show it
  uint64_t Sole = 0;       ///< affected regions with no other cause
  uint64_t Cumulative = 0; ///< rejected regions that show only this one and those before it
};

struct ScopCounts {
  uint64_t Scops = 0;       ///< maximal Scops of the code as it is
  uint64_t Checked = 0;     ///< the same with Polly's own run-time checks and guesses of shapes
  uint64_t Speculative = 0; ///< maximal Scops if everything is resolved that can be; contains Scops
  uint64_t Rejected = 0;    ///< rejected candidates; all other candidates are Scops
  std::vector<ScopCauseCount> Causes{scopCauses().size()}; ///< in the order of scopCauses()
};

/// Adds the regions of \p F, which must be in canonical form (addPollyCanonicalization) and is not
/// changed. Temporarily changes Polly's options, so only one thread may run it at a time.
void surveyScops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM, ScopCounts &To);

} // namespace specrt

#endif
