//===- runtime/decide/registry.h - the images, regions and settings of a process ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one piece of global mutable state. It is created by the first image that registers and never
// destroyed: regions may still be called by the last destructors of the program.
//
// Mutex guards images, details and settings. It is held for short, bounded work only (never while
// compiling or writing files), and never taken by specrt_enter and specrt_leave. Nothing that takes
// the loader's lock (dlopen, dlsym, dlclose) happens under it: images register from constructors,
// which the loader may run under its lock.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_DECIDE_REGISTRY_H
#define SPECRT_RUNTIME_DECIDE_REGISTRY_H

#include "runtime/base/config.h"
#include "runtime/cache/store_problems.h"
#include "runtime/cache/version_store.h"
#include "runtime/compile/compiler_client.h"
#include "runtime/compile/function_table.h"
#include "runtime/compile/region_table.h"
#include "runtime/decide/image.h"
#include "runtime/decide/region_detail.h"
#include "runtime/decide/registry_lock.h"
#include <functional>
#include <list>
#include <mutex>
#include <optional>

namespace specrt {

class WrappedFunction;

class Registry {
public:
  static Registry &get();

  void registerImage(specrt_region **Begin, specrt_region **End);
  void unregisterImage(specrt_region **Begin, specrt_region **End);
  /// Registers the regions of records. \p Thunk observes their calls.
  void registerRecords(specrt_record **Begin, specrt_record **End, void *Thunk);
  void unregisterRecords(specrt_record **Begin);
  void registerFunctions(const specrt_function *Begin, const specrt_function *End);
  void unregisterFunctions(const specrt_function *Begin);

  /// Uses the stored results of earlier runs for a region whose descriptor is complete only now, or
  /// that begins anew. Worker only.
  void describeRegion(const RegistryLock &Guard, specrt_region &R, RegionState &S);
  /// Makes the region of a wrapped function run its original for ever.
  void blockRegion(const RegistryLock &Guard, specrt_region &R, RegionState &S,
                   const std::string &Why);

  /// Changes one setting before the first region ran. Preparations with the old settings are
  /// discarded: their regions run their originals until the worker has made new versions. Returns
  /// "", or one sentence that says why it failed.
  std::string configure(const std::string &Name, const std::string &Value);

  /// Called when D's image was loaded again and the worker has left D: the region continues at its
  /// new address. Returns true when there are steps to take; the first ones are for the versions
  /// that served its calls before.
  bool returnRegion(const RegistryLock &Guard, specrt_region &R, RegionDetail &D);

  /// Returns the detail of S, created if there is none; null when the image is unloaded.
  RegionDetail *detailOf(const RegistryLock &Guard, RegionState &S);

  /// A region that was called, has a detail or lacks code of other files; regions of departed
  /// images are included. Region is null for those without detail whose image is unloaded.
  struct View {
    const specrt_region *Region; ///< the live descriptor or the detail's copy
    RegionState *State;
    RegionDetail *Detail; ///< may be null
  };
  void forEach(const RegistryLock &Guard, const std::function<void(const View &)> &Visit,
               bool AlsoCold = false);

  /// Returns why the bitcode of R, which runs its original for Reason::CodeElsewhere, cannot be
  /// completed; nothing for other regions.
  std::optional<MissingCode> missingCode(const RegistryLock &, const specrt_region &R) const {
    return Functions.missingFor(R);
  }

  /// Creates the profiles of regions whose only long call has just ended, if the worker had no time
  /// to do so. Called at exit, when the worker has stopped.
  void adoptPendingSamples(const RegistryLock &Guard);

  /// Returns a server that programs share, unless there is no writable directory where they would
  /// find it.
  static ServerChoice serverFor(const Config &Settings);

  const std::string Program; ///< absolute path of the executable; "" when unknown
  const uint64_t StartNs;    ///< CLOCK_MONOTONIC when libspecrt was loaded

  std::mutex Mutex;
  Config Settings;
  CompilerClient Compiler;
  /// Null: no profiles are read or written. A user without Mutex must keep a copy, because
  /// configure replaces it.
  std::shared_ptr<ProfileStore> Store;
  std::shared_ptr<VersionStore> Versions;       ///< null together with Store
  std::shared_ptr<StoreProblems> CacheProblems; ///< null if no cache was ever used
  /// The functions of specrt_wrap that specrt_unwrap has not ended; guarded by Mutex.
  std::list<std::shared_ptr<WrappedFunction>> Wrapped;
  /// The functions that specrt_unwrap has ended and that are not freed yet; guarded by Mutex.
  std::list<std::shared_ptr<WrappedFunction>> Unwrapped;

  uint64_t numRegions() const { return NumRegions; }

private:
  Registry();
  void applySettings();
  void openStore();
  /// Regions with stored results of an earlier run; installStored is called next for each.
  using Known = std::vector<RegionDetail *>;
  void prepareImage(const RegistryLock &Guard, Image &I, bool Restart, Known &Found);
  RegionDetail *prepareRegion(const RegistryLock &Guard, specrt_region &R, RegionState &S,
                              bool Fresh);
  void prepareOrSkip(const RegistryLock &Guard, specrt_region &R, RegionState &S, bool Fresh,
                     Known &Found);
  RegionDetail *prepareFromStore(const RegistryLock &Guard, specrt_region &R, RegionState &S);
  void restartRegion(const RegistryLock &Guard, specrt_region &R, RegionDetail &D);
  bool anyVersionRan() const;
  void installStored(Known Regions);
  void installStored(RegionDetail &D);
  const char *whyExcluded(const RegistryLock &Guard, const specrt_region &R) const;
  static void exclude(specrt_region &R, RegionState &S, const char *Why);

  // depart.cpp: images that are unloaded, and loaded again.
  void departRegion(const RegistryLock &Guard, specrt_region &R, RegionState &S);
  bool takeUpStates(const RegistryLock &Guard, Image &I);
  void returnImage(const RegistryLock &Guard, Image &I, Known &Found);

  std::vector<Image> Images;
  RegionTables Described;              ///< guarded by Mutex
  std::vector<UnloadedImage> Unloaded; ///< their states may still be referred to
  FunctionTable Functions;             ///< guarded by Mutex
  std::vector<std::unique_ptr<RegionDetail>> Details;
  std::atomic<uint64_t> NumRegions{0};
  std::atomic<uint64_t> LoadingNs{0}; ///< time spent on stored versions while images registered
};

} // namespace specrt

#endif
