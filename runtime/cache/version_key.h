//===- runtime/cache/version_key.h - keys of compiled versions ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_CACHE_VERSION_KEY_H
#define SPECRT_RUNTIME_CACHE_VERSION_KEY_H

#include "profiler/plans/assumptions.h"
#include "runtime/base/config.h"
#include "runtime/cache/identity.h"
#include "specrt/abi.h"
#include <string>

namespace specrt {

/// Contains everything that determines the code of a compile request. Two equal texts mean
/// interchangeable code. It contains no addresses, times or paths.
struct VersionKey {
  std::string Text; ///< one "name=value" line per field, always the same fields in the same order

  /// Returns the file name in the store, a 128-bit hash. A file with this name is used only if its
  /// key is equal.
  std::string fileName() const;
};

/// Must be increased whenever the meaning of a field or of a stored object changes.
constexpr unsigned CacheFormat = 6;

/// Returns the key of the compile request of Region under Assumed. Candidate is the requested name,
/// or "" for all candidates.
VersionKey versionKey(const Identity &Who, const specrt_region &Region, const Assumptions &Assumed,
                      const std::string &Candidate, const Config &Settings);

} // namespace specrt

#endif
