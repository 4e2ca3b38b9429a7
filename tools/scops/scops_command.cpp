//===- tools/scops/scops_command.cpp - specrt scops -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/json/json_writer.h"
#include "tools/command_error.h"
#include "tools/commands.h"
#include "tools/scops/scops_library.h"
#include "tools/terminal.h"

#include <cstring>
#include <fmt/format.h>
#include <fstream>

namespace specrt::tools {
namespace {

using nlohmann::json;

constexpr const char *Numbers[] = {"scops", "checked", "speculative", "rejected"};
constexpr const char *CauseNumbers[] = {"affected", "sole", "cumulative"};

void add(json &To, const json &More, const char *Member) {
  To[Member] = To.value(Member, uint64_t{0}) + More.value(Member, uint64_t{0});
}

/// Adds up the numbers of all files. They have the same causes in the same order, so that
/// cumulative numbers add up, too.
json totalOf(const std::vector<json> &Files) {
  json Total = {{"scops", 0}, {"checked", 0}, {"speculative", 0}, {"rejected", 0}};
  Total["causes"] = json::array();
  for (const json &File : Files) {
    if (File.contains("error"))
      continue;
    for (const char *Member : Numbers)
      add(Total, File, Member);
    json &Causes = Total["causes"];
    if (Causes.empty()) {
      Causes = File["causes"];
      continue;
    }
    for (size_t I = 0; I < Causes.size(); ++I)
      for (const char *Member : CauseNumbers)
        add(Causes[I], File["causes"][I], Member);
  }
  return Total;
}

uint64_t number(const json &Of, const char *Member) { return Of[Member].get<uint64_t>(); }

std::string increaseText(uint64_t From, uint64_t To) {
  if (From == 0)
    return "";
  const double Percent =
      100 * (static_cast<double>(To) - static_cast<double>(From)) / static_cast<double>(From);
  return fmt::format(" ({:+.0f} %)", Percent);
}

std::string scopsText(const json &Total, size_t NumFiles) {
  const uint64_t Scops = number(Total, "scops"), Checked = number(Total, "checked"),
                 Speculative = number(Total, "speculative"), Rejected = number(Total, "rejected");
  const uint64_t Regions = Scops + Rejected;
  std::string Text =
      fmt::format("{} region{} with loops in {} file{}\n", grouped(Regions),
                  Regions == 1 ? "" : "s", grouped(NumFiles), NumFiles == 1 ? "" : "s");
  Text += fmt::format("  Scops as the code is:            {}\n", grouped(Scops));
  Text += fmt::format("  with Polly's run-time checks:    {}{}\n", grouped(Checked),
                      increaseText(Scops, Checked));
  Text += fmt::format("  with speculation:                {}{}\n\n", grouped(Speculative),
                      increaseText(Scops, Speculative));
  Table Out(
      {{"CAUSE"}, {"AFFECTED", true}, {"SOLE", true}, {"CUMULATIVE", true}, {"GUARD"}, {"WHAT"}});
  for (const json &Cause : Total["causes"]) {
    const bool IsAnswered = Cause["speculative"].get<bool>();
    Out.add({{Cause["name"].get<std::string>(), IsAnswered ? Ink::Good : Ink::Plain},
             {grouped(number(Cause, "affected"))},
             {grouped(number(Cause, "sole"))},
             {grouped(number(Cause, "cumulative"))},
             {IsAnswered ? "yes" : "no"},
             {Cause["meaning"].get<std::string>()}});
  }
  return Text + Out.text();
}

std::vector<std::string> filesOf(const ScopsOptions &Options) {
  std::vector<std::string> Files = Options.Files;
  if (!Options.From.empty()) {
    std::ifstream In(Options.From);
    if (!In)
      throw CommandError(ExitUsage, fmt::format("{} cannot be read: {}", printable(Options.From),
                                                std::strerror(errno)));
    for (std::string Line; std::getline(In, Line);)
      if (!Line.empty())
        Files.push_back(Line);
  }
  if (Files.empty())
    throw CommandError(ExitUsage, "no files are named");
  return Files;
}

} // namespace

int scopsCommand(const ScopsOptions &Options) {
  const std::vector<json> Files = countScopsOf(filesOf(Options));
  size_t NumBad = 0;
  for (const json &File : Files)
    if (File.contains("error")) {
      ++NumBad;
      fmt::print(stderr, "specrt: error: {}: {}\n", printable(File["file"].get<std::string>()),
                 printable(File["error"].get<std::string>()));
    }
  const json Total = totalOf(Files);
  const size_t NumGood = Files.size() - NumBad;
  if (Options.Json)
    fmt::print("{}", jsonText({{"format", 1}, {"total", Total}, {"files", Files}}, 2));
  else if (NumGood)
    fmt::print("{}", scopsText(Total, NumGood));
  if (NumBad)
    return ExitUsage;
  return number(Total, "scops") + number(Total, "rejected") ? ExitSuccess : ExitNothing;
}

} // namespace specrt::tools
