//===- runtime/decide/registry.cpp - the images, regions and settings of a process ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/decide/registry.h"
#include "guards/words.h"
#include "runtime/base/clock.h"
#include "runtime/base/log.h"
#include "runtime/base/reasons.h"
#include "runtime/base/tuning.h"
#include "runtime/cache/identity.h"
#include "runtime/cache/provided_functions.h"
#include "runtime/cache/stored_plan.h"
#include "runtime/call/pending_samples.h"
#include "runtime/call/thread_use.h"
#include "runtime/call/work_queue.h"
#include "runtime/decide/prepare.h"
#include "runtime/decide/publish.h"
#include "runtime/decide/verdict.h"
#include "runtime/plans/persistent_plans.h"
#include "specrt/packed_region.h"
#include "support/attempt.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

extern char **environ;

namespace specrt {
namespace {

std::string pathOfExecutable() {
  char Path[4096];
  ssize_t Length = readlink("/proc/self/exe", Path, sizeof(Path));
  return Length > 0 && static_cast<size_t>(Length) < sizeof(Path)
             ? std::string(Path, static_cast<size_t>(Length))
             : "";
}

} // namespace

RegistryLock::RegistryLock(Registry &R) : unique_lock(R.Mutex) {}

RegistryLock::RegistryLock(Registry &R, std::adopt_lock_t Held) : unique_lock(R.Mutex, Held) {}

RegistryLock::RegistryLock(Registry &R, unsigned TimeoutMs)
    : unique_lock(R.Mutex, std::try_to_lock) {
  for (uint64_t End = monotonicNs() + uint64_t{TimeoutMs} * 1000000;
       !owns_lock() && monotonicNs() < End;) {
    usleep(100);
    (void)try_lock();
  }
}

Registry &Registry::get() {
  static Registry *Instance = new Registry(); // never destroyed, see above
  return *Instance;
}

Registry::Registry() : Program(pathOfExecutable()), StartNs(monotonicNs()) {
  provideFunctions();
  std::vector<std::string> Warnings;
  bool Trusted = environmentIsTrusted();
  Settings = configFromEnvironment(environ, Trusted, Warnings);
  if (Settings.CacheDirectory.empty() && Trusted)
    Settings.CacheDirectory =
        defaultCacheDirectory([](const char *Name) -> const char * { return getenv(Name); });
  setLogLevel(Settings.Log);
  for (const std::string &Warning : Warnings)
    logLine(LogLevel::Warning, "%s", Warning.c_str());
  const bool IsContent = !Settings.writesProfile() && !Settings.CachePath.empty();
  if (Trusted && Settings.CacheDirectory.empty() && !Settings.Disable &&
      Settings.Profile != ProfileMode::Off && !IsContent)
    logLine(LogLevel::Warning, "nothing is kept between runs: neither SPECRT_CACHE_DIR, "
                               "XDG_CACHE_HOME nor HOME is set (SPECRT_PROFILE=off means that)");
  applySettings();
}

void Registry::applySettings() {
  setLogLevel(Settings.Log);
  Store.reset();
  Versions.reset();
  setPersistentPlans({});
  Compiler.ReportStore = {};
  Tuning &T = tuning();
  T.MayStartWorker = false;
  if (Settings.Disable)
    return;
  calibrateClock();
  calibrateMeasurement();
  T.HotTicks = static_cast<uint64_t>(Settings.HotMs * 1e6 / nsPerTick());
  T.Watching = Settings.Watch;
  T.HasProcessors = usableProcessors() > 1;
  T.CompileEnabled = Settings.Compile != CompileMode::Off;
  // The budget is that of the compile alone. The additional second is for starting a server, which
  // takes some 30 ms on an idle machine, and for waiting for a place there.
  T.SyncWaitUs =
      Settings.Compile == CompileMode::Sync ? (Settings.CompileBudgetMs + 1000) * 1000 : 0;
  // A user who waits for versions, or wants all data of calls, accepts any cost.
  if (Settings.Compile == CompileMode::Sync || Settings.Instrument == InstrumentMode::Always)
    processLedger().lift();
  else
    processLedger().begin(StartNs);
  openStore();
  // The results of replays are stored for later runs. A replay of all candidates takes a few times
  // as long as the call: the reference takes about as long, and so do some candidates.
  constexpr double CallsPerReplay = 4;
  const bool MayCapture = Settings.Compile == CompileMode::Background && Settings.writesProfile() &&
                          Settings.readsProfile() && Versions &&
                          !serverFor(Settings).CacheDirectory.empty();
  T.MaxCapturedNs = MayCapture ? Settings.AfterExitMs * 1e6 / CallsPerReplay : 0;
  T.MayStartWorker = Settings.Compile != CompileMode::Off || Store;
}

ServerChoice Registry::serverFor(const Config &Settings) {
  const bool IsShared = identity().known() && Settings.writesProfile();
  return {IsShared ? Settings.CacheDirectory : "", identity().text()};
}

/// The ratio of the room for compiled versions to that for persistent plans.
static constexpr uint64_t RowsPerVersions = 4;

void Registry::openStore() {
  if (Settings.Profile == ProfileMode::Off ||
      (Settings.CacheDirectory.empty() && Settings.CachePath.empty()))
    return;
  CacheProblems = std::make_shared<StoreProblems>(Settings.CacheDirectory);
  const StoreReporter Report = [Of = CacheProblems](const StoreMessage &Message) {
    Of->add(Message);
  };
  Compiler.ReportStore = Report;
  Store = std::make_shared<ProfileStore>(Settings.CacheDirectory, Program, Report);
  Versions = std::make_shared<VersionStore>(Settings.CacheDirectory, Settings.CacheLimit, Report,
                                            Settings.writesProfile());
  if (!Settings.readsProfile())
    return;
  const auto Rows =
      std::make_shared<VersionStore>(Settings.CacheDirectory, Settings.CacheLimit / RowsPerVersions,
                                     Report, Settings.writesProfile(), RowsRoom);
  Store->readAlso(Settings.CachePath);
  Versions->readAlso(Settings.CachePath);
  Rows->readAlso(Settings.CachePath);
  setPersistentPlans({.Where = Rows, .MayWrite = Settings.writesProfile(), .AreBuildsKnown = [] {
                        return identity().known();
                      }});
  Store->load();
}

void Registry::registerImage(specrt_region **Begin, specrt_region **End) {
  if (Begin >= End)
    return;
  Known Found;
  {
    RegistryLock Guard(*this);
    if (std::any_of(Images.begin(), Images.end(), [=](const Image &I) { return I.Begin == Begin; }))
      return;
    Image &I = Images.emplace_back(Image{Begin, End});
    if (takeUpStates(Guard, I)) {
      returnImage(Guard, I, Found);
    } else {
      NumRegions += I.size();
      prepareImage(Guard, I, /*Restart=*/false, Found);
    }
  }
  installStored(Found);
}

void Registry::registerRecords(specrt_record **Begin, specrt_record **End, void *Thunk) {
  RegionTables::Range Regions;
  {
    RegistryLock Guard(*this);
    Regions = Described.add(Begin, End, Thunk);
  }
  registerImage(Regions.Begin, Regions.End);
}

void Registry::unregisterRecords(specrt_record **Begin) {
  RegionTables::Range Regions;
  {
    RegistryLock Guard(*this);
    Regions = Described.find(Begin);
  }
  if (!Regions.Begin)
    return;
  unregisterImage(Regions.Begin, Regions.End);
  RegistryLock Guard(*this);
  Described.retire(Begin);
}

void Registry::registerFunctions(const specrt_function *Begin, const specrt_function *End) {
  RegistryLock Guard(*this);
  Functions.add(Begin, End);
}

void Registry::unregisterFunctions(const specrt_function *Begin) {
  RegistryLock Guard(*this);
  Functions.remove(Begin);
}

/// Prepares the regions of an image. With Restart, their former preparation is invalid.
void Registry::prepareImage(const RegistryLock &Guard, Image &I, bool Restart, Known &Found) {
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
    if (!isNew(R) && (!R || R->state != I.States + N))
      continue;
    RegionDetail *D = Fresh || !I.States ? nullptr : I.States[N].Detail;
    if (D && D->Departed) // it waits for the worker before it returns
      continue;
    if (D && Restart)
      restartRegion(Guard, *R, *D);
    if (!I.States || Settings.Disable) {
      setState(*R, nullptr);
      leaveToOriginal(*R);
    } else if (D) {
      setState(*R, &I.States[N]);
    } else {
      prepareOrSkip(Guard, *R, I.States[N], Fresh, Found);
    }
  }
}

