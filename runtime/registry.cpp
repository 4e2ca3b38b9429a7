//===- runtime/registry.cpp - all images, regions and settings of a process ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/registry.h"
#include "runtime/cache/stored_bodies.h"
#include "runtime/clock.h"
#include "runtime/exit.h"
#include "runtime/fork.h"
#include "runtime/log.h"
#include "runtime/pending_samples.h"
#include "runtime/prepare.h"
#include "runtime/publish.h"
#include "runtime/reasons.h"
#include "runtime/tuning.h"
#include "runtime/verdict.h"
#include "runtime/work_queue.h"
#include "runtime/worker.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

extern char **environ;

namespace specrt {
namespace {

void setSlot(specrt_region &R, void *Target) { __atomic_store_n(R.slot, Target, __ATOMIC_RELEASE); }

void setState(specrt_region &R, RegionState *S) {
  __atomic_store_n(&R.state, static_cast<void *>(S), __ATOMIC_RELEASE);
}

/// A descriptor that this library understands.
bool understands(const specrt_region &R) {
  return R.abi_version == SPECRT_ABI_VERSION && R.size >= sizeof(specrt_region);
}

std::string pathOfExecutable() {
  char Path[4096];
  ssize_t Length = readlink("/proc/self/exe", Path, sizeof(Path));
  return Length > 0 && static_cast<size_t>(Length) < sizeof(Path)
             ? std::string(Path, static_cast<size_t>(Length))
             : "";
}

} // namespace

Registry &Registry::get() {
  static Registry *Instance = new Registry(); // never destroyed, see above
  return *Instance;
}

Registry::Registry() : Program(pathOfExecutable()), StartNs(monotonicNs()) {
  std::vector<std::string> Warnings;
  bool Trusted = environmentIsTrusted();
  Settings = configFromEnvironment(environ, Trusted, Warnings);
  if (Settings.CacheDirectory.empty() && Trusted)
    Settings.CacheDirectory =
        defaultCacheDirectory([](const char *Name) -> const char * { return getenv(Name); });
  setLogLevel(Settings.Log);
  for (const std::string &Warning : Warnings)
    logLine(LogLevel::Warning, "%s", Warning.c_str());
  applySettings();
}

void Registry::applySettings() {
  setLogLevel(Settings.Log);
  Store.reset();
  Versions.reset();
  if (Settings.Disable)
    return;
  calibrateClock();
  Tuning &T = tuning();
  T.HotTicks = static_cast<uint64_t>(Settings.HotMs * 1e6 / nsPerTick());
  T.CompileEnabled = Settings.Compile != CompileMode::Off;
  // The compile itself ends within the budget; opening LLVM and waiting for one's turn do not
  // count.
  T.SyncWaitUs =
      Settings.Compile == CompileMode::Sync ? (Settings.CompileBudgetMs + 1000) * 1000 : 0;
  openStore();
  static const bool Installed = (installForkHandlers(), registerExitHandler(), true);
  (void)Installed;
}

void Registry::openStore() {
  if (Settings.Profile == ProfileMode::Off || Settings.CacheDirectory.empty())
    return;
  // Profiles and versions share directories, and their problems: one line for what cannot be kept.
  struct Said {
    std::timed_mutex Mutex; // timed, because a forked child may inherit it locked
    std::set<std::string> Messages;
  };
  auto Report = [Before = std::make_shared<Said>()](const std::string &Message) {
    std::unique_lock Guard(Before->Mutex, std::chrono::seconds(1));
    if (Guard.owns_lock() && Before->Messages.insert(Message.substr(0, Message.find(": "))).second)
      logLine(LogLevel::Warning, "%s", Message.c_str());
  };
  Store = std::make_unique<ProfileStore>(Settings.CacheDirectory, Program, Report);
  Versions = std::make_shared<VersionStore>(Settings.CacheDirectory, Settings.CacheLimit, Report);
  if (Settings.readsProfile())
    Store->load();
}

void Registry::registerImage(specrt_region **Begin, specrt_region **End) {
  if (Begin >= End)
    return;
  std::lock_guard Guard(Mutex);
  if (std::any_of(Images.begin(), Images.end(), [=](const Image &I) { return I.Begin == Begin; }))
    return;
  Images.push_back({Begin, End});
  NumRegions += Images.back().size();
  prepareImage(Images.back(), /*MayLoad=*/true);
}

void Registry::prepareImage(Image &I, bool MayLoad) {
  bool Fresh = !Settings.Disable && !I.States;
  if (Fresh) {
    I.Bytes = I.size() * sizeof(RegionState);
    void *Memory =
        mmap(nullptr, I.Bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    I.States = Memory == MAP_FAILED ? nullptr : static_cast<RegionState *>(Memory);
    if (!I.States)
      logLine(LogLevel::Warning, "no memory for %zu regions: they run their original code",
              I.size());
  }
  for (size_t N = 0; N < I.size(); ++N) {
    specrt_region *R = I.Begin[N];
    // The linker may leave gaps, and one region may be listed twice.
    if (!R || R->abi_version == 0 || (R->state && R->state != I.States + N))
      continue;
    if (!I.States || Settings.Disable) {
      setState(*R, nullptr);
      setSlot(*R, R->original);
    } else {
      prepareRegion(*R, I.States[N], Fresh, MayLoad);
    }
  }
  if (I.States && !Settings.Disable) {
    watchMainThread();
    startWorker();
  }
}

void Registry::prepareRegion(specrt_region &R, RegionState &S, bool Fresh, bool MayLoad) {
  const char *Blocked = nullptr;
  if (!understands(R))
    Blocked = words(Reason::OtherAbi);
  else if (!Settings.selects(R.name, R.function))
    Blocked = words(Reason::Excluded);
  if (Blocked) {
    S.StaticReason.store(Blocked, std::memory_order_relaxed);
    setPhase(S, Phase::Blocked);
    setSlot(R, R.original);
  } else {
    // A fresh state has no reason, and its page shall stay untouched.
    if (!Fresh && S.StaticReason.exchange(nullptr, std::memory_order_relaxed))
      setPhase(S, Phase::Cold);
    // Before a stored version is found, so that the version's own entry is not overwritten.
    setSlot(R, R.thunk);
    setState(R, &S);
    if (Store && Settings.readsProfile() && Store->size() > 0 && (Fresh || !S.Detail))
      prepareFromStore(R, S, MayLoad);
    return;
  }
  setState(R, &S);
}

void Registry::blockRegion(specrt_region &R, RegionState &S, const std::string &Why) {
  S.Region.store(&R, std::memory_order_release);
  RegionDetail *D = detailOf(S);
  D->Failed = true;
  D->Reason = Why;
  D->Events.add(Event::Blocked, Why);
  setSlot(R, R.original);
  setPhase(S, Phase::Blocked);
  logLine(LogLevel::Info, "%s: %s", R.name, Why.c_str());
}

void Registry::prepareFromStore(specrt_region &R, RegionState &S, bool MayLoad) {
  if (!Store->knows(R))
    return;
  S.Region.store(&R, std::memory_order_release);
  RegionDetail *D = detailOf(S);
  if (!D)
    return;
  // From the copy, in which nothing is packed.
  std::optional<StoredRegion> Known = Store->find(D->Copy.region());
  if (!Known || !Known->Hot)
    return;
  planFromStore(*D, *Known, Settings);
  D->Events.add(Event::Known, counted(D->Steps.size(), "plan"));
  if (MayLoad)
    installStored(R, *D);
  if (D->Steps.empty())
    return;
  if (D->Versions.empty())
    setPhase(S, Phase::Preparing);
  request(S, RequestPrepare);
}

/// Versions that an earlier run compiled and measured serve the first call already. What does not
/// fit into the time that a start may take is left to the worker.
void Registry::installStored(specrt_region &R, RegionDetail &D) {
  constexpr uint64_t MostNs = 25'000'000;
  uint64_t Begin = monotonicNs();
  // The last one installed is asked first: the most valuable is the first step.
  for (auto Next = D.Steps.rbegin(); Next != D.Steps.rend() && LoadingNs < MostNs;) {
    std::vector<std::unique_ptr<Contestant>> Found;
    if (!Next->Proven || !loadProven(*Versions, D.Copy.region(), *Next, Settings, Found)) {
      ++Next;
      continue;
    }
    D.Current = std::move(*Next);
    Next = std::make_reverse_iterator(D.Steps.erase(std::next(Next).base()));
    std::unique_ptr<Version> V =
        makeVersion(*this, D, *Found.front(), D.Current.BaselineNs, D.Current.BodyNs);
    if (V) {
      addDecision(D, D.Current, StoredDecision::Outcome::Won, V->Name, V->BaselineNs, V->BodyNs,
                  "faster than the original in an earlier run", V->CompileMs);
      installVersion(D, std::move(V), R);
    }
  }
  LoadingNs += monotonicNs() - Begin;
}

RegionDetail *Registry::detailOf(RegionState &S) {
  specrt_region *R = S.Region.load(std::memory_order_acquire);
  if (!S.Detail && R) {
    Details.push_back(std::make_unique<RegionDetail>(S, *R));
    S.Detail = Details.back().get();
  }
  return S.Detail;
}

void Registry::departRegion(specrt_region &R, RegionState &S) {
  setState(R, nullptr);
  if (understands(R))
    setSlot(R, R.original);
  // Regions that ran stay visible in the report.
  bool Reported = logs(LogLevel::Info) || !Settings.Report.empty();
  if (Reported && S.Calls.load(std::memory_order_relaxed) > 0)
    detailOf(S);
  S.Region.store(nullptr, std::memory_order_release);
  if (RegionDetail *D = S.Detail) {
    D->Departed = true;
    request(S, RequestReview); // the worker releases its bodies
  }
}

void Registry::unregisterImage(specrt_region **Begin, specrt_region **End) {
  std::lock_guard Guard(Mutex);
  auto Found =
      std::find_if(Images.begin(), Images.end(), [=](const Image &I) { return I.Begin == Begin; });
  if (Found == Images.end())
    return;
  Image I = *Found;
  Images.erase(Found);
  if (!I.States)
    return;
  bool InUse = false;
  for (size_t N = 0; N < I.size(); ++N) {
    specrt_region *R = I.Begin[N];
    RegionState &S = I.States[N];
    if (R && R->state == &S)
      departRegion(*R, S);
    // A region that was called may be off the queue and in the worker's hands.
    InUse |= S.Detail || S.Queued.load(std::memory_order_acquire) ||
             S.Calls.load(std::memory_order_relaxed) > 0;
  }
  // States that the worker or a detail refers to stay; a process does not unload hot code often.
  if (!InUse)
    munmap(I.States, I.Bytes);
}

std::string Registry::configure(const std::string &Name, const std::string &Value) {
  std::lock_guard Guard(Mutex);
  if (tuning().AnyRegionRan.load(std::memory_order_relaxed))
    return "a region has already run; configure earlier";
  std::string Error = setOption(Settings, Name, Value);
  if (!Error.empty())
    return Error;
  applySettings();
  for (Image &I : Images)
    prepareImage(I, /*MayLoad=*/false);
  return "";
}

void Registry::adoptPendingSamples() {
  for (const Image &I : Images)
    for (size_t N = 0; I.States && N < I.size(); ++N) {
      RegionState &S = I.States[N];
      if (S.Calls.load(std::memory_order_relaxed) == 0 || !hasPendingSample(S))
        continue;
      if (RegionDetail *D = detailOf(S))
        D->createProfile();
    }
}

void Registry::forEach(const std::function<void(const View &)> &Visit, bool AlsoCold) {
  for (const Image &I : Images)
    for (size_t N = 0; I.States && N < I.size(); ++N) {
      const specrt_region *R = I.Begin[N];
      RegionState &S = I.States[N];
      if (R && R->state == &S && !S.Detail && understands(*R) &&
          (AlsoCold || S.Calls.load(std::memory_order_relaxed) > 0))
        Visit({R, &S, nullptr});
    }
  for (const auto &D : Details)
    Visit({&D->Copy.region(), D->State, D.get()});
}

} // namespace specrt
