//===- runtime/cache/version_file.cpp - the bytes of a stored version -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cache/version_file.h"
#include "profiler/json/json_reader.h"
#include "profiler/json/json_writer.h"
#include "profiler/store/stored_json.h"
#include "runtime/cache/version_key.h"
#include "support/content_hash.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

namespace specrt {
namespace {

using nlohmann::json;

constexpr char Magic[8] = {'S', 'P', 'E', 'C', 'R', 'T', 'V', '\n'};

struct Footer {
  char Magic[8];
  uint32_t Format;
  uint32_t Size; ///< of the footer
  uint64_t ObjectBytes;
  uint64_t DescriptionBytes;
  uint64_t Checksum[2]; ///< XXH3-128 of all bytes before this field
};

void computeChecksum(std::string_view Bytes, uint64_t Checksum[2]) {
  ContentHash Hash = contentHash(Bytes);
  Checksum[0] = Hash.Low;
  Checksum[1] = Hash.High;
}

json candidatesJson(const std::vector<StoredCandidate> &Candidates) {
  json Out = json::array();
  for (const StoredCandidate &C : Candidates)
    Out.push_back({{"name", C.Name}, {"guards", C.Guards}});
  return Out;
}

json replaysJson(const StoredReplays &Of) {
  json Candidates = json::array();
  for (const StoredReplay &R : Of.Candidates)
    Candidates.push_back({{"name", R.Name}, {"ns", R.Ns}, {"problem", R.Problem}});
  return {{"call_ns", Of.CallNs}, {"problem", Of.Problem}, {"candidates", std::move(Candidates)}};
}

std::string describe(const VersionDescription &D) {
  json Out = {{"key", D.Key},        {"region", D.Region},
              {"title", D.Title},    {"function", D.Function},
              {"file", D.File},      {"line", D.Line},
              {"plan", D.Plan},      {"candidates", candidatesJson(D.Candidates)},
              {"absent", D.Absent},  {"complete", D.Complete},
              {"created", D.Created}};
  if (D.Replays)
    Out["replays"] = replaysJson(*D.Replays);
  return "\n" + jsonText(Out, 1);
}

bool readStrings(JsonReader &In, const json &J, const char *Name, std::vector<std::string> &Out) {
  for (const json &Element : In.array(J, Name)) {
    if (!In.require(Element.is_string()))
      return false;
    Out.push_back(Element.get<std::string>());
  }
  return true;
}

bool readReplays(JsonReader &In, const json &J, StoredReplays &Of) {
  if (!In.require(J.is_object()))
    return false;
  Of.CallNs = In.number(J, "call_ns");
  Of.Problem = In.string(J, "problem");
  for (const json &Element : In.array(J, "candidates")) {
    if (!In.require(Element.is_object()))
      return false;
    Of.Candidates.push_back({.Name = In.string(Element, "name"),
                             .Ns = In.number(Element, "ns"),
                             .Problem = In.string(Element, "problem")});
  }
  return In.good();
}

bool parse(std::string_view Text, VersionDescription &D) {
  json J;
  const EmptyJsonAtEnd Guard(J);
  JsonReader In;
  if (!In.require(parseStored(Text, J).empty() && J.is_object()))
    return false;
  const auto Small = [&](const char *Name) {
    const uint64_t Value = In.count(J, Name);
    return In.require(Value <= UINT32_MAX) ? static_cast<uint32_t>(Value) : 0;
  };
  D.Key = In.string(J, "key");
  D.Region = In.string(J, "region");
  if (J.contains("title")) // an older libspecrt does not write it
    D.Title = In.string(J, "title");
  D.Function = In.string(J, "function");
  D.File = In.string(J, "file");
  D.Line = Small("line");
  D.Plan = In.string(J, "plan");
  D.Created = In.count(J, "created");
  D.Complete = In.boolean(J, "complete");
  if (!readStrings(In, J, "absent", D.Absent))
    return false;
  if (const auto Found = J.find("replays"); Found != J.end())
    if (!readReplays(In, *Found, D.Replays.emplace()))
      return false;
  for (const json &Element : In.array(J, "candidates")) {
    StoredCandidate &C = D.Candidates.emplace_back();
    if (!In.require(Element.is_object()) || !readStrings(In, Element, "guards", C.Guards))
      return false;
    C.Name = In.string(Element, "name");
  }
  return In.good();
}

} // namespace

bool StoredReplays::lackTimes() const {
  const auto MayBeUsed = [](const StoredReplay &R) { return R.Problem.empty(); };
  return std::any_of(Candidates.begin(), Candidates.end(),
                     [&](const StoredReplay &R) { return MayBeUsed(R) && R.Ns <= 0; }) &&
         std::none_of(Candidates.begin(), Candidates.end(), [&](const StoredReplay &R) {
           return MayBeUsed(R) && R.Ns > 0 && R.Ns < CallNs;
         });
}

std::string encodeVersion(std::string_view Object, const VersionDescription &Description) {
  std::string Text = describe(Description);
  std::string Bytes(Object);
  Bytes += Text;
  Footer F{};
  std::memcpy(F.Magic, Magic, sizeof(Magic));
  F.Format = CacheFormat;
  F.Size = sizeof(Footer);
  F.ObjectBytes = Object.size();
  F.DescriptionBytes = Text.size();
  Bytes.append(reinterpret_cast<const char *>(&F), offsetof(Footer, Checksum));
  computeChecksum(Bytes, F.Checksum);
  Bytes.append(reinterpret_cast<const char *>(F.Checksum), sizeof(F.Checksum));
  return Bytes;
}

std::string decodeVersion(std::string_view Bytes, VersionDescription &Description,
                          std::string_view &Object) {
  Footer F;
  if (Bytes.size() < sizeof(F))
    return "is incomplete";
  std::memcpy(&F, Bytes.data() + Bytes.size() - sizeof(F), sizeof(F));
  if (std::memcmp(F.Magic, Magic, sizeof(Magic)) != 0 || F.Size != sizeof(F))
    return "is incomplete or was not written by libspecrt";
  if (F.Format != CacheFormat)
    return "was written by another version of libspecrt";
  uint64_t Checksum[2];
  computeChecksum(Bytes.substr(0, Bytes.size() - sizeof(F.Checksum)), Checksum);
  if (std::memcmp(Checksum, F.Checksum, sizeof(Checksum)) != 0)
    return "is damaged (wrong checksum)";
  uint64_t Rest = Bytes.size() - sizeof(F);
  if (F.ObjectBytes > Rest || F.DescriptionBytes != Rest - F.ObjectBytes)
    return "is damaged (wrong sizes)";
  Object = Bytes.substr(0, F.ObjectBytes);
  if (!parse(Bytes.substr(F.ObjectBytes, F.DescriptionBytes), Description))
    return "is damaged (its description is not understood)";
  return "";
}

} // namespace specrt