/// Prepares a region. Without memory it starts as if no run had used it; one that does not fit into
/// \p Found is left to the worker.
void Registry::prepareOrSkip(const RegistryLock &Guard, specrt_region &R, RegionState &S,
                             bool Fresh, Known &Found) {
  RegionDetail *Prepared = nullptr;
  const char *Problem = attempt([&] {
    Prepared = prepareRegion(Guard, R, S, Fresh);
    if (Prepared)
      Found.push_back(Prepared);
  });
  if (Problem && Prepared)
    request(S, RequestPrepare);
}

/// Leaves the region to its original until the worker, which alone may remove versions, has begun
/// anew.
void Registry::restartRegion(const RegistryLock &Guard, specrt_region &R, RegionDetail &D) {
  leaveToOriginal(R);
  if (D.Refused)
    return;
  D.Restart = true;
  D.State->MayWaitUs.store(0, std::memory_order_relaxed);
  setPhase(*D.State, Phase::Preparing);
  requestLater(*D.State, RequestRestart);
}

/// Returns whether the settings select the region. Its title, which takes time to find, is computed
/// only if needed.
static bool selected(const Config &Settings, const specrt_region &R) {
  return Settings.Regions.empty() || Settings.selects(R.name, R.function, titleOf(R));
}

/// Returns why a region runs its original for ever; null when it does not.
const char *Registry::whyExcluded(const RegistryLock &, const specrt_region &R) const {
  if (!understands(R))
    return words(Reason::OtherAbi);
  if (!selected(Settings, R))
    return words(Reason::Excluded);
  if (!Functions.covers(R))
    return words(Reason::CodeElsewhere);
  if ((R.flags & SPECRT_REGION_OPEN) && Settings.Fp != FpMode::Fast)
    return words(Reason::OpenResults);
  return nullptr;
}

