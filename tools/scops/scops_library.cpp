//===- tools/scops/scops_library.cpp - counts Scops of files with the compiler library ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/scops/scops_library.h"
#include "profiler/json/json_writer.h"
#include "profiler/store/stored_json.h"
#include "tools/compiler_library.h"
#include "tools/other_process.h"

#include <algorithm>
#include <deque>
#include <thread>

namespace specrt::tools {
namespace {

using nlohmann::json;

/// The limit of processor time per file.
constexpr uint32_t BudgetMs = 300'000;
/// The limit of wall time, for work in which LLVM does not check its budget.
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

json resultOf(OtherProcess &Counter) {
  const OtherProcess::Result Found = Counter.result();
  json Result;
  if (parseStored(Found.Text, Result).empty() && Result.is_object())
    return Result;
  return errorOf(Found.Death.empty() ? "LLVM gave up on it" : Found.Death);
}

} // namespace

std::vector<json> countScopsOf(const std::vector<std::string> &Files) {
  const specrt_jit_api &Api = compiler();
  const size_t AtOnce = std::max(1u, std::thread::hardware_concurrency());
  std::deque<OtherProcess> Running;
  std::vector<json> Results;
  for (size_t Next = 0; Results.size() < Files.size();) {
    while (Next < Files.size() && Running.size() < AtOnce)
      Running.emplace_back(
          AlarmSeconds, [&Api, &File = Files[Next++]] { return jsonText(countIn(Api, File), -1); });
    Results.push_back(resultOf(Running.front()));
    Running.pop_front();
    Results.back()["file"] = Files[Results.size() - 1];
  }
  return Results;
}

} // namespace specrt::tools
