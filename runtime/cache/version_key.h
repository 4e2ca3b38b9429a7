//===- runtime/cache/version_key.h - what a compiled version depends on ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_CACHE_VERSION_KEY_H
#define SPECRT_RUNTIME_CACHE_VERSION_KEY_H

#include "profiler/plans/assumptions.h"
#include "runtime/base/config.h"
#include "runtime/cache/identity.h"
#include "specrt/abi.h"
#include <string>

namespace specrt {

/// Everything that decides which code a compile request gives. Two equal texts mean
/// interchangeable code. No addresses, no times, no paths.
struct VersionKey {
  std::string Text; ///< one "name=value" line per field, always the same fields in the same order

  /// File name in the store, from a 128-bit hash: finds a file, does not admit it.
  std::string fileName() const;
};

/// Increased whenever the meaning of a field or of a stored object changes.
constexpr unsigned CacheFormat = 6;

/// For the compile request of Region under Assumed. Candidate: the one name asked for, or "" for
/// all that the compiler can think of.
VersionKey versionKey(const Identity &Who, const specrt_region &Region, const Assumptions &Assumed,
                      const std::string &Candidate, const Config &Settings);

} // namespace specrt

#endif
