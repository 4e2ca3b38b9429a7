//===- tests/profiler/store/test_store.h - a store of its own for a test --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_PROFILER_STORE_TEST_STORE_H
#define SPECRT_TESTS_PROFILER_STORE_TEST_STORE_H

#include "profiler/store/profile_store.h"
#include "tests/profiler/test_region.h"
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace specrt_test {

struct Kernel : TestRegion {
  explicit Kernel(std::string Name = "kernel:10")
      : TestRegion({SPECRT_KIND_I32, SPECRT_KIND_POINTER}, {}, {}, std::move(Name)) {}

  /// Calls with n == N.
  specrt::StoreUpdate update(int N, int Calls) {
    specrt::RegionProfile P(get());
    uint64_t Packed[] = {static_cast<uint32_t>(N), 0x1000};
    for (int I = 0; I < Calls; ++I)
      P.record(Packed, 1000);
    return {Name, {get().bitcode_hash[0], get().bitcode_hash[1]}, {.Profile = P, .Hot = true}};
  }

  /// About the first plan for what was recorded.
  specrt::StoredDecision decisionOn(const specrt::StoreUpdate &Update) {
    return {.Assumed = specrt::plans(Update.Region.Profile, get(), 1).at(0).Assumed};
  }
};

/// Returns what \p Test returns in a child process in which every write fails, as on a full disk:
/// by a limit on the size of files.
template <class F> bool onFullDisk(F Test) {
  const pid_t Child = fork();
  if (Child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    constexpr rlimit Limit{100, 100};
    setrlimit(RLIMIT_FSIZE, &Limit);
    _exit(Test() ? 0 : 1);
  }
  int Status = 0;
  return Child > 0 && waitpid(Child, &Status, 0) == Child && WIFEXITED(Status) &&
         WEXITSTATUS(Status) == 0;
}

class ProfileStoreTest : public testing::Test {
protected:
  void SetUp() override {
    std::string Template =
        (std::filesystem::temp_directory_path() / "specrt-store-XXXXXX").string();
    ASSERT_NE(mkdtemp(Template.data()), nullptr);
    Root = Template;
    Cache = Root / "cache";
  }
  void TearDown() override { std::filesystem::remove_all(Root); }

  std::unique_ptr<specrt::ProfileStore> open(bool Load = true) {
    auto Store = std::make_unique<specrt::ProfileStore>(
        Cache.string(), "/usr/bin/program",
        [this](const std::string &Message) { Messages.push_back(Message); });
    if (Load)
      Store->load();
    return Store;
  }
  /// Saves again while others have the lock for so long that save gives up, as it says then: on a
  /// busy machine, eight processes that write may take longer than a program would wait for them.
  bool saveInTheEnd(bool Load, const std::vector<specrt::StoreUpdate> &Updates) {
    for (int Try = 0; Try < 20; ++Try) {
      if (open(Load)->save(Updates))
        return Messages.empty();
      if (Messages.size() != 1 || Messages[0].find("cannot be locked") == std::string::npos)
        return false;
      Messages.clear();
    }
    return false;
  }
  std::string text() {
    std::ifstream In(open(false)->path());
    return {std::istreambuf_iterator<char>(In), {}};
  }
  void write(const std::string &Text) { std::ofstream(open(false)->path()) << Text; }
  bool setAside() { return std::filesystem::exists(open(false)->path() + ".bad"); }

  std::filesystem::path Root, Cache;
  std::vector<std::string> Messages;
};

} // namespace specrt_test

#endif
