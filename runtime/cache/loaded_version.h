//===- runtime/cache/loaded_version.h - a stored version in this process --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_CACHE_LOADED_VERSION_H
#define SPECRT_RUNTIME_CACHE_LOADED_VERSION_H

#include "runtime/cache/version_store.h"
#include "specrt/abi.h"
#include "specrt/version_object.h"
#include <memory>
#include <set>
#include <string>

namespace specrt {

/// A mapped shared object, bound to one region of this process. It is unmapped with its last owner;
/// no thread may execute it then, and its entry must not have been published.
class LoadedVersion {
public:
  /// Maps Stored and fills in the addresses of Region and of the helpers. Threads is the limit for
  /// parallel bodies. Returns null on failure, with Why set to one sentence.
  static std::shared_ptr<LoadedVersion> load(const StoredVersion &Stored,
                                             const specrt_region &Region, uint32_t Threads,
                                             std::string &Why);
  ~LoadedVersion();
  LoadedVersion(const LoadedVersion &) = delete;
  LoadedVersion &operator=(const LoadedVersion &) = delete;

  const specrt_version_object &object() const { return *Object; }

  /// Returns the body of a candidate, or null.
  const specrt_object_body *body(const std::string &Candidate) const;

  /// Returns true once for each entry: it has one state, so that one version can be published from
  /// it. Resets the state, because the loader may have kept the mapping of a former owner.
  bool claimState(const specrt_object_entry &Entry) {
    if (!TakenStates.insert(&Entry).second)
      return false;
    *Entry.state = {};
    return true;
  }

private:
  LoadedVersion() = default;
  bool open(const StoredVersion &Stored, std::string &Why);
  bool openCopy(const StoredVersion &Stored, std::string &Why);
  bool describe(const StoredVersion &Stored, std::string &Why);
  bool claim();
  void close();
  bool bind(const specrt_region &Region, uint32_t Threads, std::string &Why);

  /// The file in memory that Library was loaded from; empty when it was loaded from the store.
  struct OpenCopy {
    Descriptor File;
    pid_t Owner = 0; ///< the thread whose descriptor table contains File
  };

  void *Library = nullptr;
  OpenCopy Copy;
  const specrt_version_object *Object = nullptr;
  bool Claimed = false; ///< Object is in the set of bound objects
  std::set<const specrt_object_entry *> TakenStates;
};

} // namespace specrt

#endif
