//===- tests/runtime/config_test.cpp - options and their warnings ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace specrt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Config parse(std::vector<std::string> Entries, std::vector<std::string> &Warnings,
             bool Trusted = true) {
  std::vector<char *> Environment;
  for (std::string &Entry : Entries)
    Environment.push_back(Entry.data());
  Environment.push_back(nullptr);
  return configFromEnvironment(Environment.data(), Trusted, Warnings);
}

TEST(ConfigTest, EveryOptionIsUnderstood) {
  std::vector<std::string> W;
  Config C = parse({"SPECRT_DISABLE=1", "SPECRT_LOG=debug", "SPECRT_CACHE_DIR=/c",
                    "SPECRT_PROFILE=read", "SPECRT_COMPILE=sync", "SPECRT_COMPILE_BUDGET_MS=70",
                    "SPECRT_HOT=0.5", "SPECRT_MAX_VERSIONS=3", "SPECRT_THREADS=2",
                    "SPECRT_FP=finite", "SPECRT_REGIONS=a*", "SPECRT_REPORT=r.json",
                    "SPECRT_DUMP=/d", "SPECRT_COMPILE_PRIORITY=normal", "SPECRT_AFTER_EXIT_MS=80",
                    "SPECRT_WATCH=compare", "SPECRT_CACHE_PATH=/a:/b c", "HOME=/h", "SPECRTX=1"},
                   W);
  EXPECT_THAT(W, IsEmpty());
  EXPECT_TRUE(C.Disable);
  EXPECT_EQ(C.Log, LogLevel::Debug);
  EXPECT_EQ(C.CacheDirectory, "/c");
  EXPECT_THAT(C.CachePath, ElementsAre("/a", "/b c"));
  EXPECT_TRUE(C.readsProfile());
  EXPECT_FALSE(C.writesProfile());
  EXPECT_EQ(C.Compile, CompileMode::Sync);
  EXPECT_EQ(C.CompileBudgetMs, 70u);
  EXPECT_EQ(C.AfterExitMs, 80u);
  EXPECT_EQ(C.CompilePriority, Priority::Normal);
  EXPECT_EQ(C.Watch, WatchMode::Compare);
  EXPECT_DOUBLE_EQ(C.HotMs, 0.5);
  EXPECT_EQ(C.MaxVersions, 3u);
  EXPECT_EQ(C.Threads, 2u);
  EXPECT_EQ(C.Fp, FpMode::Finite);
  EXPECT_EQ(C.Regions, "a*");
  EXPECT_EQ(C.Report, "r.json");
  EXPECT_EQ(C.Dump, "/d");
}

TEST(ConfigTest, PathsAreAbsoluteAndSeparatedByColons) {
  struct Case {
    const char *Value;
    std::vector<std::string> Paths;
    bool IsUnderstood;
  };
  for (const Case &Each :
       {Case{"", {}, true}, Case{":", {}, true}, Case{"/a", {"/a"}, true},
        Case{":/a::/b:", {"/a", "/b"}, true}, Case{"a", {}, false}, Case{"/a:b", {}, false}}) {
    std::vector<std::string> W;
    const std::string Entry = std::string("SPECRT_CACHE_PATH=") + Each.Value;
    EXPECT_EQ(parse({Entry}, W).CachePath, Each.Paths) << Entry;
    EXPECT_EQ(W.empty(), Each.IsUnderstood) << Entry;
  }
}

TEST(ConfigTest, WhatWasUnderstoodIsRemembered) {
  std::vector<std::string> W;
  Config C = parse({"SPECRT_REPORT=r.html", "SPECRT_HOT=soon", "SPECRT_INSTRUMENT_FILTER=f*",
                    "SPECRT_CLANG=/usr/bin/clang"},
                   W);
  EXPECT_EQ(C.Report, "r.html");
  EXPECT_EQ(C.Given, (std::map<std::string, std::string>{{"SPECRT_REPORT", "r.html"}}));
  EXPECT_EQ(W.size(), 1u) << "settings of the compiler are no unknown options";
}

