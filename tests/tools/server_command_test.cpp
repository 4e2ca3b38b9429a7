//===- tests/tools/server_command_test.cpp - specrt server ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/e2e/harness.h"

#include <chrono>
#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace specrt::e2e;
using testing::ContainsRegex;
using testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

TEST(ServerCommandTest, CompileServersAreShownAndStopped) {
  const Sandbox Box;
  const auto specrt = [&](const std::vector<std::string> &Arguments) {
    return Box.run(SPECRT_TOOL, Arguments);
  };
  EXPECT_EQ(specrt({"server", "status"}).Status, 1);
  EXPECT_FALSE(fs::exists(Box.path("cache"))) << "looking leaves nothing behind";
  Box.story("steady", {{"SPECRT_COMPILE", "sync"}, {"SPECRT_HOT", "1"}});
  const Outcome Status = specrt({"server", "status"});
  EXPECT_EQ(Status.Status, 0) << Status.Errors;
  EXPECT_THAT(Status.Output, ContainsRegex("compile server [0-9]+ for .*/cache: "));
  const auto Json = nlohmann::json::parse(specrt({"server", "status", "--json"}).Output);
  ASSERT_EQ(Json["servers"].size(), 1u);
  const auto Process = Json["servers"][0]["process"].get<pid_t>();
  const Outcome Stop = specrt({"server", "stop"});
  EXPECT_EQ(Stop.Output, "stopped compile server " + std::to_string(Process) + "\n");
  // Without work it would end by itself after ten seconds.
  const auto Until = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (kill(Process, 0) == 0 && std::chrono::steady_clock::now() < Until)
    usleep(10'000);
  EXPECT_NE(kill(Process, 0), 0);
  EXPECT_THAT(specrt({"server", "status"}).Output, HasSubstr("no compile server for "));
}

} // namespace
