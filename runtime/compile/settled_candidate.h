//===- runtime/compile/settled_candidate.h - what a compile gives before it ends ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_COMPILE_SETTLED_CANDIDATE_H
#define SPECRT_RUNTIME_COMPILE_SETTLED_CANDIDATE_H

#include "guards/guard_list.h"
#include "specrt/jit_api.h"
#include <functional>
#include <string>

namespace specrt {

/// A candidate that exists, as the shared object that holds it alone, or one that does not.
struct SettledCandidate {
  std::string Name;
  bool Exists = false;
  GuardList Guards = {};
  std::string Key = {};     ///< that the object was linked with
  std::string Object = {};  ///< its bytes
  std::string Problem = {}; ///< why there is no object; one sentence, or ""
};

/// The key of the candidate with this name. Called on the thread that compiles, which may outlive
/// the request.
using CandidateKeys = std::function<std::string(const std::string &Name)>;

/// Links a candidate whose compile has not ended.
SettledCandidate linkCandidate(const specrt_jit_api &Api, const specrt_region &Region,
                               const specrt_jit_candidate &Candidate, const std::string &Key);

} // namespace specrt

#endif
