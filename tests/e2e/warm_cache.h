//===- tests/e2e/warm_cache.h - a cache that a run has filled -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_E2E_WARM_CACHE_H
#define SPECRT_TESTS_E2E_WARM_CACHE_H

#include "tests/e2e/harness.h"
#include <filesystem>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace specrt::e2e {

inline std::vector<std::filesystem::path> versionsIn(const Sandbox &Box) {
  std::vector<std::filesystem::path> Files;
  if (std::filesystem::exists(Box.path("cache/versions")))
    for (const auto &Entry : std::filesystem::directory_iterator(Box.path("cache/versions")))
      if (Entry.path().extension() == ".so")
        Files.push_back(Entry.path());
  return Files;
}

inline Outcome plainKernels() { return Sandbox().run(SPECRT_TWO_KERNELS_PLAIN, {}); }

/// The one file with profiles.
inline std::filesystem::path profilePath(const Sandbox &Box) {
  for (const auto &Entry : std::filesystem::directory_iterator(Box.path("cache/profiles")))
    if (Entry.path().extension() == ".json")
      return Entry.path();
  return "";
}

/// What it knows of the region in Function; null when nothing.
inline nlohmann::json profileOf(const Sandbox &Box, const std::string &Function) {
  std::ifstream In(profilePath(Box));
  auto Profile = nlohmann::json::parse(In);
  for (const auto &Region : Profile["regions"])
    if (Region["name"].get<std::string>().starts_with(Function + ":"))
      return Region;
  return nullptr;
}

/// A cache that a first run has filled.
class WarmCache : public testing::Test {
protected:
  Sandbox Box;
  Outcome Plain = plainStory("steady");

  WarmCache() {
    Outcome First = Box.story("steady", Synchronous);
    expectSame(First, Plain);
    EXPECT_GE(compiles(First), 1);
    EXPECT_FALSE(versionsIn(Box).empty());
  }

  Outcome secondRun(const Environment &Extra = {}) {
    Outcome Second = Box.story("steady", Extra);
    expectSame(Second, Plain);
    return Second;
  }
  static void expectNoCompiler(const Outcome &O) {
    EXPECT_EQ(compiles(O), 0) << O.Report.dump(1);
    EXPECT_EQ(O.Report["counters"]["compiler_asked"], false) << O.Report.dump(1);
    EXPECT_THAT(O.Errors, testing::IsEmpty());
  }
  static void expectSpecialised(const Outcome &O) {
    auto Region = O.region("product");
    ASSERT_TRUE(Region.is_object());
    EXPECT_EQ(Region["state"], "specialised") << Region.dump(2);
    ASSERT_FALSE(Region["versions"].empty());
    EXPECT_GT(Region["versions"][0]["hits"].get<long>(), 0);
  }
  /// Refused with one line, right results, and made anew.
  void expectRebuilt(const std::string &Why) {
    Outcome Second = secondRun(Synchronous);
    EXPECT_THAT(Second.Errors, testing::HasSubstr(Why));
    EXPECT_THAT(Second.Errors, testing::HasSubstr("removed"));
    expectSpecialised(Second);
    EXPECT_GE(compiles(Second), 1);
    // A third run that writes its profile may try what gained little on a busy machine once more.
    expectNoCompiler(secondRun({{"SPECRT_PROFILE", "read"}}));
  }
  void forEachVersion(const std::function<void(const std::filesystem::path &)> &Change) {
    for (const std::filesystem::path &File : versionsIn(Box))
      Change(File);
  }
};

} // namespace specrt::e2e

#endif
