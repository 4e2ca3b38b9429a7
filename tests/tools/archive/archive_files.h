//===- tests/tools/archive/archive_files.h - files of a small cache -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_TOOLS_ARCHIVE_ARCHIVE_FILES_H
#define SPECRT_TESTS_TOOLS_ARCHIVE_ARCHIVE_FILES_H

#include "profiler/store/profile_contents.h"
#include "profiler/store/store_file.h"
#include "runtime/cache/version_key.h"
#include "runtime/cache/version_store.h"
#include "support/content_hash.h"
#include "tools/archive/tar.h"

#include <fmt/format.h>
#include <string>
#include <vector>

namespace specrt_test {

inline specrt::Identity someIdentity() {
  return {.Runtime = "r1", .Compiler = "c1", .Llvm = "l1", .Target = "t1", .Cpu = "p1"};
}

inline std::string versionKeyOf(const specrt::Identity &Who, const std::string &Region) {
  return fmt::format("format={} abi {}\nruntime={}\ncompiler={}\nllvm={}\ntarget={}\ncpu={}\n"
                     "region={}\nbitcode={:032x}\n",
                     specrt::CacheFormat, SPECRT_ABI_VERSION, Who.Runtime, Who.Compiler, Who.Llvm,
                     Who.Target, Who.Cpu, Region, Region.size());
}

inline std::string rowsKeyOf(const specrt::Identity &Who, const std::string &Loop) {
  return fmt::format("rows=2\nruntime={}\ncompiler={}\ncpu={}\nloop={:>32}\n", Who.Runtime,
                     Who.Compiler, Who.Cpu, Loop);
}

/// A file of a version or a persistent plan.
inline specrt::tools::ArchivedFile compiledFile(const std::string &Key, const std::string &Object,
                                                uint64_t Created, const char *Folder = "versions") {
  specrt::VersionDescription About;
  About.Key = Key;
  About.Region = "f:1";
  About.Created = Created;
  return {std::string(Folder) + "/" + specrt::VersionKey{Key}.fileName(),
          specrt::encodeVersion(Object, About)};
}

/// The text of a profile with regions of these names, each used last at that time.
struct RegionOfProfile {
  std::string Name;
  uint64_t LastUsed;
  std::string Observation = ""; ///< the hash of a large one
};
inline std::string profileText(const std::string &Executable,
                               const std::vector<RegionOfProfile> &Regions) {
  specrt::ProfileContents Contents;
  for (const RegionOfProfile &Each : Regions) {
    nlohmann::json &Region = Contents.Regions[specrt::ProfileContents::key(Each.Name, "00")];
    Region = {{"name", Each.Name},
              {"bitcode_hash", fmt::format("{:032x}", Each.Name.size())},
              {"hot", true},
              {"last_used", Each.LastUsed},
              {"profile", nlohmann::json::object()}};
    if (!Each.Observation.empty())
      Region["profile"]["observation_files"] = {{"times", Each.Observation}};
  }
  return Contents.dump(Executable);
}
inline specrt::tools::ArchivedFile profileFile(const std::string &Executable,
                                               const std::vector<RegionOfProfile> &Regions) {
  return {"profiles/" + specrt::storeFileName(Executable), profileText(Executable, Regions)};
}

inline specrt::tools::ArchivedFile observationFile(const std::string &Executable,
                                                   const std::string &Text) {
  const std::string Profile = specrt::storeFileName(Executable);
  return {"profiles/observations/" + Profile.substr(0, Profile.size() - 5) + "-" +
              specrt::contentHash(Text).text() + ".json",
          Text};
}

/// One file of each kind.
inline std::vector<specrt::tools::ArchivedFile> someFiles() {
  const std::string Observed = "[1]";
  return {profileFile("/bin/p", {{"f:1", 5, specrt::contentHash(Observed).text()}}),
          observationFile("/bin/p", Observed),
          compiledFile(rowsKeyOf(someIdentity(), "1"), "rows", 3, "rows"),
          compiledFile(versionKeyOf(someIdentity(), "f:1"), "code", 3)};
}

} // namespace specrt_test

#endif
