//===- profiler/observations/folded_streams.cpp - the data of instrumented calls ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/observations/folded_streams.h"

#include "guards/polynomial.h"
#include "profiler/feedback/nest_json.h"
#include "profiler/json/json_reader.h"
#include "profiler/json/json_writer.h"
#include "profiler/streams/sequence_json.h"
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace specrt {
namespace {

using nlohmann::json;

/// The number of changes after which the values of a load are not used any more.
constexpr uint32_t MaxChanges = 2;

json accessToJson(const AccessStream &A) {
  json Out = {{"number", A.Number}, {"flags", A.Flags},    {"width", A.Width},
              {"line", A.Line},     {"column", A.Column},  {"depth", A.Depth},
              {"points", A.Points}, {"changes", A.Changes}};
  if (A.Elements)
    Out["elements"] = toJson(*A.Elements);
  return Out;
}

AccessStream readAccess(JsonReader &In, const json &Json) {
  auto Small = [&](const char *Name) {
    const uint64_t Value = In.count(Json, Name);
    In.require(Value <= UINT32_MAX);
    return static_cast<uint32_t>(Value);
  };
  AccessStream A{.Number = Small("number"),
                 .Flags = Small("flags"),
                 .Width = Small("width"),
                 .Line = Small("line"),
                 .Column = Small("column"),
                 .Depth = Small("depth"),
                 .Points = In.count(Json, "points"),
                 .Changes = std::min(Small("changes"), MaxChanges)};
  if (Json.contains("elements"))
    A.Elements = readSequence(In, In.member(Json, "elements"));
  return A;
}

} // namespace

FoldedStreams::FoldedStreams(const specrt_region &Region)
    : Kinds(Region.arg_kinds, Region.arg_kinds + Region.num_args) {}

void FoldedStreams::clear() {
  Latest.Accesses.clear();
  Latest.Arguments.clear();
  Latest.CallMs = Latest.WindowMs = 0;
  Latest.Words = 0;
  Calls = 0;
}

/// Compares with an earlier call on the same integers and takes over its counts.
static void compareWith(const CallStreams &Older, CallStreams &Newer) {
  for (AccessStream &A : Newer.Accesses) {
    auto Before = std::find_if(Older.Accesses.begin(), Older.Accesses.end(),
                               [&](const AccessStream &B) { return B.Number == A.Number; });
    if (Before == Older.Accesses.end())
      continue;
    A.Changes = std::max(A.Changes, Before->Changes);
    if (Older.Arguments == Newer.Arguments && Before->Elements && A.Elements != Before->Elements)
      A.Changes = std::min(A.Changes + 1, MaxChanges);
  }
}

void FoldedStreams::addCall(CallStreams Shown) {
  for (size_t I = 0; I < Kinds.size() && I < Shown.Arguments.size(); ++I)
    if (!isInteger(Kinds[I]))
      Shown.Arguments[I] = 0; // addresses differ from run to run
  compareWith(Latest, Shown);
  Latest = std::move(Shown);
  ++Calls;
}

void FoldedStreams::add(const FoldedStreams &Newer) {
  if (Newer.Calls == 0)
    return;
  CallStreams Shown = Newer.Latest;
  compareWith(Latest, Shown);
  Latest = std::move(Shown);
  Calls += Newer.Calls;
}

json FoldedStreams::toJson() const {
  json Accesses = json::array();
  for (const AccessStream &A : Latest.Accesses)
    Accesses.push_back(accessToJson(A));
  json Arguments = json::array();
  for (uint64_t Value : Latest.Arguments)
    Arguments.push_back(hexadecimal(Value));
  return {{"calls", countForJson(Calls)},      {"accesses", std::move(Accesses)},
          {"arguments", std::move(Arguments)}, {"call_ms", Latest.CallMs},
          {"window_ms", Latest.WindowMs},      {"words", countForJson(Latest.Words)}};
}

void FoldedStreams::readJson(JsonReader &In, const json &Json) {
  Calls = In.count(Json, "calls");
  for (const json &Entry : In.array(Json, "arguments"))
    Latest.Arguments.push_back(In.hexadecimal(Entry));
  In.require(Latest.Arguments.empty() || Latest.Arguments.size() == Kinds.size());
  const json &Accesses = In.array(Json, "accesses");
  if (!In.require(Accesses.size() <= MaxAccesses))
    return;
  for (const json &Entry : Accesses)
    Latest.Accesses.push_back(readAccess(In, Entry));
  Latest.CallMs = In.number(Json, "call_ms");
  Latest.WindowMs = In.number(Json, "window_ms");
  Latest.Words = In.count(Json, "words");
}

size_t FoldedStreams::memoryBytes() const {
  size_t Bytes = sizeof(*this) + Kinds.capacity() + Latest.Arguments.capacity() * sizeof(uint64_t) +
                 Latest.Accesses.capacity() * sizeof(AccessStream);
  for (const AccessStream &A : Latest.Accesses)
    if (A.Elements)
      Bytes += A.Elements->Pieces.capacity() * sizeof(specrt_sequence_piece);
  return Bytes;
}

std::vector<Sequence> FoldedStreams::sequences() const {
  std::vector<Sequence> Found;
  for (const AccessStream &A : Latest.Accesses) {
    if (!A.Elements || A.Changes >= MaxChanges)
      continue;
    // One pointer says nothing: its distance to itself is 0.
    const bool IsOnePointer = (A.Flags & SPECRT_RECORDED_POINTER) &&
                              A.Elements->Pieces.size() == 1 &&
                              A.Elements->Pieces.front().count == 1;
    if (!IsOnePointer)
      Found.push_back(*A.Elements);
  }
  return Found;
}

/// The object keeps its memory: nothing is freed or allocated.
void NestProfile::clear() { Seen.From = Nest::Nothing; }

void NestProfile::set(Nest New) {
  if (!New.isEmpty() && New.From >= Seen.From)
    Seen = std::move(New);
}

void NestProfile::add(const NestProfile &Newer) { set(Newer.Seen); }

nlohmann::json NestProfile::toJson() const { return specrt::toJson(isEmpty() ? Nest() : Seen); }

void NestProfile::readJson(JsonReader &In, const nlohmann::json &Json) {
  Seen = readNest(In, Json);
}

size_t NestProfile::memoryBytes() const {
  size_t Bytes = sizeof(*this) + Seen.Loops.capacity() * sizeof(NestLoop) +
                 Seen.Accesses.capacity() * sizeof(NestAccess) +
                 Seen.Dependences.capacity() * sizeof(NestDependence) +
                 Seen.Domain.Rows.capacity() * sizeof(NestRow);
  for (const NestAccess &A : Seen.Accesses)
    Bytes += A.Strides.capacity() * sizeof(Stride) + A.Loops.capacity() * sizeof(uint32_t);
  for (const NestDependence &D : Seen.Dependences)
    Bytes += D.Distances.capacity() * sizeof(Distance) + D.Loops.capacity() * sizeof(uint32_t);
  return Bytes;
}

} // namespace specrt
