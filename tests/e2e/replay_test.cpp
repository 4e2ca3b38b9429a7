//===- tests/e2e/replay_test.cpp - programs whose only call is captured ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cache/version_file.h"
#include "tests/e2e/warm_cache.h"
#include <chrono>
#include <fstream>
#include <gmock/gmock.h>
#include <optional>
#include <sstream>
#include <thread>

using namespace specrt;
using namespace specrt::e2e;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

/// Returns the results of replays that are stored in the sandbox's cache.
std::optional<StoredReplays> replaysIn(const Sandbox &Box) {
  for (const auto &Path : versionsIn(Box)) {
    std::ifstream In(Path, std::ios::binary);
    std::stringstream Bytes;
    Bytes << In.rdbuf();
    VersionDescription Description;
    std::string_view Object;
    if (const std::string Text = Bytes.str();
        decodeVersion(Text, Description, Object).empty() && Description.Replays)
      return Description.Replays;
  }
  return std::nullopt;
}

/// Waits until there are some, or a minute has passed.
std::optional<StoredReplays> awaitReplays(const Sandbox &Box) {
  for (int Tenths = 0; Tenths < 600; ++Tenths) {
    if (std::optional<StoredReplays> Found = replaysIn(Box))
      return Found;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return std::nullopt;
}

TEST(Replay, TheNextRunsBeginWithTheBestVersion) {
  Sandbox Box;
  const Outcome Plain = Sandbox().run(SPECRT_STEPS_PLAIN, {});
  const Outcome First = Box.run(SPECRT_STEPS, {});
  expectSame(First, Plain);
  EXPECT_THAT(First.Errors, IsEmpty());
  const std::optional<StoredReplays> Found = awaitReplays(Box);
  ASSERT_TRUE(Found);
  ASSERT_EQ(Found->Problem, "");
  EXPECT_GT(Found->CallNs, 0);
  ASSERT_GE(Found->Candidates.size(), 2U);
  EXPECT_EQ(Found->Candidates.front().Name, "constants");
  double Best = 0;
  bool AreTimed = true;
  for (const StoredReplay &Candidate : Found->Candidates) {
    EXPECT_EQ(Candidate.Problem, "") << Candidate.Name;
    AreTimed &= Candidate.Ns > 0;
    if (Best == 0 || Candidate.Ns < Best)
      Best = Candidate.Ns;
  }
  // The call waits for the version as long as the gain pays for that: on a busy machine it may come
  // too late in one run.
  constexpr int MaxRuns = 20;
  nlohmann::json Region;
  for (int Run = 0; Run < MaxRuns; ++Run) {
    const Outcome Later = Box.run(SPECRT_STEPS, {});
    expectSame(Later, Plain);
    EXPECT_THAT(Later.Errors, IsEmpty());
    Region = Later.region("approach");
    ASSERT_TRUE(Region.is_object());
    if (!AreTimed) // too few processors were free, so that the replay alone does not decide
      return;
    EXPECT_EQ(compiles(Later), 0);
    if (Region["state"] == "retired") { // nothing was faster than the original
      EXPECT_GE(Best, 0.97 * 0.8 * Found->CallNs);
      return;
    }
    if (Region["state"] == "specialised" && Region["versions"][0]["hits"] == 1)
      break;
  }
  ASSERT_EQ(Region["state"], "specialised") << Region.dump(1);
  const nlohmann::json &Version = Region["versions"][0];
  EXPECT_EQ(Version["verified"], true);
  EXPECT_EQ(Version["from_cache"], true);
  EXPECT_EQ(Version["hits"], 1) << "the only call";
}

TEST(Replay, NothingIsCapturedThatNoRunLearnsFrom) {
  const Outcome Plain = Sandbox().run(SPECRT_STEPS_PLAIN, {});
  for (const Environment &Extra :
       {Environment{{"SPECRT_PROFILE", "off"}}, Environment{{"SPECRT_AFTER_EXIT_MS", "0"}}}) {
    Sandbox Box;
    const Outcome Run = Box.run(SPECRT_STEPS, {}, Extra);
    expectSame(Run, Plain);
    EXPECT_THAT(Run.Errors, IsEmpty());
    EXPECT_FALSE(replaysIn(Box));
  }
}

} // namespace
