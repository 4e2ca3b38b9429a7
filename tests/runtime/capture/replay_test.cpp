//===- tests/runtime/capture/replay_test.cpp - candidates on a captured call ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The executor is this program, started with other arguments.
//
//===----------------------------------------------------------------------===//
#include "profiler/store/store_file.h"
#include "runtime/executor/replay.h"
#include "tests/runtime/capture/captured_region.h"
#include "gtest/gtest.h"

#include <exception>
#include <fcntl.h>
#include <map>
#include <string_view>

using namespace captured;
using Outcome = ReplayResult::Outcome;

namespace {

std::string contentsOf(const std::string &Path) {
  std::string Text, Why;
  const Descriptor File(open(Path.c_str(), O_RDONLY | O_CLOEXEC));
  EXPECT_TRUE(readAll(File, Text, Why)) << Path << ": " << Why;
  return Text;
}

class ReplayTest : public testing::Test {
protected:
  /// Captures a call of \p Run.
  template <class F> Descriptor capture(F Run, uint64_t Nanoseconds = 100'000) {
    Capture *const Kept = beginAllowed(this, Of.Region, Call.packed().data());
    if (!Kept)
      return Descriptor();
    Run();
    EXPECT_TRUE(endCapture(*Kept, Nanoseconds));
    return Descriptor(takeCapture(this));
  }

  std::map<std::string, ReplayResult> replayed(const std::vector<std::string> &Names,
                                               const Descriptor &Kept, bool ComparesBits = true,
                                               uint32_t MaxMs = 60'000) {
    ReplayRequest Asked;
    Asked.Region = RegionMessage(Of.Region);
    Asked.MaxMs = MaxMs;
    Asked.ComparesBits = ComparesBits;
    for (const std::string &Name : Names)
      Asked.Objects.push_back({Name, "key", contentsOf(OBJECT_FOLDER "/" + Name + ".so")});
    std::string Why;
    std::map<std::string, ReplayResult> Found;
    for (ReplayResult &Result : replay(Asked, Kept.get(), Why))
      Found[Result.Name] = Result;
    EXPECT_EQ(Why, "");
    EXPECT_EQ(Found.size(), Names.size());
    return Found;
  }

  Sums Of;
  Arrays Call;
};

} // namespace

TEST_F(ReplayTest, WhatGivesTheProgramsResultIsTimed) {
  const Descriptor Kept = capture([&] { Call.run(); });
  ASSERT_TRUE(Kept);
  auto Found = replayed({"None", "Slow"}, Kept);
  EXPECT_EQ(Found["None"].Is, Outcome::Same) << Found["None"].Why;
  EXPECT_EQ(Found["Slow"].Is, Outcome::Same) << Found["Slow"].Why;
  if (Found["None"].Ns == 0 || Found["Slow"].Ns == 0)
    GTEST_SKIP() << "no processor was free to time candidates";
  EXPECT_GT(Found["Slow"].Ns, Found["None"].Ns);
}

TEST_F(ReplayTest, WhatDiffersIsRefused) {
  const Descriptor Kept = capture([&] { Call.run(); });
  ASSERT_TRUE(Kept);
  auto Found = replayed({"None", "OtherOperation", "EarlyEnd", "LateEnd", "OtherOffset",
                         "WritesBeside", "OtherValueBehind", "OtherExit"},
                        Kept);
  EXPECT_EQ(Found["None"].Is, Outcome::Same);
  for (const auto &[Name, Result] : Found) {
    if (Name == "None")
      continue;
    EXPECT_EQ(Result.Is, Outcome::Differs) << Name;
    EXPECT_NE(Result.Why, "") << Name;
  }
}

TEST_F(ReplayTest, WhatTouchesOtherMemoryIsRefused) {
  const Descriptor Kept = capture([&] { Call.run(); });
  ASSERT_TRUE(Kept);
  auto Found = replayed({"ReadsElsewhere", "WritesInput", "Crashes", "None"}, Kept);
  EXPECT_EQ(Found["None"].Is, Outcome::Same) << "what others did must not matter";
  for (const char *Name : {"ReadsElsewhere", "WritesInput", "Crashes"})
    EXPECT_EQ(Found[Name].Is, Outcome::Faulted) << Name;
}

TEST_F(ReplayTest, WhatDoesNotEndIsEnded) {
  const Descriptor Kept = capture([&] { Call.run(); });
  ASSERT_TRUE(Kept);
  auto Found = replayed({"NeverEnds", "None"}, Kept);
  EXPECT_EQ(Found["NeverEnds"].Is, Outcome::NotRun);
  EXPECT_EQ(Found["None"].Is, Outcome::Same);
}

TEST_F(ReplayTest, WhatThereIsNoTimeForIsNotJudged) {
  const Descriptor Kept = capture([&] { Call.run(); }, /*Nanoseconds=*/10'000'000'000);
  ASSERT_TRUE(Kept);
  auto Found = replayed({"NeverEnds", "None"}, Kept, /*ComparesBits=*/true, /*MaxMs=*/1500);
  EXPECT_EQ(Found["NeverEnds"].Is, Outcome::Late);
  EXPECT_EQ(Found["None"].Is, Outcome::Late);
}

TEST_F(ReplayTest, GuardsThatDoNotHoldAreNoFault) {
  const Descriptor Kept = capture([&] { Call.run(); });
  ASSERT_TRUE(Kept);
  EXPECT_EQ(replayed({"GuardFails"}, Kept)["GuardFails"].Is, Outcome::Unguarded);
}

TEST_F(ReplayTest, AResultInMemoryIsCompared) {
  const Descriptor Kept = capture([&] {
    Call.run();
    Call.last() = Call.b()[Arrays::Usual - 1];
  });
  ASSERT_TRUE(Kept);
  auto Found = replayed({"OtherValueBehind", "None"}, Kept);
  EXPECT_EQ(Found["OtherValueBehind"].Is, Outcome::Differs) << "though nothing came before it";
  EXPECT_EQ(Found["None"].Is, Outcome::Same);
}

TEST_F(ReplayTest, OtherBitsMayBeAllowed) {
  const Descriptor Kept = capture([&] { Call.run(); });
  ASSERT_TRUE(Kept);
  EXPECT_EQ(replayed({"OtherOperation"}, Kept, /*ComparesBits=*/false)["OtherOperation"].Is,
            Outcome::Same);
}

TEST_F(ReplayTest, AFileThatIsNoCaptureIsRefused) {
  const Descriptor Other(memfd_create("other", MFD_CLOEXEC));
  ASSERT_EQ(ftruncate(Other.get(), 1 << 20), 0);
  std::string Why;
  EXPECT_TRUE(replay({}, Other.get(), Why).empty());
  EXPECT_NE(Why, "");
}

int main(int Argc, char **Argv) {
  if (Argc == 4 && std::string_view(Argv[2]) == "replay") {
    try {
      return runExecutor();
    } catch (const std::exception &) {
      return 1;
    }
  }
  testing::InitGoogleTest(&Argc, Argv);
  return RUN_ALL_TESTS();
}
