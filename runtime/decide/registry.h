//===- runtime/decide/registry.h - all images, regions and settings of a process ===//
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
  /// \p Thunk observes calls of the records' regions.
  void registerRecords(specrt_record **Begin, specrt_record **End, void *Thunk);
  void unregisterRecords(specrt_record **Begin);
  void registerFunctions(const specrt_function *Begin, const specrt_function *End);
  void unregisterFunctions(const specrt_function *Begin);

  /// Takes up what earlier runs know of a region whose descriptor is complete only now, or that
  /// begins anew. Worker only.
  void describeRegion(const RegistryLock &Guard, specrt_region &R, RegionState &S);
  /// The region of a wrapped function runs its original for good.
  void blockRegion(const RegistryLock &Guard, specrt_region &R, RegionState &S,
                   const std::string &Why);

  /// Changes one setting before the first region ran. What was prepared with the old settings is
  /// not used any more: its regions run their originals until the worker has made new versions. ""
  /// or one sentence.
  std::string configure(const std::string &Name, const std::string &Value);

  /// D's image was loaded again, and the worker has left D: the region goes on at its new address.
  /// True when there are steps to take, which begin with what served its calls before.
  bool returnRegion(const RegistryLock &Guard, specrt_region &R, RegionDetail &D);

  /// The detail of S, created when there is none; null when the image is gone.
  RegionDetail *detailOf(const RegistryLock &Guard, RegionState &S);

  /// Every region that was called, has a detail or lacks code of other files, also of departed
  /// images. Region is null for those without detail whose image is gone.
  struct View {
    const specrt_region *Region; ///< the live descriptor or the detail's copy
    RegionState *State;
    RegionDetail *Detail; ///< may be null
  };
  void forEach(const RegistryLock &Guard, const std::function<void(const View &)> &Visit,
               bool AlsoCold = false);

  /// Returns why the bitcode of R cannot be completed, which runs its original for
  /// Reason::CodeElsewhere; nothing for other regions.
  std::optional<MissingCode> missingCode(const RegistryLock &, const specrt_region &R) const {
    return Functions.missingFor(R);
  }

  /// Gives the regions whose only long call has just ended the profile that the worker had no time
  /// to create. At exit, when the worker does nothing any more.
  void adoptPendingSamples(const RegistryLock &Guard);

  /// A server that programs share, unless nothing may be written where they would find it.
  static ServerChoice serverFor(const Config &Settings);

  const std::string Program; ///< absolute path of the executable; "" when unknown
  const uint64_t StartNs;    ///< CLOCK_MONOTONIC when libspecrt was loaded

  std::mutex Mutex;
  Config Settings;
  CompilerClient Compiler;
  /// Null: no profiles are read or written. Who uses it without Mutex keeps a copy, because
  /// configure replaces it.
  std::shared_ptr<ProfileStore> Store;
  std::shared_ptr<VersionStore> Versions;       ///< null together with Store
  std::shared_ptr<StoreProblems> CacheProblems; ///< null where nothing was ever kept
  /// What specrt_wrap made and specrt_unwrap has not ended; guarded by Mutex.
  std::list<std::shared_ptr<WrappedFunction>> Wrapped;
  /// What specrt_unwrap ended and nobody has freed yet; guarded by Mutex.
  std::list<std::shared_ptr<WrappedFunction>> Unwrapped;

  uint64_t numRegions() const { return NumRegions; }

private:
  Registry();
  void applySettings();
  void openStore();
  /// Regions that an earlier run left something for; installStored is next for each.
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

  // depart.cpp: from an image that was unloaded to the same one that is loaded again.
  void departRegion(const RegistryLock &Guard, specrt_region &R, RegionState &S);
  bool takeUpStates(const RegistryLock &Guard, Image &I);
  void returnImage(const RegistryLock &Guard, Image &I, Known &Found);

  std::vector<Image> Images;
  RegionTables Described;              ///< guarded by Mutex
  std::vector<UnloadedImage> Unloaded; ///< with states that something may still refer to
  FunctionTable Functions;             ///< guarded by Mutex
  std::vector<std::unique_ptr<RegionDetail>> Details;
  std::atomic<uint64_t> NumRegions{0};
  std::atomic<uint64_t> LoadingNs{0}; ///< spent on stored versions while images registered
};

} // namespace specrt

#endif
