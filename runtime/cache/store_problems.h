//===- runtime/cache/store_problems.h - collects problems of a cache directory ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Profiles, versions and persistent plans share a directory, and its problems. A problem of the
// directory is logged once, immediately. There may be very many damaged files: each is logged for
// debugging, and one line at the end of the process reports them all.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_CACHE_STORE_PROBLEMS_H
#define SPECRT_RUNTIME_CACHE_STORE_PROBLEMS_H

#include "profiler/store/store_message.h"
#include <mutex>
#include <set>
#include <string>
#include <sys/types.h>

namespace specrt {

/// Thread-safe. The problems belong to one process: a forked child does not report files that its
/// parent has found.
class StoreProblems {
public:
  explicit StoreProblems(std::string CacheDirectory) : CacheDirectory(std::move(CacheDirectory)) {}

  void add(const StoreMessage &Message);
  /// Warns of the files that could not be used, if there are any that it has not warned of.
  void warnOfFiles();

private:
  const std::string CacheDirectory;
  std::timed_mutex Mutex; ///< timed, because a forked child may inherit it locked
  std::set<std::string> Said;
  std::set<std::string> Files; ///< text for each file
  std::string First;           ///< the first of these texts
  pid_t FilesOf = 0;           ///< the process that found Files
};

} // namespace specrt

#endif
