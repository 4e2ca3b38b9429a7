//===- tools/archive/cache_archive.cpp - a cache in one file ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/archive/cache_archive.h"
#include "profiler/json/json_reader.h"
#include "profiler/json/json_writer.h"
#include "profiler/store/observation_files.h"
#include "profiler/store/stored_json.h"
#include "runtime/cache/version_store.h"
#include "support/content_hash.h"
#include "tools/terminal.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

namespace specrt::tools {
namespace {

using nlohmann::json;

constexpr const char *ManifestName = "specrt-cache.json";
constexpr const char *FormatName = "specrt-cache";
constexpr unsigned FormatVersion = 1;

constexpr std::string_view Json = ".json", Object = ".so";
constexpr size_t HashDigits = 32, PathDigits = 16;

bool isHex(std::string_view Text, size_t Digits) {
  return Text.size() == Digits &&
         Text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Returns whether Text is "<program>-<16 digits>", a name of storeFileName without its ending.
bool isProgram(std::string_view Text) {
  constexpr size_t MaxProgram = 80;
  if (Text.size() <= PathDigits || Text.size() > MaxProgram + 1 + PathDigits)
    return false;
  const size_t Dash = Text.size() - PathDigits - 1;
  return Text[Dash] == '-' && isHex(Text.substr(Dash + 1), PathDigits) &&
         std::all_of(
             Text.begin(), Text.begin() + static_cast<ptrdiff_t>(Dash),
             [](unsigned char C) { return std::isalnum(C) || C == '-' || C == '_' || C == '.'; });
}

/// Returns Text without Ending; nothing when Text does not end with it.
std::optional<std::string_view> without(std::string_view Text, std::string_view Ending) {
  if (!Text.ends_with(Ending))
    return std::nullopt;
  return Text.substr(0, Text.size() - Ending.size());
}

std::optional<ArchivedName> parseObservation(std::string_view File) {
  const auto Stem = without(File, Json);
  if (!Stem || Stem->size() <= HashDigits + 1)
    return std::nullopt;
  const std::string_view Program = Stem->substr(0, Stem->size() - HashDigits - 1);
  const std::string_view Hash = Stem->substr(Stem->size() - HashDigits);
  if ((*Stem)[Program.size()] != '-' || !isProgram(Program) || !isHex(Hash, HashDigits))
    return std::nullopt;
  return ArchivedName{.Is = ArchivedName::Kind::Observation,
                      .File = std::string(File),
                      .Profile = std::string(Program) + std::string(Json),
                      .Hash = std::string(Hash)};
}

std::optional<ArchivedName> parseFile(ArchivedName::Kind Kind, std::string_view File) {
  using K = ArchivedName::Kind;
  if (Kind == K::Observation)
    return parseObservation(File);
  const auto Stem = without(File, Kind == K::Profile ? Json : Object);
  if (!Stem || !(Kind == K::Profile ? isProgram(*Stem) : isHex(*Stem, HashDigits)))
    return std::nullopt;
  return ArchivedName{.Is = Kind, .File = std::string(File)};
}

json manifestOf(const std::vector<ArchivedFile> &Files) {
  json List = json::array();
  for (const ArchivedFile &File : Files)
    List.push_back({{"name", File.Name},
                    {"bytes", File.Bytes.size()},
                    {"hash", contentHash(File.Bytes).text()}});
  return {{"format", FormatName}, {"version", FormatVersion}, {"files", std::move(List)}};
}

/// Compares the files behind the manifest with it. Returns "" or the problem.
std::string compare(const json &Manifest, const std::vector<ArchivedFile> &Files) {
  JsonReader In;
  const json &List = In.array(Manifest, "files");
  if (!In.good())
    return "is damaged (no list of files)";
  if (List.size() != Files.size())
    return "is damaged (it has not the files that it lists)";
  for (size_t I = 0; I < Files.size(); ++I) {
    const ArchivedFile &File = Files[I];
    const auto Refuse = [&](const char *Why) {
      return "has a file " + printable(File.Name) + ", which " + Why;
    };
    if (!parseArchivedName(File.Name))
      return Refuse("belongs to no cache");
    if (I > 0 && Files[I - 1].Name >= File.Name)
      return Refuse("is not in order");
    if (In.string(List[I], "name") != File.Name || In.count(List[I], "bytes") != File.Bytes.size())
      return Refuse("it does not list");
    if (In.string(List[I], "hash") != contentHash(File.Bytes).text() || !In.good())
      return Refuse("is damaged (wrong checksum)");
  }
  return "";
}

} // namespace

const char *folderOf(ArchivedName::Kind Kind) {
  switch (Kind) {
  case ArchivedName::Kind::Profile:
    return "profiles";
  case ArchivedName::Kind::Observation:
    return "profiles/observations";
  case ArchivedName::Kind::Rows:
    return RowsRoom.Folder;
  case ArchivedName::Kind::Version:
    return VersionsRoom.Folder;
  }
  return "";
}

std::optional<ArchivedName> parseArchivedName(std::string_view Name) {
  using K = ArchivedName::Kind;
  for (const K Kind : {K::Profile, K::Observation, K::Rows, K::Version}) {
    const std::string Folder = std::string(folderOf(Kind)) + "/";
    if (!Name.starts_with(Folder))
      continue;
    if (auto Found = parseFile(Kind, Name.substr(Folder.size())))
      return Found;
  }
  return std::nullopt;
}

std::string encodeArchive(std::vector<ArchivedFile> Files) {
  std::sort(Files.begin(), Files.end(),
            [](const ArchivedFile &A, const ArchivedFile &B) { return A.Name < B.Name; });
  std::string Manifest = jsonText(manifestOf(Files), 1);
  Files.insert(Files.begin(), {ManifestName, std::move(Manifest)});
  return writeTar(Files);
}

std::string decodeArchive(std::string_view Bytes, std::vector<ArchivedFile> &Files) {
  if (std::string Problem = readTar(Bytes, Files); !Problem.empty())
    return Problem;
  json Manifest;
  JsonReader In;
  if (Files.empty() || Files.front().Name != ManifestName ||
      !parseStored(Files.front().Bytes, Manifest).empty() ||
      In.string(Manifest, "format") != FormatName)
    return "is no archive of a cache";
  if (In.count(Manifest, "version") != FormatVersion || !In.good())
    return "was written by another version of specrt";
  Files.erase(Files.begin());
  return compare(Manifest, Files);
}

} // namespace specrt::tools
