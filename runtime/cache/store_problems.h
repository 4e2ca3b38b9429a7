//===- runtime/cache/store_problems.h - one line for all that is wrong with a cache ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Profiles, versions and tables of rows share a directory, and its problems. What concerns the
// directory is logged once, at once. A directory whose files are damaged may have very many of
// them: each is logged for debugging, and the end of the process has one line for them all.
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

/// Thread-safe. Of one process: a forked child says nothing of files that its parent has met.
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
  std::set<std::string> Files; ///< what is to be said of each
  std::string First;           ///< of these
  pid_t FilesOf = 0;           ///< process
};

} // namespace specrt

#endif
