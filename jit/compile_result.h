//===- jit/compile_result.h - the answer to a compile request -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_JIT_COMPILE_RESULT_H
#define SPECRT_JIT_COMPILE_RESULT_H

#include "guards/guard_list.h"
#include "specializer/module/notes.h"
#include "specializer/nest/model_nest.h"
#include "specializer/nest/sparsity_report.h"
#include "specializer/polyhedral/polyhedral.h"
#include "specrt/jit_api.h"
#include <deque>
#include <string>
#include <vector>

namespace specrt {

/// A specrt_jit_result together with everything it points to. It is filled with the add functions
/// and then sealed; from then on a caller may hold the pointer until it frees the result.
class CompileResult {
public:
  /// Adds \p Candidate, which has no name and no guards yet; the result keeps both. The returned
  /// reference is valid until the next call.
  const specrt_jit_candidate &addCandidate(specrt_jit_candidate Candidate, const std::string &Name,
                                           GuardList Guards);
  void addCause(const RejectionCause &Cause);
  void addNote(const Note &Line);
  void setLoops(ModelNest Told) { Loops = std::move(Told); }
  void setZeros(const SparsityReport &Report);
  bool hasCandidates() const { return !Candidates.empty(); }

  /// Completes the plain result and returns it. With an \p Error other than "" it has no
  /// candidates.
  const specrt_jit_result *seal(const std::string &Error, double TotalMs);

  /// The object that seal's result belongs to.
  static CompileResult *from(const specrt_jit_result *View);

private:
  const char *keep(const std::string &Text);

  /// The first member, because from() relies on its address.
  specrt_jit_result View{};
  std::string Problem;
  std::deque<std::string> Strings;
  std::deque<GuardList> Guards; ///< by candidate
  std::vector<specrt_jit_candidate> Candidates;
  std::vector<specrt_jit_cause> Causes;
  std::vector<specrt_jit_note> Told;
  ModelNest Loops;
};

} // namespace specrt

#endif
