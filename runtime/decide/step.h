//===- runtime/decide/step.h - the steps of the worker for a region -------===//
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

/// The kind of calls on which a time was measured.
enum class Measured : uint8_t {
  OnColdCalls, ///< the first of a run, or calls whose memory was new, maybe with some others
  OnWarmCalls,
  OnBoth ///< a mean over both, which no call takes
};

/// Returns the kind of \p All calls, of which \p Cold are cold.
constexpr Measured measuredOn(uint64_t Cold, uint64_t All) {
  if (Cold == 0)
    return Measured::OnWarmCalls;
  return Cold >= All ? Measured::OnColdCalls : Measured::OnBoth;
}

/// Publishes the winner of an earlier run without a trial. Times are per call.
struct PublishProven {
  std::string Candidate = {};
  double BaselineNs = 0, BodyNs = 0;
  double CompileNs = 0;   ///< expected time if it has to be compiled
  double GainInPlace = 0; ///< see Version
  uint32_t SlowerRuns = 0;
};

/// Tries candidates against the code in use.
struct TryCandidates {
  /// Names, separated by commas: only the first that exists is compiled, for a quick first version;
  /// the others follow if there are more calls. "": all.
  std::string OneOf = {};
  double BaselineNs = 0; ///< measured per call; 0: unknown
  Measured Baseline = Measured::OnColdCalls;
};

/// Tries the candidates that no run has measured against the best known version.
struct TryOthers {
  double BestNs = 0; ///< time per call with the best known version
  Measured Best = Measured::OnColdCalls;
  double OriginalNs = 0; ///< time per call of the original; 0: unknown
};

/// Replaces the rest of a running call, or a part of it.
struct ResumeCall {
  uint64_t FirstIteration = 0; ///< of the outermost loop
  uint64_t EndIteration = 0;   ///< the first iteration that is not done; 0: all are done
  double Ns = 0;               ///< estimated time of these iterations in the original
};

/// Makes one call run an instrumented version, and uses its data.
struct InstrumentCall {};

/// A unit of the worker's work for a region.
struct Step {
  SpeculationPlan Plan = {};
  std::variant<TryCandidates, TryOthers, PublishProven, ResumeCall, InstrumentCall> What = {};
  bool AfterMoreCalls = false; ///< waits until the region is called again

  template <typename T> const T *as() const { return std::get_if<T>(&What); }

  /// Returns the names of candidates of which the first that exists is wanted; "": all.
  const std::string &wanted() const {
    static const std::string All;
    if (const auto *Proven = as<PublishProven>())
      return Proven->Candidate;
    const auto *Try = as<TryCandidates>();
    return Try ? Try->OneOf : All;
  }

  /// Returns the time of a call without the step; 0: unknown.
  double baselineNs() const {
    if (const auto *Proven = as<PublishProven>())
      return Proven->BaselineNs;
    if (const auto *Others = as<TryOthers>())
      return Others->BestNs;
    if (const auto *Rest = as<ResumeCall>())
      return Rest->Ns;
    const auto *Try = as<TryCandidates>();
    return Try ? Try->BaselineNs : 0;
  }

  /// Returns the time of a call of the original; 0: unknown.
  double originalNs() const {
    const auto *Others = as<TryOthers>();
    return Others ? Others->OriginalNs : baselineNs();
  }

  /// Returns the kind of calls on which baselineNs() was measured.
  Measured baseline() const {
    if (const auto *Others = as<TryOthers>())
      return Others->Best;
    const auto *Try = as<TryCandidates>();
    return Try ? Try->Baseline : Measured::OnColdCalls;
  }
};

/// A step under way, with the settings and the store with which it began. A program may change them
/// meanwhile, and results for the old settings must not be stored as results for the new ones.
struct Task {
  Step Doing = {};
  Config Settings = {};
  std::shared_ptr<VersionStore> Store = nullptr; ///< null: nothing is loaded or stored

  const Assumptions &assumed() const { return Doing.Plan.Assumed; }
};

} // namespace specrt

#endif