void Registry::exclude(specrt_region &R, RegionState &S, const char *Why) {
  static bool HasToldOfOthers = false; // guarded by Mutex
  if (!understands(R) && !std::exchange(HasToldOfOthers, true))
    logLine(LogLevel::Warning, "loops that were compiled for another version of libspecrt run "
                               "their original code: compile them again with this one");
  S.StaticReason.store(Why, std::memory_order_relaxed);
  setPhase(S, Phase::Blocked);
  leaveToOriginal(R);
  setState(R, &S);
}

/// Returns the region's detail if an earlier run has stored results for it.
RegionDetail *Registry::prepareRegion(const RegistryLock &Guard, specrt_region &R, RegionState &S,
                                      bool Fresh) {
  if (const char *Why = whyExcluded(Guard, R)) {
    exclude(R, S, Why);
    return nullptr;
  }
  // A fresh state has no reason, and its page must not be touched.
  if (!Fresh && S.StaticReason.exchange(nullptr, std::memory_order_relaxed))
    setPhase(S, Phase::Cold);
  setSlot(R, R.thunk);
  setState(R, &S);
  return Store && Settings.readsProfile() && Store->size() > 0 ? prepareFromStore(Guard, R, S)
                                                               : nullptr;
}

void Registry::describeRegion(const RegistryLock &Guard, specrt_region &R, RegionState &S) {
  // The worker looks for stored versions itself when it serves the request.
  if (prepareRegion(Guard, R, S, /*Fresh=*/false))
    requestLater(S, RequestPrepare);
}

