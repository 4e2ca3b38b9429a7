//===- tests/memory/lack_of_memory_test.cpp - allocations that fail, in turn ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program is run with a library that lets chosen allocations fail, on the threads of libspecrt or
// on its own thread: one of them, or fifty in a row. Whatever fails, it ends as the program without
// libspecrt does, with the same output and a few lines of complaint at most. ctest looks at some
// numbers of failing allocations; SPECRT_TEST_ALLOCATIONS=500 looks at each of the first 500.
//
//===----------------------------------------------------------------------===//
#include "tests/e2e/harness.h"

#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

namespace specrt::e2e {
namespace {

/// Of the program's matrices.
const std::string Size = "24";

struct Case {
  const char *Who;     ///< whose allocations fail
  const char *Profile; ///< SPECRT_PROFILE
  unsigned Count;      ///< so many in a row
};

class LackOfMemory : public testing::TestWithParam<Case> {
protected:
  /// What the preloaded library has counted.
  struct Figures {
    uint64_t Asked = 0, Failed = 0;
  };

  Sandbox Box;
  const Outcome Plain = Sandbox().run(SPECRT_MEMORY_PLAIN, {Size});

  /// Runs with the failures from number \p First on.
  Outcome runFailing(unsigned First, Figures &Seen) const {
    const Case &C = GetParam();
    removeFolder(Box.path("cache"));
    Outcome Result = Box.run(SPECRT_MEMORY_PROGRAM, {Size},
                             {{"SPECRT_HOT", "0"},
                              {"SPECRT_COMPILE", "sync"},
                              {"SPECRT_REGIONS", "product"},
                              {"SPECRT_PROFILE", C.Profile},
                              {"SPECRT_REPORT", ""},
                              {"LD_PRELOAD", SPECRT_MEMORY_SHIM},
                              {"FAIL_WHO", C.Who},
                              {"FAIL_FIRST", std::to_string(First)},
                              {"FAIL_COUNT", std::to_string(C.Count)},
                              {"FAIL_FIGURES", Box.path("figures")}});
    const std::string Bytes = Box.read("figures");
    if (Bytes.size() == sizeof(Seen))
      std::memcpy(&Seen, Bytes.data(), sizeof(Seen));
    return Result;
  }
};

/// Some of each size. A compile makes a hundred thousand.
unsigned numberAfter(unsigned Number, bool All) {
  return All || Number < 2 ? Number + 1 : Number + Number / 2;
}

TEST_P(LackOfMemory, ChangesNothing) {
  const char *Text = std::getenv("SPECRT_TEST_ALLOCATIONS");
  const unsigned Last = Text ? static_cast<unsigned>(std::atoi(Text)) : UINT_MAX;
  unsigned Failing = 0;
  for (unsigned First = 1; First <= Last; First = numberAfter(First, Text != nullptr)) {
    Figures Seen;
    const Outcome With = runFailing(First, Seen);
    ASSERT_GT(Seen.Asked, 0u) << "nothing was counted";
    ASSERT_EQ(With.Status, Plain.Status) << "from allocation " << First << ": " << With.Errors;
    ASSERT_EQ(With.Output, Plain.Output) << "from allocation " << First << ": " << With.Errors;
    constexpr auto MostLines = 4;
    ASSERT_LE(std::count(With.Errors.begin(), With.Errors.end(), '\n'), MostLines)
        << "from allocation " << First << ": " << With.Errors;
    if (Seen.Failed == 0)
      break;
    ++Failing;
  }
  EXPECT_GT(Failing, 0u);
}

/// Without a profile what the program's thread allocates is what is needed before main and for
/// calls; reading and writing profiles may still end the process (docs/limits.md).
INSTANTIATE_TEST_SUITE_P(All, LackOfMemory,
                         testing::Values(Case{"threads", "readwrite", 1},
                                         Case{"threads", "readwrite", 50},
                                         Case{"program", "off", 1}, Case{"program", "off", 50}),
                         [](const auto &Info) {
                           return std::string(Info.param.Who) + std::to_string(Info.param.Count);
                         });

} // namespace
} // namespace specrt::e2e
