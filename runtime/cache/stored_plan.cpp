//===- runtime/cache/stored_plan.cpp - candidates of one plan, from and to the store ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cache/stored_plan.h"
#include "guards/guards.h"
#include "guards/words.h"
#include "runtime/base/clock.h"
#include "runtime/base/exit_gate.h"
#include "runtime/base/log.h"
#include "runtime/cache/loaded_version.h"
#include "runtime/compile/region_copy.h"

#include <algorithm>

namespace specrt {
namespace {

CompiledBody bodyFrom(const specrt_object_body &Body,
                      const std::shared_ptr<LoadedVersion> &Loaded) {
  return {.Name = Body.name,
          .Body = Body.body,
          .Stored = Loaded,
          .Guards = GuardList(Body.entry->guards),
          .Price = GuardPrice(Body.entry->guards, nsPerTick()),
          .Parallel = Body.parallel != 0,
          .Rows = Body.rows,
          .CompileMs = Body.compile_ms};
}

template <typename Names> std::string join(const Names &Some) {
  std::string List;
  for (const std::string &Name : Some)
    List += (List.empty() ? "" : ",") + Name;
  return List;
}

} // namespace

StoredPlan::StoredPlan(VersionStore &Store, const specrt_region &Region, const Assumptions &Assumed,
                       const Config &Settings, Of What)
    : Store(Store), Region(Region), Assumed(Assumed), Settings(Settings), What(What) {
  refresh();
}

VersionKey StoredPlan::keyOf(const std::string &Name) const {
  return versionKey(identity(), Region, Assumed, Name, Settings);
}

/// What exists may depend on the number of threads.
VersionKey StoredPlan::indexKey() const {
  return keyOf(What == Of::Instrumentation
                   ? "index of instrumentation"
                   : "index for " + std::to_string(workerThreads(Settings)));
}

CandidateKeys StoredPlan::keys(const specrt_region &Region, const Assumptions &Assumed,
                               const Config &Settings) {
  return [Region = std::make_shared<RegionCopy>(Region, /*WithBitcode=*/false), Assumed,
          Settings](const std::string &Name) {
    return versionKey(identity(), Region->region(), Assumed, Name, Settings).Text;
  };
}

void StoredPlan::refresh() {
  StoredVersion Stored;
  if (!Settings.readsProfile() || !Store.find(indexKey(), Stored))
    return;
  const VersionDescription &D = Stored.Description;
  Index = {
      .Absent = {D.Absent.begin(), D.Absent.end()}, .Complete = D.Complete, .CutShort = D.CutShort};
  for (const StoredCandidate &C : D.Candidates)
    Index.Present.insert(C.Name);
}

bool StoredPlan::isReady(std::span<const std::string> Names) {
  auto First = std::find_if(Names.begin(), Names.end(),
                            [&](const std::string &Name) { return !Index.Absent.count(Name); });
  return First != Names.end() && Store.has(keyOf(*First));
}

MissingCandidates StoredPlan::take(ExitGate &Gate, std::span<const std::string> Names, bool All,
                                   std::vector<CompiledBody> &Found) {
  MissingCandidates Missing;
  Missing.Absent = join(Index.Absent);
  std::vector<std::string> Left, Existing;
  for (const std::string &Name : Names) {
    if (Index.Absent.count(Name))
      continue;
    auto IsIt = [&](const CompiledBody &Body) { return Body.Name == Name; };
    bool IsThere = std::any_of(Found.begin(), Found.end(), IsIt) || load(Gate, Name, Found);
    if (IsThere && !All)
      break;
    // With all of them settled, those that were never built are superfluous.
    if (IsThere)
      Existing.push_back(Name);
    else if (!All || !Index.Complete || Index.Present.count(Name))
      Left.push_back(Name);
  }
  Missing.Any = !Left.empty();
  if (All)
    Missing.Existing = join(Existing);
  else
    Missing.Only = join(Left);
  return Missing;
}

bool StoredPlan::load(ExitGate &Gate, const std::string &Name, std::vector<CompiledBody> &Found) {
  StoredVersion Stored;
  ExitGate::Visit Guard(Gate);
  if (!Guard.admitted() || !Store.find(keyOf(Name), Stored))
    return false;
  std::string Why;
  std::shared_ptr<LoadedVersion> Loaded =
      LoadedVersion::load(Stored, Region, workerThreads(Settings), Why);
  const specrt_object_body *Body = Loaded ? Loaded->body(Name) : nullptr;
  if (!Body) {
    logLine(LogLevel::Info, "%s: the compiled version %s is not used: %s", Region.name,
            Stored.Path.c_str(), Loaded ? "it has another name" : Why.c_str());
    return false;
  }
  Found.push_back(bodyFrom(*Body, Loaded));
  logLine(LogLevel::Debug, "%s: %s from %s", Region.name, Name.c_str(), Stored.Path.c_str());
  return true;
}

uint32_t StoredPlan::begin() {
  const uint32_t Before = Index.CutShort++;
  saveIndex();
  return Before;
}

void StoredPlan::add(std::vector<SettledCandidate> Settled) {
  for (const SettledCandidate &Candidate : Settled) {
    (Candidate.Exists ? Index.Present : Index.Absent).insert(Candidate.Name);
    if (Candidate.Exists)
      put(Candidate);
  }
  Index.CutShort = 0;
  saveIndex();
}

void StoredPlan::end(bool All) {
  Index.Complete |= All;
  Index.CutShort = 0;
  saveIndex();
}

VersionDescription StoredPlan::description() const {
  VersionDescription D;
  D.Region = Region.name;
  D.Title = titleOf(Region);
  D.Function = Region.function;
  D.File = Region.file;
  D.Line = Region.line;
  D.Plan = describe(Assumed, Region);
  return D;
}

void StoredPlan::put(const SettledCandidate &Candidate) {
  if (!Candidate.Problem.empty() || !compilerIsTheExpected()) {
    if (!Candidate.Problem.empty())
      logLine(LogLevel::Info, "%s: compiled for this run only: %s", Region.name,
              Candidate.Problem.c_str());
    return;
  }
  VersionDescription D = description();
  StoredCandidate &C = D.Candidates.emplace_back();
  C.Name = Candidate.Name;
  for (const specrt_guard &Guard : Candidate.Guards)
    C.Guards.push_back(describe(Guard, Region));
  Store.put(VersionKey{Candidate.Key}, std::move(D), Candidate.Object);
}

void StoredPlan::saveIndex() {
  if (!compilerIsTheExpected())
    return;
  VersionDescription D = description();
  for (const std::string &Name : Index.Present)
    D.Candidates.push_back({.Name = Name, .Guards = {}});
  D.Absent.assign(Index.Absent.begin(), Index.Absent.end());
  D.Complete = Index.Complete;
  D.CutShort = Index.CutShort;
  Store.put(indexKey(), std::move(D), "", /*Durable=*/false);
}

} // namespace specrt