void Registry::blockRegion(const RegistryLock &Guard, specrt_region &R, RegionState &S,
                           const std::string &Why) {
  S.Region.store(&R, std::memory_order_release);
  RegionDetail *D = detailOf(Guard, S);
  D->Failed = true;
  D->Refused = true;
  D->Reason = Why;
  D->History.Events.add(Event::Blocked, Why);
  setPhase(S, Phase::Blocked);
  leaveToOriginal(R); // after the phase: see passThunkBy
  logLine(LogLevel::Info, "%s: %s", R.name, Why.c_str());
}

RegionDetail *Registry::prepareFromStore(const RegistryLock &Guard, specrt_region &R,
                                         RegionState &S) {
  if (!Store->knows(R))
    return nullptr;
  S.Region.store(&R, std::memory_order_release);
  RegionDetail *D = detailOf(Guard, S);
  if (!D)
    return nullptr;
  // The copy has nothing packed.
  std::optional<StoredRegion> Known = Store->find(D->Copy.region());
  if (!Known || !(Known->Hot || nsAfterThisRun(*Known) >= Settings.HotMs * 1e6))
    return nullptr;
  if (Known->CalledAtOnce)
    S.Who.recall();
  planFromStore(*D, *Known, D->settings(Settings), identity().known() ? Versions.get() : nullptr);
  D->History.Events.add(Event::Known, counted(D->Work.Steps.size(), "plan"));
  if (D->Work.Steps.empty())
    return nullptr;
  setPhase(S, Phase::Preparing);
  return D;
}

void Registry::installStored(Known Regions) {
  // Regions with the largest possible gain come first, also if they have to be compiled.
  {
    RegistryLock Guard(*this);
    std::sort(Regions.begin(), Regions.end(), [](const RegionDetail *A, const RegionDetail *B) {
      return A->Seen.SpentNs > B->Seen.SpentNs;
    });
  }
  for (RegionDetail *D : Regions)
    if (attempt([&] { installStored(*D); }))
      request(*D->State, RequestPrepare);
}

/// Installs versions that an earlier run has compiled and measured, so that they serve the first
/// call. Work beyond the time that a start may take is left to the worker, which does nothing for D
/// before it is asked to at the end. Takes the mutex only to look and to install: shared objects
/// are opened in between.
void Registry::installStored(RegionDetail &D) {
  constexpr uint64_t MostNs = 25'000'000; // a longer start of a program is noticeable
  uint64_t Begin = monotonicNs();
  std::vector<Step> Proven;
  Config Before;
  std::shared_ptr<VersionStore> From;
  uint32_t Restarts;
  {
    RegistryLock Guard(*this);
    std::copy_if(D.Work.Steps.begin(), D.Work.Steps.end(), std::back_inserter(Proven),
                 [](const Step &S) { return S.as<PublishProven>() != nullptr; });
    Before = Settings;
    From = identity().known() ? Versions : nullptr;
    Restarts = D.Restarts;
  }
  std::vector<std::pair<const Step *, std::unique_ptr<Version>>> Ready;
  auto Spent = [&] { return LoadingNs.load() + monotonicNs() - Begin; };
  for (const Step &S : Proven) {
    std::vector<CompiledBody> Found;
    const auto &Known = *S.as<PublishProven>();
    if (From && Spent() < MostNs &&
        StoredPlan(*From, D.Copy.region(), S.Plan.Assumed, Before)
            .load(Compiler.gate(), S.wanted(), Found))
      if (std::unique_ptr<Version> V = makeVersion(D.Copy.region(), S.Plan.Assumed, Found.front(),
                                                   Known.BaselineNs, Known.BodyNs))
        Ready.emplace_back(&S, std::move(V));
  }
  LoadingNs += monotonicNs() - Begin;
  RegistryLock Guard(*this);
  specrt_region *Live = D.State->Region.load(std::memory_order_acquire);
  // If the settings changed or the library is gone, the loaded versions are not used.
  if (!Live || D.Restart || D.Restarts != Restarts)
    return;
  bool IsInDoubt = false;
  // The version that is installed last is asked first: the most valuable one, of the first step.
  for (auto Next = Ready.rbegin(); Next != Ready.rend(); ++Next) {
    const Step &Done = *Next->first;
    adoptProven(Done, *Next->second, D);
    IsInDoubt |= isInDoubt(*Next->second);
    installVersion(Guard, D, std::move(Next->second), *Live);
    std::erase_if(D.Work.Steps, [Id = Done.Plan.Assumed.id()](const Step &S) {
      return S.as<PublishProven>() && S.Plan.Assumed.id() == Id;
    });
  }
  if (!D.Work.Steps.empty() || IsInDoubt)
    requestLater(*D.State, RequestPrepare);
}