TEST(ConfigTest, ABadValueKeepsTheDefaultAndNamesWhatIsAccepted) {
  for (const char *Entry :
       {"SPECRT_LOG=loud", "SPECRT_CACHE_DIR=here", "SPECRT_PROFILE=x",
        "SPECRT_COMPILE=", "SPECRT_COMPILE_BUDGET_MS=0", "SPECRT_HOT=-1", "SPECRT_HOT=inf",
        "SPECRT_HOT=1.2.3", "SPECRT_MAX_VERSIONS=65", "SPECRT_MAX_VERSIONS=99999999999999999999",
        "SPECRT_THREADS=two", "SPECRT_FP=sloppy", "SPECRT_REPORT=r.txt", "SPECRT_DUMP=d",
        "SPECRT_COMPILE_PRIORITY=19", "SPECRT_WATCH=always"}) {
    std::vector<std::string> W;
    Config C = parse({Entry}, W);
    ASSERT_EQ(W.size(), 1u) << Entry;
    EXPECT_THAT(W[0], HasSubstr("accepted: ")) << Entry;
    EXPECT_FALSE(C.Disable);
    EXPECT_EQ(C.MaxVersions, 4u);
    EXPECT_DOUBLE_EQ(C.HotMs, 20);
    EXPECT_EQ(C.CompileBudgetMs, 2000u);
  }
}

TEST(ConfigTest, ASwitchThatTurnsOffErrsOnTheSideOfOff) {
  std::vector<std::string> W;
  for (const char *Value : {"1", "2", "TRUE", "Yes", "on", "perhaps", " 0"})
    EXPECT_TRUE(parse({"SPECRT_DISABLE=" + std::string(Value)}, W).Disable) << Value;
  for (const char *Value : {"0", "no", "OFF", "False", ""})
    EXPECT_FALSE(parse({"SPECRT_DISABLE=" + std::string(Value)}, W).Disable) << Value;
  EXPECT_THAT(W, IsEmpty());
}

TEST(ConfigTest, AnUnknownNameGetsTheNearest) {
  std::vector<std::string> W;
  parse({"SPECRT_MAX_VERSION=3"}, W);
  EXPECT_THAT(W, ElementsAre(HasSubstr("SPECRT_MAX_VERSIONS")));
}

TEST(ConfigTest, ASetUserIdProgramIgnoresTheEnvironment) {
  std::vector<std::string> W;
  Config C = parse({"SPECRT_CACHE_DIR=/evil", "SPECRT_CACHE_PATH=/evil", "SPECRT_NONSENSE=1"}, W,
                   /*Trusted=*/false);
  EXPECT_EQ(C.CacheDirectory, "");
  EXPECT_THAT(C.CachePath, IsEmpty());
  EXPECT_THAT(W, IsEmpty());
}

TEST(ConfigTest, DefaultsOfTheTableAreTheDefaultsOfTheStruct) {
  for (const Option &O : optionTable()) {
    std::string Name = O.Name;
    if (Name == "SPECRT_CACHE_DIR")
      continue; // computed
    Config C;
    EXPECT_TRUE(O.Parse(C, O.Default)) << Name;
    Config D;
    EXPECT_EQ(C.Disable, D.Disable);
    EXPECT_EQ(C.Log, D.Log);
    EXPECT_EQ(C.Profile, D.Profile);
    EXPECT_EQ(C.Compile, D.Compile);
    EXPECT_EQ(C.CompileBudgetMs, D.CompileBudgetMs);
    EXPECT_EQ(C.CompilePriority, D.CompilePriority);
    EXPECT_EQ(C.Watch, D.Watch);
    EXPECT_DOUBLE_EQ(C.HotMs, D.HotMs);
    EXPECT_EQ(C.MaxVersions, D.MaxVersions);
    EXPECT_EQ(C.Threads, D.Threads);
    EXPECT_EQ(C.Fp, D.Fp);
    EXPECT_EQ(C.Regions, D.Regions);
  }
}

