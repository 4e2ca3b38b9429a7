//===- tests/fuzz/nests_fuzz_test.cpp - random nests give the same bits with libspecrt
//----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same seed always gives the same program. FUZZ_SEEDS=<first>-<last> runs other seeds than the
// default few.
//
//===--------------------------------------------------------------------------------------------===//

#include "tests/e2e/harness.h"
#include "tests/fuzz/nest_generator.h"
#include "tests/fuzz/seeds.h"
#include <fstream>
#include <gmock/gmock.h>

using namespace specrt;
using namespace specrt::e2e;

namespace {

constexpr unsigned KernelsPerSeed = 12;

class Nests : public testing::TestWithParam<unsigned> {};

TEST_P(Nests, GiveTheSameBits) {
  Sandbox Box;
  std::string Source = Box.path("nests.c");
  std::ofstream(Source) << fuzz::generateProgram(GetParam(), KernelsPerSeed);
  std::vector<std::string> Flags = {"-O3", "-march=native", "-w", Source, "-lm", "-o"};
  if (*SPECRT_FUZZ_FLAGS)
    Flags.insert(Flags.begin(), SPECRT_FUZZ_FLAGS);
  auto build = [&](const char *Compiler, const char *Name) {
    std::vector<std::string> Arguments = Flags;
    Arguments.push_back(Box.path(Name));
    Outcome Built = Box.run(Compiler, Arguments);
    ASSERT_EQ(Built.Status, 0) << Built.Errors;
  };
  build(SPECRT_FUZZ_CLANG, "plain");
  build(SPECRT_FUZZ_DRIVER, "with");
  Outcome Plain = Box.run(Box.path("plain"), {});
  ASSERT_EQ(Plain.Status, 0);
  for (const char *Threads : {"1", "2"})
    for (const char *Mode : {"sync", "background"}) {
      Outcome With =
          Box.run(Box.path("with"), {},
                  {{"SPECRT_COMPILE", Mode}, {"SPECRT_HOT", "0"}, {"SPECRT_THREADS", Threads}});
      EXPECT_EQ(With.Status, 0) << With.Errors;
      EXPECT_EQ(With.Output, Plain.Output) << "seed " << GetParam() << ", " << Mode;
    }
}
INSTANTIATE_TEST_SUITE_P(Random, Nests, testing::ValuesIn(fuzz::seeds(1, 4)),
                         testing::PrintToStringParamName());

} // namespace
