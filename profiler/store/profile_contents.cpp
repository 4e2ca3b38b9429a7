//===- profiler/store/profile_contents.cpp - the content of a file of profiles ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/store/profile_contents.h"

#include "profiler/json/json_reader.h"
#include "profiler/json/json_writer.h"
#include "profiler/store/profile_store.h"
#include "profiler/store/stored_json.h"
#include "profiler/store/stored_region.h"
#include <algorithm>
#include <utility>

namespace specrt {

using nlohmann::json;

static constexpr const char *FormatName = "specrt-profile";
static constexpr unsigned FormatVersion = ProfileStore::FormatVersion;

ProfileContents::~ProfileContents() {
  for (auto &[Key, Region] : Regions)
    emptyJson(Region);
}

std::string ProfileContents::parse(const std::string &Text) {
  json Root;
  const EmptyJsonAtEnd Guard(Root);
  JsonReader In;
  if (std::string Problem = parseStored(Text, Root); !Problem.empty())
    return Problem;
  if (In.string(Root, "format") != FormatName)
    return "was not written by libspecrt";
  uint64_t Version = In.count(Root, "version");
  if (In.good() && Version > FormatVersion)
    return "was written by a newer libspecrt";
  if (!In.good() || Version == 0)
    return "is damaged (no version)";
  if (Version < FormatVersion)
    return "was written by an older libspecrt";
  Executable = JsonReader().string(Root, "executable"); // the other members do not depend on it
  json *Found = Root.contains("regions") ? &Root["regions"] : nullptr;
  if (!Found || !Found->is_array())
    return "is damaged (no regions)";
  for (json &Region : *Found) {
    std::string Key = key(In.string(Region, "name"), In.string(Region, "bitcode_hash"));
    if (!In.good())
      return "is damaged (a region without a name)";
    Regions[Key] = std::move(Region);
  }
  return "";
}

std::string ProfileContents::dump(const std::string &OfExecutable) const {
  const json Head = {
      {"format", FormatName}, {"version", FormatVersion}, {"executable", OfExecutable}};
  std::string Result = jsonText(Head, -1);
  Result.resize(Result.rfind('}'));
  Result += ",\n\"regions\":[";
  const char *Between = "\n";
  for (const auto &[Key, Region] : Regions) {
    Result += std::exchange(Between, ",");
    Result += jsonText(Region, -1);
  }
  return Result + "]}\n";
}

uint64_t ProfileContents::lastUsed(const json &Region) {
  JsonReader In;
  return In.count(Region, "last_used");
}

void ProfileContents::addNewer(const ProfileContents &Other) {
  for (const auto &[Key, Region] : Other.Regions) {
    const auto [Mine, IsNew] = Regions.try_emplace(Key, Region);
    if (!IsNew && lastUsed(Mine->second) < lastUsed(Region))
      Mine->second = Region;
  }
}

void ProfileContents::prune(uint64_t Oldest, size_t Limit) {
  std::erase_if(Regions, [&](const auto &R) { return lastUsed(R.second) < Oldest; });
  if (Regions.size() <= Limit)
    return;
  std::vector<uint64_t> Stamps;
  Stamps.reserve(Regions.size());
  for (const auto &[Key, Region] : Regions)
    Stamps.push_back(lastUsed(Region));
  size_t Excess = Regions.size() - Limit;
  std::nth_element(Stamps.begin(), Stamps.begin() + Excess, Stamps.end());
  uint64_t FirstKept = Stamps[Excess];
  for (auto I = Regions.begin(); I != Regions.end() && Regions.size() > Limit;)
    I = lastUsed(I->second) < FirstKept ? Regions.erase(I) : std::next(I);
  while (Regions.size() > Limit) // equally old ones
    Regions.erase(std::find_if(Regions.begin(), Regions.end(),
                               [&](const auto &R) { return lastUsed(R.second) == FirstKept; }));
}

/// Calls Visit for the hash of each file that a region refers to, in the order of the regions' last
/// use, latest first, and removes the reference if it returns false.
void ProfileContents::filterReferences(const std::function<bool(const std::string &)> &Visit) {
  std::vector<json *> ByUse;
  for (auto &[Key, Region] : Regions)
    if (observationFilesOf(Region))
      ByUse.push_back(&Region);
  std::sort(ByUse.begin(), ByUse.end(),
            [](json *A, json *B) { return lastUsed(*A) > lastUsed(*B); });
  for (json *Region : ByUse) {
    json &References = *observationFilesOf(*Region);
    for (auto I = References.begin(); I != References.end();)
      I = I->is_string() && Visit(I->get_ref<const std::string &>()) ? std::next(I)
                                                                     : References.erase(I);
  }
}

std::set<std::string> ProfileContents::references() {
  std::set<std::string> Hashes;
  filterReferences([&](const std::string &Found) { return Hashes.insert(Found), true; });
  return Hashes;
}

void ProfileContents::pruneReferences(ObservationFiles &Files) {
  const std::map<std::string, uint64_t> Sizes = Files.sizes();
  uint64_t Total = 0;
  filterReferences([&](const std::string &Reference) {
    auto Found = Sizes.find(Reference);
    if (Found == Sizes.end() || Files.isLost(Reference))
      return false;
    Total += Found->second;
    return Total <= ObservationFiles::MaxTotalBytes;
  });
}

} // namespace specrt