RegionDetail *Registry::detailOf(const RegistryLock &Guard, RegionState &S) {
  specrt_region *R = S.Region.load(std::memory_order_acquire);
  if (!S.Detail && R) {
    Details.push_back(std::make_unique<RegionDetail>(S, *R, Functions.codeFor(*R)));
    S.Detail = Details.back().get();
    if (const specrt_region &Copy = S.Detail->Copy.region(); Copy.num_callees > 0)
      S.Complete.store(&Copy, std::memory_order_release);
  }
  return S.Detail;
}

/// Returns whether any version was called. Calls of a published version do not pass the thunk.
bool Registry::anyVersionRan() const {
  for (const auto &D : Details)
    for (const auto &V : D->History.Versions)
      if (V->hits() + V->misses() > 0)
        return true;
  return false;
}

std::string Registry::configure(const std::string &Name, const std::string &Value) {
  Known Found;
  {
    RegistryLock Guard(*this);
    if (tuning().AnyRegionRan.load(std::memory_order_relaxed) || anyVersionRan())
      return "a region has already run; configure earlier";
    Config Before = Settings;
    std::string Error = setOption(Settings, Name, Value);
    if (!Error.empty())
      return Error;
    applySettings();
    for (Image &I : Images)
      prepareImage(Guard, I, !Settings.givesSameVersions(Before), Found);
  }
  installStored(Found);
  // The worker, which alone may do that, undoes the preparation for the old settings.
  if (!queueIsEmpty()) {
    tuning().MayStartWorker = true;
    wakeWorker();
  }
  return "";
}

void Registry::adoptPendingSamples(const RegistryLock &Guard) {
  for (const Image &I : Images)
    for (size_t N = 0; I.States && N < I.size(); ++N) {
      RegionState &S = I.States[N];
      if (S.calls() == 0 || !hasPendingSample(S))
        continue;
      if (RegionDetail *D = detailOf(Guard, S))
        D->createProfile(Guard);
    }
}

/// Returns whether code of the region blocks it. Its calls are not observed, and its reason is
/// shown nowhere else.
static bool isBlockedByCode(const RegionState &S) {
  const char *Why = S.StaticReason.load(std::memory_order_relaxed);
  return Why == words(Reason::CodeElsewhere) || Why == words(Reason::OpenResults);
}

void Registry::forEach(const RegistryLock &Guard, const std::function<void(const View &)> &Visit,
                       bool AlsoCold) {
  for (const Image &I : Images)
    for (size_t N = 0; I.States && N < I.size(); ++N) {
      const specrt_region *R = I.Begin[N];
      RegionState &S = I.States[N];
      if (R && R->state == &S && !S.Detail && understands(*R) &&
          (AlsoCold || S.calls() > 0 || isBlockedByCode(S)))
        Visit({R, &S, nullptr});
    }
  for (const auto &D : Details)
    Visit({&D->Copy.region(), D->State, D.get()});
}

} // namespace specrt
