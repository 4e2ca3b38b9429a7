//===- tools/server/servers.h - the compile servers of a cache directory --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_SERVER_SERVERS_H
#define SPECRT_TOOLS_SERVER_SERVERS_H

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace specrt::tools {

struct ServerState {
  pid_t Process = 0;
  unsigned Compiling = 0, Paused = 0; ///< processes
  uint64_t UsedTicks = 0;             ///< processor time of the server itself
};

/// Returns the servers that listen in \p CacheDirectory, of all builds of libspecrt.
std::vector<ServerState> runningServers(const std::string &CacheDirectory);

/// Waits until no server of \p CacheDirectory has had work for a moment. Returns false at \p
/// Deadline, or when \p IsCancelled returns true; it is called every 50 ms.
bool waitForServers(const std::string &CacheDirectory,
                    std::chrono::steady_clock::time_point Deadline,
                    const std::function<bool()> &IsCancelled);

} // namespace specrt::tools

#endif
