//===- tools/cache_command.cpp - specrt cache -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/json/json_writer.h"
#include "runtime/base/config.h"
#include "tools/cache_entries.h"
#include "tools/command_error.h"
#include "tools/commands.h"
#include "tools/report_source.h"
#include "tools/terminal.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

extern char **environ;

namespace specrt::tools {
namespace {

std::vector<CacheEntry> entriesFor(const CacheOptions &Options) {
  std::vector<std::string> Errors;
  std::vector<CacheEntry> Entries =
      listCache(knownCacheDirectory(), {Options.Kind, Options.Program}, Errors);
  for (const std::string &Error : Errors)
    fmt::print(stderr, "specrt: error: {}\n", printable(Error));
  if (!Errors.empty() && Entries.empty())
    throw CommandError(ExitUsage, "the cache cannot be read");
  return Entries;
}

/// A directory of SPECRT_CACHE_PATH.
struct FurtherCache {
  std::string Directory;
  std::vector<std::string> Problems; ///< why it, or a part of it, is not used
  std::vector<CacheEntry> Entries;
};

std::vector<FurtherCache> furtherCaches(const CacheOptions &Options) {
  std::vector<FurtherCache> All;
  std::vector<std::string> Warnings;
  if (!Options.All)
    return All;
  for (const std::string &Each :
       configFromEnvironment(environ, environmentIsTrusted(), Warnings).CachePath) {
    FurtherCache &Next = All.emplace_back();
    Next.Directory = Each;
    Next.Entries = listFurtherCache(Each, {Options.Kind, Options.Program}, Next.Problems);
    // Programs ignore a missing directory, too; its name may be wrong.
    if (access(Each.c_str(), F_OK) != 0)
      Next.Problems.push_back("the directory " + Each + " does not exist");
    std::sort(Next.Problems.begin(), Next.Problems.end());
    Next.Problems.erase(std::unique(Next.Problems.begin(), Next.Problems.end()),
                        Next.Problems.end());
  }
  return All;
}

std::string listText(const std::string &Directory, const std::vector<CacheEntry> &Entries) {
  Table Out({{"KIND"},
             {"OF", false, 30, /*IsName=*/true},
             {"CONTENTS", false, 40},
             {"SIZE", true},
             {"LAST USED"}});
  uint64_t Bytes = 0;
  for (const CacheEntry &E : Entries) {
    bool Bad = !E.Problem.empty();
    std::string Contents = Bad ? E.Problem : E.Contents;
    Out.add({{E.Kind},
             {printable(E.Subject.empty() ? E.Path.substr(E.Path.rfind('/') + 1) : E.Subject)},
             {printable(Contents), Bad ? Ink::Bad : Ink::Plain},
             {bytesText(E.Bytes)},
             {dateText(E.LastUsed)}});
    Bytes += E.Bytes;
  }
  return (Out.empty() ? "" : Out.text()) + fmt::format("{} file{}, {}, in {}\n", Entries.size(),
                                                       Entries.size() == 1 ? "" : "s",
                                                       bytesText(Bytes), printable(Directory));
}

nlohmann::json entriesJson(const std::vector<CacheEntry> &Entries) {
  nlohmann::json Out = nlohmann::json::array();
  for (const CacheEntry &E : Entries)
    Out.push_back({{"kind", E.Kind},
                   {"path", E.Path},
                   {"of", E.Subject},
                   {"contents", E.Contents},
                   {"problem", E.Problem},
                   {"bytes", E.Bytes},
                   {"last_used", E.LastUsed}});
  return Out;
}

std::string listJson(const std::vector<CacheEntry> &Entries,
                     const std::vector<FurtherCache> &Further) {
  using nlohmann::json;
  json Out = {{"directory", knownCacheDirectory()}, {"entries", entriesJson(Entries)}};
  for (const FurtherCache &Each : Further)
    Out["further"].push_back({{"directory", Each.Directory},
                              {"problems", Each.Problems},
                              {"entries", entriesJson(Each.Entries)}});
  return jsonText(Out, 2);
}

/// Asks on the terminal. Throws CommandError if standard input is no terminal.
bool confirmed(size_t Count) {
  if (!isatty(STDIN_FILENO))
    throw CommandError(ExitUsage, "nobody to ask whether to remove files; use --yes");
  fmt::print("Remove {} file{} from {}? [y/N] ", Count, Count == 1 ? "" : "s",
             printable(knownCacheDirectory()));
  std::fflush(stdout);
  int Answer = std::getchar();
  return Answer == 'y' || Answer == 'Y';
}

} // namespace

int cachePathCommand() {
  fmt::print("{}\n", knownCacheDirectory());
  return ExitSuccess;
}

int cacheListCommand(const CacheOptions &Options) {
  std::vector<CacheEntry> Entries = entriesFor(Options);
  const std::vector<FurtherCache> Further = furtherCaches(Options);
  bool IsAnyThere = !Entries.empty();
  fmt::print("{}",
             Options.Json ? listJson(Entries, Further) : listText(knownCacheDirectory(), Entries));
  for (const FurtherCache &Each : Further) {
    IsAnyThere |= !Each.Entries.empty();
    if (Options.Json)
      continue;
    fmt::print("\n{}", listText(Each.Directory, Each.Entries));
    for (const std::string &Problem : Each.Problems)
      fmt::print("{}\n", ink(Ink::Bad, printable(Problem)));
  }
  if (IsAnyThere || Options.Program.empty())
    return ExitSuccess;
  fmt::print(stderr, "specrt: nothing is kept of a program '{}'{}\n", printable(Options.Program),
             Options.Kind == "versions" || Options.Kind == "rows"
                 ? ": compiled versions and persistent plans belong to no program"
                 : "");
  return ExitNothing;
}

int cacheVerifyCommand(const CacheOptions &Options) {
  std::vector<CacheEntry> Entries = entriesFor(Options);
  size_t Bad = 0;
  for (const CacheEntry &E : Entries)
    if (!E.Problem.empty()) {
      fmt::print("{} {}\n", printable(E.Path), printable(E.Problem));
      ++Bad;
    }
  fmt::print("{} of {} files are good\n", Entries.size() - Bad, Entries.size());
  return Bad ? ExitNothing : ExitSuccess;
}

int cacheClearCommand(const CacheOptions &Options) {
  std::string Directory = knownCacheDirectory();
  if (!Options.Yes) {
    size_t Count = entriesFor(Options).size();
    if (Count > 0 && !confirmed(Count)) {
      fmt::print("nothing was removed\n");
      return ExitNothing;
    }
  }
  std::vector<std::string> Errors;
  size_t Removed = clearCache(Directory, {Options.Kind, Options.Program}, Errors);
  for (const std::string &Error : Errors)
    fmt::print(stderr, "specrt: error: {}\n", printable(Error));
  fmt::print("{} file{} removed\n", Removed, Removed == 1 ? "" : "s");
  return Errors.empty() ? ExitSuccess : ExitUsage;
}

} // namespace specrt::tools
