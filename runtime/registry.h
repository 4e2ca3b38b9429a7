//===- runtime/registry.h - all images, regions and settings of a process -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one piece of global mutable state. It is created by the first image that registers and never
// destroyed: regions may still be called by the last destructors of the program.
//
// Mutex guards images, details and settings. It is held for short, bounded work only (never while
// compiling or writing files), and never taken by specrt_enter and specrt_leave.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_REGISTRY_H
#define SPECRT_RUNTIME_REGISTRY_H

#include "runtime/cache/version_store.h"
#include "runtime/config.h"
#include "runtime/jit_library.h"
#include "runtime/region_detail.h"
#include <functional>
#include <mutex>

namespace specrt {

class WrappedFunction;

/// One instrumented executable or library: its part of the region section and the states.
struct Image {
  specrt_region **Begin = nullptr;
  specrt_region **End = nullptr;
  RegionState *States = nullptr; ///< one per entry, in zeroed pages; null while disabled
  size_t Bytes = 0;

  size_t size() const { return static_cast<size_t>(End - Begin); }
};

class Registry {
public:
  static Registry &get();

  void registerImage(specrt_region **Begin, specrt_region **End);
  void unregisterImage(specrt_region **Begin, specrt_region **End);

  /// The descriptor of a wrapped function is complete: takes up what earlier runs know of it. Mutex
  /// held.
  void describeRegion(specrt_region &R, RegionState &S) {
    prepareRegion(R, S, /*Fresh=*/false, /*MayLoad=*/false);
  }
  /// The region of a wrapped function runs its original for good. Mutex held.
  void blockRegion(specrt_region &R, RegionState &S, const std::string &Why);

  /// Changes one setting before the first region ran. "" or one sentence.
  std::string configure(const std::string &Name, const std::string &Value);

  /// The detail of S, created when there is none; null when the image is gone. Mutex held.
  RegionDetail *detailOf(RegionState &S);

  /// Every region that was called or has a detail, also of departed images. Region is null for
  /// those without detail whose image is gone. Mutex held.
  struct View {
    const specrt_region *Region; ///< the live descriptor or the detail's copy
    RegionState *State;
    RegionDetail *Detail; ///< may be null
  };
  void forEach(const std::function<void(const View &)> &Visit, bool AlsoCold = false);

  /// Gives the regions whose only long call has just ended the profile that the worker had no time
  /// to create. At exit, when the worker does nothing any more. Mutex held.
  void adoptPendingSamples();

  const std::string Program; ///< absolute path of the executable; "" when unknown
  const uint64_t StartNs;    ///< CLOCK_MONOTONIC when libspecrt was loaded

  std::mutex Mutex;
  Config Settings;
  JitLibrary Jit;
  std::unique_ptr<ProfileStore> Store;    ///< null: no profiles are read or written
  std::shared_ptr<VersionStore> Versions; ///< null together with Store
  /// What specrt_wrap made and specrt_unwrap has not ended; guarded by Mutex.
  std::vector<std::shared_ptr<WrappedFunction>> Wrapped;

  uint64_t numRegions() const { return NumRegions; }

private:
  Registry();
  void applySettings();
  void openStore();
  /// MayLoad: stored versions may be opened at once. Only from a constructor, which the loader runs
  /// under its own lock: elsewhere, opening something under Mutex could wait for a thread that
  /// holds that lock and waits for Mutex.
  void prepareImage(Image &I, bool MayLoad);
  void prepareRegion(specrt_region &R, RegionState &S, bool Fresh, bool MayLoad);
  void prepareFromStore(specrt_region &R, RegionState &S, bool MayLoad);
  void installStored(specrt_region &R, RegionDetail &D);
  void departRegion(specrt_region &R, RegionState &S);

  std::vector<Image> Images;
  std::vector<std::unique_ptr<RegionDetail>> Details;
  std::atomic<uint64_t> NumRegions{0};
  uint64_t LoadingNs = 0; ///< spent on stored versions while images registered
};

} // namespace specrt

#endif
