//===- tools/scops_library.cpp - counts Scops of files, by the compiler library ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/scops_library.h"
#include "profiler/json/json_writer.h"
#include "tools/command_error.h"
#include "tools/compiler_library.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <deque>
#include <fmt/format.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace specrt::tools {
namespace {

using nlohmann::json;

/// Of processor time, per file.
constexpr uint32_t BudgetMs = 300'000;
/// What LLVM does not notice the end of its budget in.
constexpr unsigned AlarmSeconds = 1200;

json errorOf(const std::string &Why) { return {{"error", Why}}; }

json countIn(const specrt_jit_api &Api, const std::string &File) {
  std::string Why;
  const std::string Text = bytesOf(File, Why);
  if (!Why.empty())
    return errorOf(Why);
  const specrt_scop_counts &Counts = *Api.count_scops(Text.data(), Text.size(), BudgetMs);
  if (Counts.error)
    return errorOf(Counts.error);
  json Causes = json::array();
  for (uint32_t I = 0; I < Counts.num_causes; ++I) {
    const specrt_scop_cause &C = Counts.causes[I];
    Causes.push_back({{"name", C.name},
                      {"meaning", C.meaning},
                      {"speculative", C.speculative != 0},
                      {"affected", C.affected},
                      {"sole", C.sole},
                      {"cumulative", C.cumulative}});
  }
  return {{"scops", Counts.scops},
          {"checked", Counts.checked},
          {"speculative", Counts.speculative},
          {"rejected", Counts.rejected},
          {"causes", std::move(Causes)}};
}

/// A process that counts in one file and writes what it finds to a pipe, which holds all of it.
class Counter {
public:
  Counter(const specrt_jit_api &Api, const std::string &File) {
    int Ends[2];
    if (pipe(Ends) != 0)
      throw CommandError(ExitUsage, std::string("no pipe: ") + std::strerror(errno));
    Process = fork();
    if (Process < 0)
      throw CommandError(ExitUsage, std::string("no process: ") + std::strerror(errno));
    if (Process == 0) {
      alarm(AlarmSeconds);
      const std::string Text = jsonText(countIn(Api, File), -1);
      _exit(write(Ends[1], Text.data(), Text.size()) == static_cast<ssize_t>(Text.size()) ? 0 : 1);
    }
    close(Ends[1]);
    From = Ends[0];
  }

  json result() {
    std::string Text;
    char Part[4096];
    for (ssize_t Size; (Size = read(From, Part, sizeof Part)) > 0;)
      Text.append(Part, static_cast<size_t>(Size));
    close(From);
    int Status = 0;
    waitpid(Process, &Status, 0);
    json Result = json::parse(Text, nullptr, /*allow_exceptions=*/false);
    if (Result.is_object())
      return Result;
    return errorOf(WIFSIGNALED(Status)
                       ? fmt::format("LLVM did not survive it ({})", strsignal(WTERMSIG(Status)))
                       : "LLVM gave up on it");
  }

private:
  pid_t Process = -1;
  int From = -1;
};

} // namespace

std::vector<json> countScopsOf(const std::vector<std::string> &Files) {
  const specrt_jit_api &Api = compiler();
  const size_t AtOnce = std::max(1u, std::thread::hardware_concurrency());
  std::deque<Counter> Running;
  std::vector<json> Results;
  for (size_t Next = 0; Results.size() < Files.size();) {
    while (Next < Files.size() && Running.size() < AtOnce)
      Running.emplace_back(Api, Files[Next++]);
    Results.push_back(Running.front().result());
    Running.pop_front();
    Results.back()["file"] = Files[Results.size() - 1];
  }
  return Results;
}

} // namespace specrt::tools