TEST(ConfigTest, SomeOptionsDecideAboutVersions) {
  const std::map<std::string, std::string> Others = {{"SPECRT_DISABLE", "1"},
                                                     {"SPECRT_CACHE_DIR", "/x"},
                                                     {"SPECRT_PROFILE", "off"},
                                                     {"SPECRT_COMPILE", "sync"},
                                                     {"SPECRT_INSTRUMENT", "off"},
                                                     {"SPECRT_HOT", "7"},
                                                     {"SPECRT_MAX_VERSIONS", "9"},
                                                     {"SPECRT_THREADS", "1"},
                                                     {"SPECRT_FP", "fast"},
                                                     {"SPECRT_REGIONS", "x"},
                                                     {"SPECRT_CACHE_PATH", "/y"},
                                                     {"SPECRT_CACHE_LIMIT", "1K"},
                                                     {"SPECRT_LOG", "debug"},
                                                     {"SPECRT_COMPILE_BUDGET_MS", "9"},
                                                     {"SPECRT_COMPILE_PRIORITY", "normal"},
                                                     {"SPECRT_WATCH", "off"},
                                                     {"SPECRT_REPORT", "x.json"},
                                                     {"SPECRT_AFTER_EXIT_MS", "7"},
                                                     {"SPECRT_DUMP", "/x"}};
  std::set<std::string> Alike;
  for (const Option &O : optionTable()) {
    ASSERT_TRUE(Others.contains(O.Name)) << O.Name << ": does it decide about versions?";
    Config C;
    ASSERT_TRUE(O.Parse(C, Others.at(O.Name))) << O.Name;
    if (C.givesSameVersions(Config()))
      Alike.insert(O.Name);
  }
  EXPECT_EQ(Alike,
            (std::set<std::string>{"SPECRT_CACHE_LIMIT", "SPECRT_LOG", "SPECRT_COMPILE_BUDGET_MS",
                                   "SPECRT_COMPILE_PRIORITY", "SPECRT_REPORT", "SPECRT_DUMP",
                                   "SPECRT_AFTER_EXIT_MS", "SPECRT_WATCH"}));
}

TEST(ConfigTest, RegionGlobs) {
  Config C;
  EXPECT_TRUE(C.selects("gemm:12", "_Z4gemm"));
  C.Regions = "gemm:*,_Z3foo*";
  EXPECT_TRUE(C.selects("gemm:12", "_Z4gemm"));
  EXPECT_TRUE(C.selects("foo(int):3", "_Z3fooi"));
  EXPECT_FALSE(C.selects("heat:1", "_Z4heat"));
}

TEST(ConfigTest, RegionsAreMeantAsReportsCallThem) {
  const char *Title = "solver<int, double>::step:10, inlined into main";
  for (const char *Wanted :
       {"main:10", "main", "solver<int, double>::step:10, inlined into main",
        "solver<int, double>::step:10", "solver<int, double>::step", "solver<...>::step:10",
        "other, *::step:10", "operator<, main:10", "*::step:*"}) {
    Config C;
    C.Regions = Wanted;
    EXPECT_TRUE(C.selects("main:10", "main", Title)) << Wanted;
    EXPECT_FALSE(C.selects("f:3", "_Z1fv", "f:3")) << Wanted;
  }
  Config C;
  C.Regions = "jacobi (OpenMP loop, heat.cpp:7)";
  EXPECT_TRUE(C.selects("_Z6jacobii.omp_outlined:7", "_Z6jacobii.omp_outlined",
                        "jacobi (OpenMP loop, heat.cpp:7)"));
}

} // namespace
} // namespace specrt
