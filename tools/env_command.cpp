//===- tools/env_command.cpp - specrt env ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/json/json_writer.h"
#include "runtime/base/config.h"
#include "tools/command_error.h"
#include "tools/commands.h"
#include "tools/report_source.h"
#include "tools/terminal.h"

#include <cstdlib>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

extern char **environ;

namespace specrt::tools {
namespace {

struct Setting {
  std::string Name, Value, Source, Accepted, Help, Phase;
};

/// Returns the variable that determines the cache directory if SPECRT_CACHE_DIR is not set.
const char *cacheSource() {
  const char *Xdg = std::getenv("XDG_CACHE_HOME");
  return Xdg && *Xdg == '/' ? "XDG_CACHE_HOME" : "HOME";
}

/// Replaces a default by its value on this machine.
void addMeaning(Setting &S, const Config &Current) {
  if (S.Name == "SPECRT_CACHE_DIR" && Current.CacheDirectory.empty()) {
    S.Value = cacheDirectory();
    S.Source = S.Value.empty() ? "default" : cacheSource();
  } else if (S.Name == "SPECRT_THREADS" && Current.Threads == 0) {
    S.Value += fmt::format(" ({} here)", workerThreads(Current));
  }
}

std::vector<Setting> allSettings(std::vector<std::string> &Warnings) {
  Config Current = configFromEnvironment(environ, environmentIsTrusted(), Warnings);
  std::vector<Setting> All;
  for (const Option &O : optionTable()) {
    auto Given = Current.Given.find(O.Name);
    bool IsGiven = Given != Current.Given.end();
    Setting S{O.Name,
              IsGiven ? Given->second : O.Default,
              IsGiven ? "environment" : "default",
              O.Accepted,
              O.Help,
              "run"};
    addMeaning(S, Current);
    All.push_back(std::move(S));
  }
  for (const CompileTimeOption &O : compileTimeOptions()) {
    const char *Given = std::getenv(O.Name);
    bool IsGiven = Given && *Given;
    All.push_back({O.Name, IsGiven ? Given : O.Default, IsGiven ? "environment" : "default",
                   O.Accepted, O.Help, "compile"});
  }
  return All;
}

std::string settingsText(const std::vector<Setting> &All, bool Long) {
  Table Out({{"SETTING"}, {"VALUE", false, 50}, {"FROM"}});
  std::string Text;
  for (const Setting &S : All) {
    std::string Value = S.Value.empty() ? "none" : printable(S.Value);
    Ink Colour = S.Source == "environment" ? Ink::Bold : Ink::Plain;
    if (!Long) {
      Out.add({{S.Name}, {Value, Colour}, {S.Source}});
      continue;
    }
    Text += fmt::format("{}={}  ({})\n", S.Name, ink(Colour, Value), S.Source);
    Text += wrapped("    ", S.Help + (S.Phase == "compile" ? " Read by specrt-clang." : ""));
    Text += wrapped("    accepts ", S.Accepted);
  }
  return Long ? Text : Out.text();
}

std::string settingsJson(const std::vector<Setting> &All,
                         const std::vector<std::string> &Warnings) {
  using nlohmann::json;
  json Out = {{"settings", json::array()}, {"warnings", Warnings}};
  for (const Setting &S : All)
    Out["settings"].push_back({{"name", S.Name},
                               {"value", S.Value},
                               {"source", S.Source},
                               {"accepted", S.Accepted},
                               {"help", S.Help},
                               {"read_at", S.Phase}});
  return jsonText(Out, 2);
}

} // namespace

int envCommand(const EnvOptions &Options) {
  std::vector<std::string> Warnings;
  std::vector<Setting> All = allSettings(Warnings);
  fmt::print("{}", Options.Json ? settingsJson(All, Warnings) : settingsText(All, Options.Long));
  for (const std::string &Warning : Warnings)
    fmt::print(stderr, "specrt: warning: {}\n", printable(Warning));
  return Warnings.empty() ? ExitSuccess : ExitNothing;
}

} // namespace specrt::tools
