//===- tools/server/servers.cpp - the compile servers of a cache directory ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/server/servers.h"
#include "runtime/protocol/endpoint.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace specrt::tools {
namespace {

namespace fs = std::filesystem;

/// The fields of /proc/PID/stat that follow the name: "12 (name) S 1 ...".
struct ProcessState {
  char State = '?';
  pid_t Parent = 0;
  uint64_t UsedTicks = 0; ///< processor time
};

ProcessState stateOf(const fs::path &Process) {
  std::ifstream In(Process / "stat");
  std::string Line;
  std::getline(In, Line);
  ProcessState Found;
  const size_t Name = Line.rfind(')');
  if (Name == Line.npos)
    return Found;
  std::istringstream Fields(Line.substr(Name + 1));
  Fields >> Found.State >> Found.Parent;
  constexpr int FieldsUntilTime = 9; // pgrp to cmajflt
  std::string Skipped;
  for (int I = 0; I < FieldsUntilTime; ++I)
    Fields >> Skipped;
  uint64_t UserTicks = 0, SystemTicks = 0;
  Fields >> UserTicks >> SystemTicks;
  Found.UsedTicks = UserTicks + SystemTicks;
  return Found;
}

bool isCompiling(const std::vector<ServerState> &Servers) {
  return std::any_of(Servers.begin(), Servers.end(),
                     [](const ServerState &S) { return S.Compiling + S.Paused > 0; });
}

uint64_t usedTicks(const std::vector<ServerState> &Servers) {
  uint64_t Ticks = 0;
  for (const ServerState &S : Servers)
    Ticks += S.UsedTicks;
  return Ticks;
}

} // namespace

std::vector<ServerState> runningServers(const std::string &CacheDirectory) {
  std::vector<ServerState> Servers;
  for (const pid_t Process : serversIn(CacheDirectory))
    Servers.push_back(
        {.Process = Process,
         .UsedTicks = stateOf(fs::path("/proc") / std::to_string(Process)).UsedTicks});
  if (Servers.empty())
    return Servers;
  std::error_code Ignored;
  for (const fs::directory_entry &Entry : fs::directory_iterator("/proc", Ignored)) {
    const ProcessState P = stateOf(Entry.path());
    for (ServerState &S : Servers)
      if (P.Parent == S.Process)
        ++(P.State == 'T' ? S.Paused : S.Compiling);
  }
  return Servers;
}

bool waitForServers(const std::string &CacheDirectory,
                    std::chrono::steady_clock::time_point Deadline,
                    const std::function<bool()> &IsCancelled) {
  using namespace std::chrono_literals;
  constexpr auto Interval = 50ms;
  // A server that was started for the last request of a program first loads LLVM. Meanwhile it
  // listens or uses processor time, but has no compiling process.
  constexpr int QuietIntervals = 4;
  // such servers answer the connections that are made here
  constexpr uint64_t TicksOfIdleServers = 1;
  int Quiet = 0;
  uint64_t Before = 0;
  while (true) {
    const std::vector<ServerState> Servers = runningServers(CacheDirectory);
    const uint64_t Used = usedTicks(Servers);
    Quiet = !isCompiling(Servers) && Used <= Before + TicksOfIdleServers ? Quiet + 1 : 0;
    Before = Used;
    if (Quiet > QuietIntervals)
      return true;
    if (IsCancelled() || std::chrono::steady_clock::now() >= Deadline)
      return false;
    std::this_thread::sleep_for(Interval);
  }
}

} // namespace specrt::tools
