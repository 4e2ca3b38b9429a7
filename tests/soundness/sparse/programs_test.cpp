//===- tests/soundness/sparse/programs_test.cpp - sparse matrices, and who may change them ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Versions that know the contents of index arrays must not be used for other contents, whoever
// wrote them and however. Each scenario of programs/ is a process of its own, so that none suffers
// from what others taught.
//
//===----------------------------------------------------------------------===//
#include "tests/soundness/program_pair.h"
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace specrt::soundness;

namespace {

struct Scenario {
  const char *Program, *Name;
};

void PrintTo(const Scenario &S, std::ostream *Out) { *Out << S.Program << ' ' << S.Name; }

ProgramPair built(const std::string &Program) {
  const std::string Path = SPECRT_SPARSE_PROGRAMS "/" + Program;
  return ProgramPair(BuiltPrograms{Path + "-plain", Path + "-with"});
}

/// Returns the regions in which a call ran a candidate made of rows, sequential or parallel, that
/// is in use, is being tried or has lost.
std::vector<nlohmann::json> regionsOfRows(const Outcome &Run) {
  const nlohmann::json None = nlohmann::json::array();
  auto Ran = [](const nlohmann::json &Version) {
    const std::string Name = Version.value("candidate", "");
    return (Name == "rows" || Name == "rows-parallel") &&
           (Version.value("hits", 0L) > 0 || Version.value("ns", 0.0) > 0);
  };
  std::vector<nlohmann::json> Found;
  if (Run.Report.is_object())
    for (const auto &Region : Run.Report.value("regions", None))
      if (std::ranges::any_of(Region.value("versions", None), Ran) ||
          std::ranges::any_of(Region.value("retired", None), Ran))
        Found.push_back(Region);
  return Found;
}

class SparsePrograms : public testing::TestWithParam<Scenario> {};

TEST_P(SparsePrograms, GiveTheSameBits) {
  const Scenario &S = GetParam();
  const ProgramPair Program = built(S.Program);
  Program.expectSameBits({}, /*NeedsVersion=*/false, {S.Name});
  for (const char *Watch : {"compare", "off"}) {
    SCOPED_TRACE(std::string("with SPECRT_WATCH=") + Watch);
    specrt::e2e::expectSame(Program.with({{"SPECRT_WATCH", Watch}}, {S.Name}),
                            Program.plain({S.Name}));
  }
}

std::string nameOf(const testing::TestParamInfo<Scenario> &Info) {
  std::string Name = std::string(Info.param.Program) + "_" + Info.param.Name;
  std::replace(Name.begin(), Name.end(), '-', '_');
  return Name;
}

constexpr Scenario All[] = {
    {"changes", "column-changed"},
    {"changes", "first-and-last"},
    {"changes", "row-grown"},
    {"changes", "other-sizes"},
    {"changes", "freed"},
    {"changes", "pages"},
    {"changes", "several-in-turn"},
    {"changes", "row-pointers"},
    {"changes", "several-kernels"},
    {"changes", "indices-from-a-kernel"},
    {"edges", "grid"},
    {"edges", "equal-lengths"},
    {"edges", "many-lengths"},
    {"edges", "empty-ends"},
    {"edges", "some-rows"},
    {"edges", "read-only"},
    {"entries", "ordered"},
    {"entries", "shuffled"},
    {"entries", "changed"},
    {"entries", "other-lengths"},
    {"entries", "overlapping"},
    {"entries", "symmetric"},
    {"entries", "other-types"},
    {"entries", "many"},
    {"entries", "threads"},
    {"entries", "forked"},
    {"kinds", "long-indices"},
    {"kinds", "mixed-indices"},
    {"kinds", "short-indices"},
    {"kinds", "based-on-one"},
    {"kinds", "floats"},
    {"kinds", "structures"},
    {"kinds", "vectors-of-vectors"},
    {"kinds", "padded"},
    {"kinds", "lists"},
    {"kinds", "masked"},
    {"kinds", "written"},
    {"kinds", "own-indices"},
    {"memory", "read"},
    {"memory", "pipe"},
    {"memory", "mapped-again"},
    {"memory", "moved"},
    {"memory", "protected"},
    {"memory", "shared-file"},
    {"memory", "shared-with-a-child"},
    {"memory", "forked"},
    {"memory", "child-writes"},
    {"memory", "another-thread"},
    {"memory", "several-threads"},
    {"structures", "grid"},
    {"structures", "narrow-grid"},
    {"structures", "cube"},
    {"structures", "blocks3"},
    {"structures", "blocks6"},
    {"structures", "quadratic"},
    {"structures", "band"},
    {"structures", "diagonal"},
    {"structures", "arrow"},
    {"structures", "random"},
    {"structures", "power-law"},
    {"structures", "permuted"},
    {"structures", "empty-rows"},
    {"structures", "one-dense-row"},
    {"structures", "duplicates"},
    {"structures", "unsorted"},
    {"structures", "alternating"},
    {"structures", "dense"},
    {"structures", "one-row"},
    {"structures", "nothing"},
    {"structures", "triangles"},
    {"structures", "waves"},
    {"structures", "overlapping"},
    {"structures", "incomplete"},
    {"values", "infinity-in-operand"},
    {"values", "nan-in-operand"},
    {"values", "zero-in-operand"},
    {"values", "denormal-in-operand"},
    {"values", "infinity-in-matrix"},
    {"values", "nan-in-matrix"},
    {"values", "zero-in-matrix"},
    {"values", "denormal-in-matrix"},
    {"values", "signs-of-zero"},
    {"values", "cancelled"},
    {"waiting", "callers"},
    {"waiting", "forks"},
    {"waiting", "cancelled"},
    {"waiting", "handlers"},
    {"waiting", "jumps"},
    {"waiting", "confined"},
};

INSTANTIATE_TEST_SUITE_P(Scenarios, SparsePrograms, testing::ValuesIn(All), nameOf);

/// What the first run learned and compiled holds for the same matrix in the second.
class SparseReuseOf : public testing::TestWithParam<const char *> {};

/// On a busy machine a run may end within a trial, with which the next one goes on: another cache,
/// another first run.
TEST_P(SparseReuseOf, SecondRunCompilesNothing) {
  const ProgramPair Program = built(GetParam());
  Environment Settings = {{"SPECRT_COMPILE", "sync"}, {"SPECRT_HOT", "0"}, {"SPECRT_THREADS", "1"}};
  const Outcome Plain = Program.plain({"reused"});
  bool IsReused = false;
  for (int Cache = 0; Cache < 12 && !IsReused; ++Cache) {
    SCOPED_TRACE("cache " + std::to_string(Cache));
    Settings["SPECRT_CACHE_DIR"] = Program.box().path("cache-" + std::to_string(Cache));
    IsReused = true;
    for (int Run = 1; Run <= 3; ++Run) {
      const Outcome With = Program.with(Settings, {"reused"});
      specrt::e2e::expectSame(With, Plain);
      const std::vector<nlohmann::json> OfRows = regionsOfRows(With);
      IsReused &= !OfRows.empty();
      for (const nlohmann::json &Region : OfRows)
        IsReused &= Run == 1 || Region.value("compiles", 0) == 0;
    }
  }
  EXPECT_TRUE(IsReused) << "rows ran in all runs, and later ones compiled nothing for them";
}

INSTANTIATE_TEST_SUITE_P(Programs, SparseReuseOf, testing::Values("structures", "entries"));

/// What became of the tables of versions.
uint64_t inRows(const Outcome &Run, const char *Figure) {
  uint64_t Sum = 0;
  if (!Run.Report.is_object())
    return Sum;
  for (const auto &Region : Run.Report.value("regions", nlohmann::json::array()))
    for (const auto &Version : Region.value("versions", nlohmann::json::array()))
      if (Version.contains("rows"))
        Sum += Version["rows"].value(Figure, uint64_t{0});
  return Sum;
}

/// Makes the profile of \p Program say that versions made of rows have won by so much that nothing
/// is compared any more: which of them is faster here is no part of what is tested. Returns for
/// how many plans.
unsigned letRowsWin(const ProgramPair &Program) {
  unsigned Plans = 0;
  for (const auto &File :
       std::filesystem::directory_iterator(Program.box().path("cache/profiles"))) {
    if (File.path().extension() != ".json")
      continue;
    auto Profile = nlohmann::json::parse(std::ifstream(File.path()));
    for (auto &Region : Profile["regions"])
      for (auto &Decision : Region["decisions"]) {
        const auto &Tried = Decision["trials"]["candidates"];
        if (std::none_of(Tried.begin(), Tried.end(),
                         [](const auto &Each) { return Each["name"] == "rows"; }))
          continue;
        ++Plans;
        Decision["outcome"] = "won";
        Decision["candidate"] = "rows";
        Decision["original_ns"] = 1e9;
        Decision["candidate_ns"] = 1e3;
        Decision["runs"] = nlohmann::json::array();
      }
    std::ofstream(File.path()) << Profile;
  }
  return Plans;
}

/// What took long to find out about rows is not found out again, unless it is damaged.
TEST(SparseReuse, OrdersOfRowsAreKept) {
  const ProgramPair Program = built("waiting");
  const Outcome Plain = Program.plain({"reused"});
  const Environment Settings = {
      {"SPECRT_COMPILE", "sync"}, {"SPECRT_HOT", "0"}, {"SPECRT_THREADS", "1"}};
  specrt::e2e::expectSame(Program.with(Settings, {"reused"}), Plain);
  ASSERT_GE(letRowsWin(Program), 1u);
  // The first run that uses them may have to look at rows that its trial did not get to.
  specrt::e2e::expectSame(Program.with(Settings, {"reused"}), Plain);
  Outcome Run = Program.with(Settings, {"reused"});
  specrt::e2e::expectSame(Run, Plain);
  EXPECT_GE(inRows(Run, "recalled"), 1U) << Run.Report.dump(1);
  for (const auto &File : std::filesystem::directory_iterator(Program.box().path("cache/rows")))
    std::filesystem::resize_file(File, std::filesystem::file_size(File) / 2);
  Run = Program.with(Settings, {"reused"});
  EXPECT_EQ(Run.Output, Plain.Output);
  EXPECT_GE(inRows(Run, "inspections"), 1U) << Run.Report.dump(1);
  EXPECT_EQ(inRows(Run, "recalled"), 0U);
}

/// The program compares each call with loops that are compiled as they stand.
void expectRandomCases(const Environment &Settings, const std::string &Seed) {
  const Outcome Run = built("random").with(Settings, {"10000", Seed});
  EXPECT_EQ(Run.Status, 0) << Run.Output << Run.Errors;
  EXPECT_NE(Run.Output.find("10000 cases"), std::string::npos) << Run.Output;
}

TEST(SparseRandom, TenThousandCases) { expectRandomCases({}, "1"); }

TEST(SparseRandom, TenThousandCasesOnOneThread) {
  expectRandomCases({{"SPECRT_THREADS", "1"}}, "2");
}

TEST(SparseRandom, TenThousandCasesCompared) {
  expectRandomCases({{"SPECRT_WATCH", "compare"}}, "3");
}

} // namespace
