//===- tools/server/server_command.cpp - specrt server --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/json/json_writer.h"
#include "tools/command_error.h"
#include "tools/commands.h"
#include "tools/report_source.h"
#include "tools/server/servers.h"
#include "tools/terminal.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace specrt::tools {
namespace {

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
  const std::vector<ServerState> Servers = runningServers(knownCacheDirectory());
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
  const std::vector<ServerState> Servers = runningServers(knownCacheDirectory());
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
