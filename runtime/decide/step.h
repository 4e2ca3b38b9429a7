//===- runtime/decide/step.h - what is to be done for a region next -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_DECIDE_STEP_H
#define SPECRT_RUNTIME_DECIDE_STEP_H

#include "profiler/plans/plan.h"
#include "runtime/base/config.h"
#include <memory>
#include <string>
#include <variant>

namespace specrt {

class VersionStore;

/// On what calls a time was measured.
enum class Measured : uint8_t {
  OnColdCalls, ///< the first of a run, or calls whose memory was new; maybe some others, too
  OnWarmCalls,
  OnBoth ///< it is no call's time
};

/// \p Cold of all calls are cold.
constexpr Measured measuredOn(uint64_t Cold, uint64_t All) {
  if (Cold == 0)
    return Measured::OnWarmCalls;
  return Cold >= All ? Measured::OnColdCalls : Measured::OnBoth;
}

/// Publish the winner of an earlier run, without a trial. Times are per call.
struct PublishProven {
  std::string Candidate = {};
  double BaselineNs = 0, BodyNs = 0;
  double CompileNs = 0; ///< expected, should it have to be compiled
  double PaceGain = 0;  ///< see Version
  uint32_t SlowerRuns = 0;
};

/// Have candidates compete with what runs now.
struct TryCandidates {
  /// Names, separated by commas: only the first that exists is wanted, as the quickest way to a
  /// first version; the others follow when there are more calls. "": all.
  std::string OneOf = {};
  double BaselineNs = 0; ///< measured per call; 0: unknown
  Measured Baseline = Measured::OnColdCalls;
};

/// Have those candidates compete with the best known version that no run has measured.
struct TryOthers {
  double BestNs = 0; ///< per call, with the best known
  Measured Best = Measured::OnColdCalls;
  double OriginalNs = 0; ///< per call of the original; 0: unknown
};

/// Do the rest of a call that is running.
struct ResumeCall {
  uint64_t FirstIteration = 0; ///< of the outermost loop
  double RestNs = 0;           ///< in the original, estimated
};

/// Have one call run an instrumented version, and look at what it shows.
struct InstrumentCall {};

/// One thing to do for a region.
struct Step {
  SpeculationPlan Plan = {};
  std::variant<TryCandidates, TryOthers, PublishProven, ResumeCall, InstrumentCall> What = {};
  bool AfterMoreCalls = false; ///< only worth it when the region goes on being called

  template <typename T> const T *as() const { return std::get_if<T>(&What); }

  /// Names of candidates of which the first that exists is wanted; "": all.
  const std::string &wanted() const {
    static const std::string All;
    if (const auto *Proven = as<PublishProven>())
      return Proven->Candidate;
    const auto *Try = as<TryCandidates>();
    return Try ? Try->OneOf : All;
  }

  /// What a call takes without the step; 0: unknown.
  double baselineNs() const {
    if (const auto *Proven = as<PublishProven>())
      return Proven->BaselineNs;
    if (const auto *Others = as<TryOthers>())
      return Others->BestNs;
    if (const auto *Rest = as<ResumeCall>())
      return Rest->RestNs;
    const auto *Try = as<TryCandidates>();
    return Try ? Try->BaselineNs : 0;
  }

  /// What a call of the original takes; 0: unknown.
  double originalNs() const {
    const auto *Others = as<TryOthers>();
    return Others ? Others->OriginalNs : baselineNs();
  }

  /// On which calls that was measured.
  Measured baseline() const {
    if (const auto *Others = as<TryOthers>())
      return Others->Best;
    const auto *Try = as<TryCandidates>();
    return Try ? Try->Baseline : Measured::OnColdCalls;
  }
};

/// A step under way, with the settings and the store that it was begun with. A program may change
/// them meanwhile: what was made with the old ones must not be stored as made with the new ones.
struct Task {
  Step Doing = {};
  Config Settings = {};
  std::shared_ptr<VersionStore> Store = nullptr; ///< null: nothing is loaded or stored

  const Assumptions &assumed() const { return Doing.Plan.Assumed; }
};

} // namespace specrt

#endif
