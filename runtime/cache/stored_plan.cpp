//===- runtime/cache/stored_plan.cpp - stores and loads the candidates of a plan ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cache/stored_plan.h"
#include "guards/guards.h"
#include "guards/words.h"
#include "runtime/base/clock.h"
#include "runtime/base/exit_gate.h"
#include "runtime/base/log.h"
#include "runtime/cache/loaded_version.h"

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
                       const Config &Settings)
    : Store(Store), Region(Region), Assumed(Assumed), Settings(Settings) {
  refresh();
}

VersionKey StoredPlan::keyOf(const std::string &Name) const {
  return versionKey(identity(), Region, Assumed, Name, Settings);
}

/// The set of candidates may depend on the number of threads.
VersionKey StoredPlan::indexKey() const {
  return keyOf("index for " + std::to_string(workerThreads(Settings)));
}

/// Each directory may have an index; all of them are valid and are merged.
void StoredPlan::refresh() {
  if (!Settings.readsProfile())
    return;
  const std::vector<StoredVersion> All = Store.findAll(indexKey());
  if (!All.empty())
    Index = {};
  for (const StoredVersion &Stored : All) {
    const VersionDescription &D = Stored.Description;
    Index.Absent.insert(D.Absent.begin(), D.Absent.end());
    Index.Complete |= D.Complete;
    if (!Index.Replays)
      Index.Replays = D.Replays;
    for (const StoredCandidate &C : D.Candidates)
      Index.Present.insert(C.Name);
  }
}

bool StoredPlan::isReady(std::span<const std::string> Names) {
  auto First = std::find_if(Names.begin(), Names.end(),
                            [&](const std::string &Name) { return !Index.Absent.count(Name); });
  return First != Names.end() && Store.has(keyOf(*First));
}

