//===- runtime/decide/optimizer.h - the worker's decisions ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes a region from hot to specialised, retired or blocked:
//
//   hot -> plans -> compile the next plan -> trial -> publish or retire -> next plan ... -> settle
//
// One plan at a time: a later plan's trial competes against what is already published. All member
// functions run on the worker thread; the registry's mutex is taken for each change and never
// held while compiling.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_DECIDE_OPTIMIZER_H
#define SPECRT_RUNTIME_DECIDE_OPTIMIZER_H

#include "runtime/cache/stored_plan.h"
#include "runtime/decide/registry.h"
#include "runtime/decide/verdict.h"

namespace specrt {

class RegionOptimizer {
public:
  explicit RegionOptimizer(Registry &R);

  /// Serves the requests (bits of Request) of one region. May throw std::bad_alloc.
  void process(RegionState &S, uint32_t Requests);

  /// Called after process has thrown: the region keeps its published versions or the original.
  /// Allocates only the reason's text.
  void giveUp(RegionState &S, const char *Why) noexcept;

  /// Takes the data of instrumented calls, without waiting for a compile that is under way, because
  /// the process may end first. Other work waits.
  void learnFromCalls() noexcept;

  /// Frees objects that are not used any more; returns true while something is left to free.
  bool reclaim() { return Garbage.poll(); }

private:
  using Bodies = std::vector<CompiledBody>;

  // optimizer.cpp: from a hot region to a trial.
  void planHotRegion(RegionDetail &D);
  void advance(RegionDetail &D);
  bool continueSteps(RegionDetail &D);
  bool runStep(RegionDetail &D);
  bool replacePlan(const RegistryLock &Guard, RegionDetail &D);
  void addSteps(const RegistryLock &Guard, RegionDetail &D,
                const std::vector<SpeculationPlan> &Plans, Measured Baseline);
  /// The result of obtaining candidates. For all values but the first, asking for others is
  /// useless.
  enum class Answer : uint8_t { Asked, NothingFits, NoCompiler, TooEarly };
  Answer obtainCandidates(RegionDetail &D, const Task &T, Bodies &Found);
  Answer compileCandidates(RegionDetail &D, const Task &T, const MissingCandidates &Missing,
                           StoredPlan *Stored, Bodies &Found);
  static Priority priorityFor(const RegionState &S, const Config &Settings);
  Answer beginCompile(RegionDetail &D, const Task &T, const MissingCandidates &Missing,
                      CompileRequest &Request);
  Answer failCompile(RegionDetail &D, const Task &T, const FailureMessage &Failure);
  void loadSent(const specrt_region &Region, const Task &T, const CandidateMessage &Sent,
                Bodies &Found);
  void collect(const RegistryLock &Guard, RegionDetail &D, const Task &T, const CompileAnswer &Told,
               Bodies New, Bodies &Found);
  void dropKnown(const RegistryLock &Guard, RegionDetail &D, Bodies &Found);
  bool startTrial(const RegistryLock &Guard, RegionDetail &D, Bodies Found);

  // instrument.cpp: instrumented versions and the data of their calls.
  Step instrumentStep(const RegistryLock &Guard, RegionDetail &D);
  bool instrumentsFirst(const RegistryLock &Guard, RegionDetail &D, Bodies &Found);
  bool wantsInstrumented(const RegistryLock &Guard, const RegionDetail &D) const;
  bool runInstrumentation(RegionDetail &D);
  std::unique_ptr<InstrumentedCall> makeInstrumented(RegionDetail &D, const Task &T);
  void takeStreams(RegionDetail &D);
  void learnFromCall(RegionDetail &D);
  void learnRows(const RegistryLock &Guard, RegionDetail &D, std::vector<RowsOfLoop> Shown);
  void planSequences(const RegistryLock &Guard, RegionDetail &D);
  void learnNest(const RegistryLock &Guard, RegionDetail &D, Nest Shown);
  void learnZeros(const RegistryLock &Guard, RegionDetail &D, ZeroEquations::Texts Told);
  void learnCode(const RegistryLock &Guard, RegionDetail &D, const CompileAnswer &Told);
  void learnStreams(const RegistryLock &Guard, RegionDetail &D, CallStreams Shown);
  bool keepsCallsWaiting(const RegistryLock &Guard, RegionDetail &D) const;
  void endInstrumented(const RegistryLock &Guard, RegionDetail &D);

  // decide.cpp: from a trial to a version, and from a version to its end.
  void decide(RegionDetail &D);
  void recordOutcome(const RegistryLock &Guard, RegionDetail &D, const Verdict &V, bool Published);
  bool publish(RegionDetail &D, const CompiledBody &Winner, double BaselineNs, double BodyNs);
  void makeRoom(const RegistryLock &Guard, RegionDetail &D, const Version &New);
  void retireVersion(const RegistryLock &Guard, RegionDetail &D, Version &V,
                     const std::string &Why);
  void waitForCalls(const RegistryLock &Guard, RegionDetail &D);
  void postpone(const RegistryLock &Guard, RegionDetail &D);
  void discard(const RegistryLock &Guard, RegionDetail &D, Bodies &Unused);
  void discard(const RegistryLock &Guard, RegionDetail &D, CompiledBody &Unused);
  void resume(const RegistryLock &Guard, RegionDetail &D);
  void learnAgain(const RegistryLock &Guard, RegionDetail &D);
  void settle(const RegistryLock &Guard, RegionDetail &D);
  void review(RegionDetail &D);
  void restart(const RegistryLock &Guard, RegionDetail &D);
  void endTrial(const RegistryLock &Guard, RegionDetail &D);

  // depart.cpp: from an image that was unloaded to the same one that is loaded again.
  void depart(const RegistryLock &Guard, RegionDetail &D, bool IsLast);
  void mergeUnloaded(const RegistryLock &Guard, RegionDetail &D);

  // compare_in_place.cpp: the cost of a version for the rest of the program.
  void compareInPlace(const RegistryLock &Guard, RegionDetail &D);
  bool endComparison(const RegistryLock &Guard, RegionDetail &D);

  // osr/serve_running_call.cpp: versions for the rest of a running call.
  void serveRunningCall(RegionDetail &D);
  void compilePart(RegionDetail &D, Task &T, const ResumeCall &Part, std::string Names,
                   Bodies &Found);
  void compileRest(RegionDetail &D, const SpeculationPlan &Plan, const ResumeCall &Begin,
                   double RestNs, uint64_t Iterations);
  bool canPrepareNextRun(const RegionDetail &D) const;
  void compileForNextRun(RegionDetail &D, const SpeculationPlan &Plan);
  void retireOsr(const RegistryLock &Guard, RegionDetail &D);
  void endOsr(RegionDetail &D);

  Registry &R;
  Reclaimer Garbage;
  std::vector<RegionDetail *> Awaiting; ///< regions that await an instrumented call, or its data
};

} // namespace specrt

#endif
