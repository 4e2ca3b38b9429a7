//===- specializer/polyhedral/scop_survey.h - how many regions are Scops --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts what figures 1 and 3 of speculative Polly (Doerfert et al., 2013) show: how many regions
// of a program are Scops, how many would be if guards answered what static analysis cannot, and
// which causes stand against the others. A region is one of LLVM's region tree that contains a
// loop; it is a candidate when Polly looks at it, that is, when it is not inside of a Scop.
//
// Which causes count as answered is decided from the code and on the safe side: a subscript that
// would be affine for constant parameters, a size, row pointers or an index array that every call
// reads and that the region does not write. Whether the values recur is known at run time only.
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
  const char *Meaning; ///< what answers it, or what it is; a few words
  bool Speculative;    ///< libspecrt answers it at run time
};

/// All of them; those that are answered come first. Cumulative numbers follow this order.
llvm::ArrayRef<ScopCause> scopCauses();

struct ScopCauseCount {
  uint64_t Affected = 0;   ///< rejected regions that show it
  uint64_t Sole = 0;       ///< of them those that show nothing else
  uint64_t Cumulative = 0; ///< rejected regions that show only this one and those before it
};

struct ScopCounts {
  uint64_t Scops = 0;       ///< maximal ones, of the code as it is
  uint64_t Checked = 0;     ///< the same with Polly's own run-time checks and guesses of shapes
  uint64_t Speculative = 0; ///< maximal ones where all is answered that can be; contains Scops
  uint64_t Rejected = 0;    ///< candidates are these and Scops
  std::vector<ScopCauseCount> Causes{scopCauses().size()}; ///< in the order of scopCauses()
};

/// Adds the regions of \p F, which must be in canonical form (addPollyCanonicalization) and is not
/// changed. Changes Polly's options meanwhile: one thread at a time.
void surveyScops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM, ScopCounts &To);

} // namespace specrt

#endif
