//===- runtime/cache/stored_bodies.cpp - candidates from and to the store -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cache/stored_bodies.h"
#include "guards/guards.h"
#include "runtime/base/clock.h"
#include "runtime/base/log.h"
#include "runtime/cache/loaded_version.h"

#include <sys/mman.h>

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
          .CompileMs = Body.compile_ms};
}

VersionDescription descriptionOf(const specrt_region &Region, const Assumptions &Assumed,
                                 const specrt_jit_candidate *Candidates, uint32_t Count) {
  VersionDescription D;
  D.Region = Region.name;
  D.Function = Region.function;
  D.File = Region.file;
  D.Line = Region.line;
  D.Plan = describe(Assumed, Region);
  for (uint32_t I = 0; I < Count; ++I) {
    StoredCandidate &C = D.Candidates.emplace_back();
    C.Name = Candidates[I].name;
    for (const specrt_guard &Guard : GuardView(Candidates[I].guards))
      C.Guards.push_back(describe(Guard, Region));
  }
  return D;
}

} // namespace

bool loadBodies(ExitGate &Gate, VersionStore &Store, const VersionKey &Key,
                const specrt_region &Region, const std::string &Only, uint32_t Threads,
                std::vector<CompiledBody> &Found) {
  StoredVersion Stored;
  ExitGate::Visit Guard(Gate);
  if (!Guard.admitted() || !Store.find(Key, Stored))
    return false;
  std::string Why;
  std::shared_ptr<LoadedVersion> Loaded = LoadedVersion::load(Stored, Region, Threads, Why);
  if (!Loaded) {
    logLine(LogLevel::Info, "%s: the compiled version %s is not used: %s", Region.name,
            Stored.Path.c_str(), Why.c_str());
    return false;
  }
  size_t Before = Found.size();
  const specrt_version_object &Object = Loaded->object();
  for (uint32_t I = 0; I < Object.num_bodies; ++I)
    if ((Only.empty() || Only == Object.bodies[I].name) &&
        (Threads > 1 || !Object.bodies[I].parallel))
      Found.push_back(bodyFrom(Object.bodies[I], Loaded));
  logLine(LogLevel::Debug, "%s: %zu candidates from %s", Region.name, Found.size() - Before,
          Stored.Path.c_str());
  return Found.size() > Before;
}

bool loadProven(ExitGate &Gate, VersionStore &Store, const specrt_region &Region,
                const Assumptions &Assumed, const std::string &Name, const Config &Settings,
                std::vector<CompiledBody> &Found) {
  if (!identity().known())
    return false;
  for (const std::string &Asked : {Name, std::string()})
    if (loadBodies(Gate, Store, versionKey(identity(), Region, Assumed, Asked, Settings), Region,
                   Name, workerThreads(Settings), Found))
      return true;
  return false;
}

void storeBodies(JitLibrary &Jit, VersionStore &Store, const VersionKey &Key,
                 const specrt_region &Region, const Assumptions &Assumed,
                 const specrt_jit_candidate *Candidates, uint32_t NumCandidates) {
  if (NumCandidates == 0 || !compilerIsTheExpected())
    return;
  Descriptor Memory(memfd_create("specrt-link", MFD_CLOEXEC));
  specrt_jit_link Link{&Region, Candidates, NumCandidates, 0, Key.Text.c_str(), Memory.get()};
  std::string Object;
  std::string Problem = Memory ? Jit.link(Link) : "no memory";
  if (Problem.empty() && readAll(Memory, Object, Problem))
    Store.put(Key, descriptionOf(Region, Assumed, Candidates, NumCandidates), Object);
  else
    logLine(LogLevel::Info, "%s: compiled for this run only: %s", Region.name, Problem.c_str());
}

} // namespace specrt
