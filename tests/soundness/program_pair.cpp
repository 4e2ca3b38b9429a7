//===- tests/soundness/program_pair.cpp - with and without libspecrt -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/soundness/program_pair.h"
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

namespace specrt::soundness {
namespace {

std::vector<std::string> words(const std::string &Text) {
  std::istringstream In(Text);
  std::vector<std::string> Result;
  for (std::string Word; In >> Word;)
    Result.push_back(Word);
  return Result;
}

bool isCxx(const SourceFile &File) { return File.Name.ends_with(".cpp"); }

} // namespace

const Environment AtOnce = {{"SPECRT_COMPILE", "sync"}, {"SPECRT_HOT", "0"}};

ProgramPair::ProgramPair(const std::vector<SourceFile> &Files, const std::string &Flags)
    : Flags(Flags) {
  rebuild(Files);
}

void ProgramPair::rebuild(const std::vector<SourceFile> &Files) {
  for (const SourceFile &File : Files)
    std::ofstream(Box.path(File.Name)) << File.Text;
  EXPECT_TRUE(build(Files, /*WithSpecrt=*/false));
  EXPECT_TRUE(build(Files, /*WithSpecrt=*/true));
}

bool ProgramPair::build(const std::vector<SourceFile> &Files, bool WithSpecrt) {
  const std::string Half = WithSpecrt ? "with" : "plain";
  auto Run = [&](bool Cxx, std::vector<std::string> Arguments) {
    std::vector<std::string> All = words(SPECRT_SOUNDNESS_HOST_FLAGS);
    for (std::string &Word : words(Flags))
      All.push_back(std::move(Word));
    All.insert(All.end(), Arguments.begin(), Arguments.end());
    if (WithSpecrt) {
      All.push_back("-Rpass=specrt");
      All.push_back("-Rpass-missed=specrt");
    }
    const char *Compiler = WithSpecrt ? (Cxx ? SPECRT_SOUNDNESS_DRIVERXX : SPECRT_SOUNDNESS_DRIVER)
                                      : (Cxx ? SPECRT_SOUNDNESS_CLANGXX : SPECRT_SOUNDNESS_CLANG);
    Outcome Built = Box.run(Compiler, All);
    EXPECT_EQ(Built.Status, 0) << Built.Errors;
    if (WithSpecrt)
      Remarks += Built.Errors;
    return Built.Status == 0;
  };
  bool AnyCxx = false;
  std::vector<std::string> Objects;
  for (const SourceFile &File : Files) {
    Objects.push_back(Box.path(File.Name + "." + Half + ".o"));
    std::vector<std::string> Arguments = words(File.Flags);
    if (File.IsLibrary)
      Arguments.push_back("-fPIC");
    for (std::string Word : {"-w", "-c", "-o"})
      Arguments.push_back(Word);
    Arguments.push_back(Objects.back());
    Arguments.push_back(Box.path(File.Name));
    if (!Run(isCxx(File), Arguments))
      return false;
    AnyCxx |= isCxx(File);
    if (!File.IsLibrary)
      continue;
    std::string Library = Objects.back() + ".so";
    if (!Run(isCxx(File), {"-shared", Objects.back(), "-o", Library}))
      return false;
    Objects.back() = Library;
  }
  Objects.insert(Objects.end(), {"-pthread", "-lm", "-o", WithSpecrt ? Halves.With : Halves.Plain});
  return Run(AnyCxx, Objects);
}

Outcome ProgramPair::plain(const std::vector<std::string> &Arguments) const {
  return Box.run(Halves.Plain, Arguments);
}

Outcome ProgramPair::with(const Environment &Extra,
                          const std::vector<std::string> &Arguments) const {
  Environment All = AtOnce;
  for (const auto &[Name, Value] : Extra)
    All[Name] = Value;
  return Box.run(Halves.With, Arguments, All);
}

Outcome ProgramPair::expectSameBits(const Environment &Extra, bool NeedsVersion,
                                    const std::vector<std::string> &Arguments) const {
  const Outcome Plain = plain(Arguments);
  EXPECT_EQ(Plain.Status, 0) << Plain.Errors;
  EXPECT_FALSE(Plain.Output.empty()) << "the program prints nothing that could be compared";
  Outcome First;
  unsigned Ran = 0;
  for (int Run = 1; Run <= 3; ++Run) {
    SCOPED_TRACE("run " + std::to_string(Run));
    Outcome With = with(Extra, Arguments);
    e2e::expectSame(With, Plain);
    Ran += versionsRan(With);
    if (Run == 1)
      First = std::move(With);
  }
  EXPECT_TRUE(!NeedsVersion || Ran > 0) << "no version ran:\n" << First.Report.dump(2);
  SCOPED_TRACE("with SPECRT_DISABLE=1");
  e2e::expectSame(with({{"SPECRT_DISABLE", "1"}}, Arguments), Plain);
  return First;
}

/// The guards of the versions that ran.
static std::string guardsOf(const Outcome &O, const char *Function) {
  std::string Guards;
  const auto Region = O.region(Function);
  for (const auto &V : Region["versions"])
    if (V["hits"].get<uint64_t>() > 0)
      for (const auto &Guard : V["guards"])
        Guards += Guard.get<std::string>() + "\n";
  return Guards;
}

Outcome expectGuarded(const SourceFile &Source, const char *Flags, const char *Function,
                      const char *Guard) {
  const ProgramPair Pair({Source}, Flags);
  Outcome Last = Pair.expectSameBits({}, /*NeedsVersion=*/false);
  const Outcome Plain = Pair.plain();
  for (const char *Cache : {"second", "third", "fourth"}) {
    if (guardsOf(Last, Function).find(Guard) != std::string::npos)
      return Last;
    Last = Pair.with({{"SPECRT_CACHE_DIR", Pair.box().path(Cache)}});
    e2e::expectSame(Last, Plain);
  }
  EXPECT_THAT(guardsOf(Last, Function), testing::HasSubstr(Guard)) << Last.region(Function).dump(1);
  return Last;
}

bool ran(const Outcome &O, const std::string &Candidate) {
  for (const auto &Region : O.Report["regions"])
    for (const char *List : {"versions", "retired"})
      for (const auto &Version : Region[List])
        if (Version["candidate"] == Candidate &&
            (Version.value("hits", 0L) > 0 || Version.value("ns", 0.0) > 0))
          return true;
  return false;
}

} // namespace specrt::soundness
