//===- tests/runtime/stories/processes.h - processes that are no children ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_RUNTIME_STORIES_PROCESSES_H
#define SPECRT_TESTS_RUNTIME_STORIES_PROCESSES_H

#include <chrono>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <string>
#include <sys/types.h>
#include <unistd.h>
#include <vector>

/// The beginning of a file in the process's folder in /proc; "" when the process does not exist.
inline std::string processFile(pid_t Process, const char *Name) {
  char Text[4096];
  const int File = open(("/proc/" + std::to_string(Process) + "/" + Name).c_str(), O_RDONLY);
  const ssize_t Bytes = File >= 0 ? read(File, Text, sizeof(Text)) : -1;
  if (File >= 0)
    close(File);
  return {Text, Bytes > 0 ? static_cast<size_t>(Bytes) : 0};
}

inline bool hasEnded(pid_t Process) {
  // 12 (name) Z ...: its parent has not asked for its exit code yet.
  const std::string Status = processFile(Process, "stat");
  return Status.empty() || Status.find(") Z") != Status.npos;
}

/// Waits for the end of a process, at most so many seconds. Returns whether it has ended.
inline bool endsWithin(int Seconds, pid_t Process) {
  const auto Until = std::chrono::steady_clock::now() + std::chrono::seconds(Seconds);
  while (!hasEnded(Process) && std::chrono::steady_clock::now() < Until)
    usleep(1000);
  return hasEnded(Process);
}
inline bool endsSoon(pid_t Process) { return endsWithin(10, Process); }

/// The compile servers that listen in a cache directory, and what they have started.
inline std::vector<pid_t> serversIn(const std::string &CacheDirectory) {
  std::vector<pid_t> Found;
  const std::unique_ptr<DIR, int (*)(DIR *)> Processes(opendir("/proc"), closedir);
  while (const dirent *Entry = Processes ? readdir(Processes.get()) : nullptr) {
    const pid_t Process = std::atoi(Entry->d_name);
    if (Process <= 0)
      continue;
    // specrt-server LIBRARY listen|serve CACHE_DIRECTORY, each followed by a null byte.
    const std::string Arguments = processFile(Process, "cmdline");
    if (Arguments.find("/specrt-server") != Arguments.npos &&
        Arguments.ends_with('\0' + CacheDirectory + '\0'))
      Found.push_back(Process);
  }
  return Found;
}

#endif
