//===- tools/scops_library.cpp - counts Scops of files, by the compiler library ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/scops_library.h"
#include "profiler/json/json_writer.h"
#include "specrt/jit_api.h"
#include "tools/command_error.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <deque>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace specrt::tools {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// Of processor time, per file.
constexpr uint32_t BudgetMs = 300'000;
/// What LLVM does not notice the end of its budget in.
constexpr unsigned AlarmSeconds = 1200;

/// Beside this program, as it is built and as it is installed.
void *openCompiler() {
  std::error_code Error;
  const fs::path Program = fs::read_symlink("/proc/self/exe", Error);
  std::string Why;
  for (const char *Folder : {SPECRT_LIBRARIES_FROM_TOOL, "../lib"}) {
    const fs::path Path = Program.parent_path() / Folder / "libspecrt-jit.so";
    if (void *Handle = dlopen(Path.c_str(), RTLD_NOW | RTLD_LOCAL))
      return Handle;
    if (const char *Text = Why.empty() ? dlerror() : nullptr)
      Why = Text;
  }
  throw CommandError(ExitUsage,
                     "Scops are counted by libspecrt-jit.so, which cannot be opened: " + Why);
}

const specrt_jit_api &compiler() {
  void *Handle = openCompiler();
  auto *Query = reinterpret_cast<decltype(&specrt_jit_query)>(dlsym(Handle, "specrt_jit_query"));
  const specrt_jit_api *Api = Query ? Query(SPECRT_JIT_API_VERSION) : nullptr;
  if (!Api)
    throw CommandError(ExitUsage, "libspecrt-jit.so belongs to another version of specrt");
  return *Api;
}

json errorOf(const std::string &Why) { return {{"error", Why}}; }

json countIn(const specrt_jit_api &Api, const std::string &File) {
  std::error_code Error;
  if (fs::is_directory(File, Error))
    return errorOf("it is a directory");
  std::ifstream In(File, std::ios::binary);
  if (!In)
    return errorOf(std::strerror(errno));
  std::ostringstream Bytes;
  Bytes << In.rdbuf();
  const std::string Text = std::move(Bytes).str();
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
