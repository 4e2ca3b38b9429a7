//===- specrt/specrt.hpp - C++ wrappers of specrt.h -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thin wrappers with std types; every function has the meaning of its C namesake. Header-only, so
// that the program's and the library's C++ libraries need not agree. Thread-safe.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECRT_HPP
#define SPECRT_SPECRT_HPP

#include "specrt/specrt.h"
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace specrt {

/// Returns the library's version, such as "0.1.0".
inline std::string version() { return specrt_version(); }

/// Sets an option; returns "" or one sentence that says which values are accepted.
inline std::string configure(const std::string &Name, const std::string &Value) {
  const char *Error = specrt_configure(Name.c_str(), Value.c_str());
  return Error ? Error : "";
}

inline bool enabled() { return specrt_enabled() != 0; }

/// Returns true once there is nothing to compile or decide, or false after Timeout.
inline bool waitIdle(std::chrono::milliseconds Timeout) {
  return specrt_wait_idle(static_cast<uint32_t>(Timeout.count())) != 0;
}

inline bool flushProfile() { return specrt_flush_profile() != 0; }
inline bool writeReport(const std::string &Path) { return specrt_write_report(Path.c_str()) != 0; }

/// Declares that Count objects changed, and promises to do so after each change; see specrt_touch.
template <typename T> void touch(const T *First, size_t Count) {
  specrt_touch(First, Count * sizeof(T));
}

/// Holds the promise of specrt_touch for its lifetime. It must be destroyed before the memory is
/// freed, which it does not own.
class Touched {
public:
  template <typename T>
  Touched(const T *First, size_t Count) : Address(First), Bytes(Count * sizeof(T)) {
    changed();
  }
  ~Touched() { specrt_touch_end(Address, Bytes); }
  Touched(const Touched &) = delete;
  Touched &operator=(const Touched &) = delete;

  /// Must be called after each change, before a loop reads the changed bytes.
  void changed() const { specrt_touch(Address, Bytes); }

private:
  const void *Address;
  size_t Bytes;
};

enum class RegionStatus : uint32_t {
  Cold = SPECRT_STATE_COLD,
  Profiling = SPECRT_STATE_PROFILING,
  Compiling = SPECRT_STATE_COMPILING,
  Trial = SPECRT_STATE_TRIAL,
  Specialised = SPECRT_STATE_SPECIALISED,
  Retired = SPECRT_STATE_RETIRED,
  Blocked = SPECRT_STATE_BLOCKED
};

/// A snapshot of one region; see specrt_region_info for units.
struct RegionInfo {
  std::string Name, Version, Reason;
  RegionStatus Status = RegionStatus::Cold;
  uint32_t Versions = 0, Compiles = 0;
  uint64_t Calls = 0, Hits = 0, Misses = 0;
  double OriginalNs = 0, BestNs = 0;

  explicit RegionInfo(const specrt_region_info &Info)
      : Name(Info.name), Version(Info.version), Reason(Info.reason),
        Status(static_cast<RegionStatus>(Info.state)), Versions(Info.versions),
        Compiles(Info.compiles), Calls(Info.calls), Hits(Info.hits), Misses(Info.misses),
        OriginalNs(Info.original_ns), BestNs(Info.best_ns) {}
};

/// Returns snapshots of all regions.
inline std::vector<RegionInfo> regions() {
  std::vector<RegionInfo> All;
  specrt_for_each_region(
      [](const specrt_region_info *Info, void *Context) {
        static_cast<std::vector<RegionInfo> *>(Context)->emplace_back(*Info);
        return 0;
      },
      &All);
  return All;
}

/// Returns a snapshot of the region with this name, if there is one.
inline std::optional<RegionInfo> region(const std::string &Name) {
  specrt_region_info Info;
  if (!specrt_find_region(Name.c_str(), &Info))
    return std::nullopt;
  return RegionInfo(Info);
}

} // namespace specrt

#endif
