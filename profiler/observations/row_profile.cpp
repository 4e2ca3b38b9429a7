//===- profiler/observations/row_profile.cpp - observes classes of sparse rows ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/observations/row_profile.h"

#include "profiler/json/json_reader.h"
#include "profiler/json/json_writer.h"
#include <nlohmann/json.hpp>

namespace specrt {

using nlohmann::json;

void RowProfile::clear() {
  Loops.clear();
  Calls = 0;
}

void RowProfile::add(const RowProfile &Newer) {
  if (Newer.Calls == 0)
    return;
  Loops = Newer.Loops;
  Calls += Newer.Calls;
}

void RowProfile::addCall(std::vector<RowsOfLoop> Shown) {
  Loops = std::move(Shown);
  ++Calls;
}

json RowProfile::toJson() const {
  json All = json::array();
  for (const RowsOfLoop &S : Loops)
    All.push_back(specrt::toJson(S));
  return {{"calls", countForJson(Calls)}, {"loops", std::move(All)}};
}

void RowProfile::readJson(JsonReader &In, const json &Json) {
  Calls = In.count(Json, "calls");
  const json &All = In.array(Json, "loops");
  if (!In.require(All.size() <= MaxLoops))
    return;
  for (const json &Entry : All)
    Loops.push_back(readRowsOfLoop(In, Entry));
}

size_t RowProfile::memoryBytes() const {
  size_t Bytes = sizeof(*this);
  for (const RowsOfLoop &S : Loops) {
    Bytes += S.Traces.bytes();
    for (const RowClass &C : S.Classes)
      Bytes += sizeof(C) + C.entries() * (sizeof(EntryKind) + 3 * sizeof(int64_t));
  }
  return Bytes;
}

} // namespace specrt