/// \p IsThere returns for each candidate that may exist whether it need not be compiled.
template <class Predicate>
MissingCandidates StoredPlan::missingOf(std::span<const std::string> Names, bool All,
                                        Predicate IsThere) const {
  MissingCandidates Missing;
  Missing.Absent = join(Index.Absent);
  std::vector<std::string> Left, Existing;
  for (const std::string &Name : Names) {
    if (Index.Absent.count(Name))
      continue;
    const bool Exists = IsThere(Name);
    if (Exists && !All)
      break;
    // If all of them are settled, candidates that were never built are superfluous.
    if (Exists)
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

MissingCandidates StoredPlan::missing(std::span<const std::string> Names, bool All) {
  return missingOf(Names, All, [&](const std::string &Name) { return Store.has(keyOf(Name)); });
}

MissingCandidates StoredPlan::missing() {
  const std::vector<std::string> Known(Index.Present.begin(), Index.Present.end());
  MissingCandidates Missing = missing(Known, /*All=*/true);
  Missing.Any = Missing.Any || !Index.Complete;
  return Missing;
}

bool StoredPlan::needsReplay() const {
  return !Index.Replays || (Index.Replays->Problem.empty() && Index.Replays->lackTimes());
}

std::vector<StoredObject> StoredPlan::objects() {
  std::vector<StoredObject> All;
  for (const std::string &Name : Index.Present)
    if (StoredVersion Stored; Store.find(keyOf(Name), Stored))
      All.push_back({Name, Stored.Description.Key, std::string(Stored.Object)});
  return All;
}

MissingCandidates StoredPlan::take(ExitGate &Gate, std::span<const std::string> Names, bool All,
                                   std::vector<CompiledBody> &Found) {
  return missingOf(Names, All, [&](const std::string &Name) {
    const auto IsIt = [&](const CompiledBody &Body) { return Body.Name == Name; };
    return std::any_of(Found.begin(), Found.end(), IsIt) || load(Gate, Name, Found);
  });
}

/// Adds the candidate of this name from Stored to Found. Returns false, with Why set, on failure.
static bool addFrom(const StoredVersion &Stored, const std::string &Name,
                    const specrt_region &Region, uint32_t Threads, std::vector<CompiledBody> &Found,
                    std::string &Why) {
  std::shared_ptr<LoadedVersion> Loaded = LoadedVersion::load(Stored, Region, Threads, Why);
  const specrt_object_body *Body = Loaded ? Loaded->body(Name) : nullptr;
  if (Body)
    Found.push_back(bodyFrom(*Body, Loaded));
  else if (Loaded)
    Why = "it has another name";
  return Body != nullptr;
}

bool addVersion(const SentObject &Sent, const std::string &Name, const specrt_region &Region,
                uint32_t Threads, ExitGate &Gate, std::vector<CompiledBody> &Found,
                std::string &Why) {
  const ExitGate::Visit Guard(Gate);
  if (!Guard.admitted()) {
    Why = "the process is ending";
    return false;
  }
  StoredVersion As;
  As.Object = Sent.Bytes;
  As.Description.Key = Sent.Key;
  return addFrom(As, Name, Region, Threads, Found, Why);
}

bool StoredPlan::load(ExitGate &Gate, const std::string &Name, std::vector<CompiledBody> &Found) {
  StoredVersion Stored;
  ExitGate::Visit Guard(Gate);
  if (!Guard.admitted() || !Store.find(keyOf(Name), Stored))
    return false;
  std::string Why;
  const uint64_t Begin = monotonicNs();
  if (!addFrom(Stored, Name, Region, workerThreads(Settings), Found, Why)) {
    logLine(LogLevel::Info, "%s: the compiled version %s is not used: %s", Region.name,
            Stored.Path.c_str(), Why.c_str());
    return false;
  }
  Found.back().FromCache = true;
  Found.back().IsVerified = isVerified(Name);
  Found.back().LoadNs = static_cast<double>(monotonicNs() - Begin);
  logLine(LogLevel::Debug, "%s: %s from %s", Region.name, Name.c_str(), Stored.Path.c_str());
  return true;
}

void StoredPlan::add(const std::string &Name, const VersionKey &Key, const GuardList &Guards,
                     std::string_view Object) {
  if (!compilerIsTheExpected())
    return;
  VersionDescription D = description();
  StoredCandidate &C = D.Candidates.emplace_back();
  C.Name = Name;
  for (const specrt_guard &Guard : Guards)
    C.Guards.push_back(describe(Guard, Region));
  Store.put(Key, std::move(D), Object);
  Index.Present.insert(Name);
  saveIndex();
}

void StoredPlan::addAbsent(const std::string &Name) {
  Index.Absent.insert(Name);
  saveIndex();
}

void StoredPlan::end(bool All) {
  Index.Complete |= All;
  saveIndex();
}

void StoredPlan::addReplays(StoredReplays Of) {
  for (const StoredReplay &Candidate : Of.Candidates)
    if (!Candidate.Problem.empty()) {
      Index.Present.erase(Candidate.Name);
      Index.Absent.insert(Candidate.Name);
    }
  Index.Replays = std::move(Of);
  saveIndex();
}

/// Results are compared bit by bit in strict mode only.
bool StoredPlan::isVerified(const std::string &Name) const {
  return Settings.Fp == FpMode::Strict && Index.Replays &&
         std::any_of(Index.Replays->Candidates.begin(), Index.Replays->Candidates.end(),
                     [&](const StoredReplay &R) { return R.Name == Name && R.Problem.empty(); });
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

void StoredPlan::saveIndex() {
  if (!compilerIsTheExpected())
    return;
  VersionDescription D = description();
  for (const std::string &Name : Index.Present)
    D.Candidates.push_back({.Name = Name, .Guards = {}});
  D.Absent.assign(Index.Absent.begin(), Index.Absent.end());
  D.Complete = Index.Complete;
  D.Replays = Index.Replays;
  Store.put(indexKey(), std::move(D), "", /*Durable=*/false);
}

} // namespace specrt
