//===- tools/server_command.cpp - specrt server ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/json/json_writer.h"
#include "runtime/protocol/endpoint.h"
#include "tools/command_error.h"
#include "tools/commands.h"
#include "tools/report_source.h"
#include "tools/terminal.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace specrt::tools {
namespace {

namespace fs = std::filesystem;

/// The fields of /proc/PID/stat that follow the name: "12 (name) S 1 ...".
struct ProcessState {
  char State = '?';
  pid_t Parent = 0;
};

ProcessState stateOf(const fs::path &Process) {
  std::ifstream In(Process / "stat");
  std::string Line;
  std::getline(In, Line);
  ProcessState Found;
  if (const size_t Name = Line.rfind(')'); Name != Line.npos)
    std::istringstream(Line.substr(Name + 1)) >> Found.State >> Found.Parent;
  return Found;
}

struct ServerState {
  pid_t Process = 0;
  unsigned Compiling = 0, Paused = 0; ///< processes
};

std::vector<ServerState> runningServers() {
  std::vector<ServerState> Servers;
  for (const pid_t Process : serversIn(knownCacheDirectory()))
    Servers.push_back({.Process = Process});
  std::error_code Ignored;
  for (const fs::directory_entry &Entry : fs::directory_iterator("/proc", Ignored)) {
    const ProcessState P = stateOf(Entry.path());
    for (ServerState &S : Servers)
      if (P.Parent == S.Process)
        ++(P.State == 'T' ? S.Paused : S.Compiling);
  }
  return Servers;
}

std::string statusText(const std::vector<ServerState> &Servers) {
  if (Servers.empty())
    return fmt::format("no compile server for {}\n", printable(knownCacheDirectory()));
  std::string Text;
  for (const ServerState &S : Servers) {
    Text += fmt::format("compile server {} for {}: ", S.Process, printable(knownCacheDirectory()));
    if (S.Compiling + S.Paused == 0)
      Text += "waits for work";
    else
      Text += fmt::format("compiles {}", S.Compiling + S.Paused);
    if (S.Paused > 0)
      Text += fmt::format(", of which {} wait for a free processor", S.Paused);
    Text += "\n";
  }
  return Text;
}

} // namespace

int serverStatusCommand(const ServerOptions &Options) {
  const std::vector<ServerState> Servers = runningServers();
  if (Options.Json) {
    nlohmann::json Out = nlohmann::json::array();
    for (const ServerState &S : Servers)
      Out.push_back({{"process", S.Process}, {"compiling", S.Compiling}, {"paused", S.Paused}});
    fmt::print("{}", jsonText({{"directory", knownCacheDirectory()}, {"servers", Out}}, 2));
  } else {
    fmt::print("{}", statusText(Servers));
  }
  return Servers.empty() ? ExitNothing : ExitSuccess;
}

int serverStopCommand() {
  const std::vector<ServerState> Servers = runningServers();
  for (const ServerState &S : Servers) {
    if (kill(S.Process, SIGTERM) != 0)
      throw CommandError(ExitUsage, fmt::format("compile server {} cannot be stopped: {}",
                                                S.Process, std::strerror(errno)));
    fmt::print("stopped compile server {}\n", S.Process);
  }
  if (Servers.empty())
    fmt::print("{}", statusText(Servers));
  return Servers.empty() ? ExitNothing : ExitSuccess;
}

} // namespace specrt::tools
