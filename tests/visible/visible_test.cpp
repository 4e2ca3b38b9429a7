//===- tests/visible/visible_test.cpp - GDB, perf and dumps show versions -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the real tools on a real program, and looks for the region's name and the line of its
// statement. GDB finds code that is in memory alone, too.
#include "profiler/store/trusted_path.h"
#include "tests/e2e/harness.h"
#include "gmock/gmock.h"
#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <regex>
#include <sstream>

using namespace specrt::e2e;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

std::string contents(const std::filesystem::path &Path) {
  std::ifstream In(Path);
  std::ostringstream Text;
  Text << In.rdbuf();
  return Text.str();
}

unsigned lineOf(const std::string &Marker) {
  std::string Source = contents(SPECRT_NEST_SOURCE);
  auto At = Source.begin() + static_cast<long>(Source.find(Marker));
  return 1 + static_cast<unsigned>(std::count(Source.begin(), At, '\n'));
}

/// "nest.cpp:22", where the work is done.
const std::string &statement() {
  static const std::string Place = "nest.cpp:" + std::to_string(lineOf("// the statement"));
  return Place;
}

/// A version of the nest, as a regular expression.
const std::string Version = "nest:" + std::to_string(lineOf("for (long i = 0")) +
                            "\\.[a-z0-9-]+\\[n=160\\](\\[part\\]|\\.part)?";

std::string everything(const Outcome &O) { return O.Remarks + O.Output + O.Errors; }

/// Where the code comes from that the tools have to show.
enum class Origin { Memory, Cache };

class Visible : public testing::TestWithParam<Origin> {
protected:
  /// The same decisions at the same calls in every run; one thread does all the work.
  Environment settings() const {
    Environment E = {{"SPECRT_COMPILE", "sync"},
                     {"SPECRT_HOT", "1"},
                     {"SPECRT_THREADS", "1"},
                     {"HOME", Box.path("home")},
                     {"DEBUGINFOD_URLS", ""}};
    if (GetParam() == Origin::Memory)
      E["SPECRT_PROFILE"] = "off";
    return E;
  }

  void SetUp() override {
    std::filesystem::create_directory(Box.path("home"));
    if (GetParam() == Origin::Memory)
      return;
    const specrt::Descriptor Folder(open(Box.path().c_str(), O_RDONLY | O_CLOEXEC));
    if (specrt::trustedPathOf(Folder).empty())
      GTEST_SKIP() << "others may write to a directory above " << Box.path();
    ASSERT_EQ(Box.run(SPECRT_NEST, {}, settings()).Status, 0);
  }

  Outcome run(const std::string &Tool, const std::vector<std::string> &Arguments,
              const Environment &More = {}) const {
    Environment E = settings();
    E.insert(More.begin(), More.end());
    return Box.run(Tool, Arguments, E);
  }

  Sandbox Box;
};

const auto Origins = testing::Values(Origin::Memory, Origin::Cache);

std::string nameOf(const testing::TestParamInfo<Origin> &Info) {
  return Info.param == Origin::Memory ? "InMemory" : "FromTheCache";
}

class Gdb : public Visible {
protected:
  void SetUp() override {
    Visible::SetUp();
    if (!*SPECRT_GDB)
      GTEST_SKIP() << "there is no gdb";
    Outcome Try = run(SPECRT_GDB, {"-nx", "-batch", "-ex", "run", "/bin/true"});
    if (everything(Try).find("exited normally") == std::string::npos)
      GTEST_SKIP() << "gdb cannot run programs here: " << everything(Try);
  }

  std::string debug(std::vector<std::string> Commands, const std::string &Argument) {
    std::vector<std::string> Words = {"-nx", "-batch"};
    Commands.push_back("kill");
    for (const std::string &Command : Commands) {
      Words.push_back("-ex");
      Words.push_back(Command);
    }
    Words.insert(Words.end(), {"--args", SPECRT_NEST, Argument});
    return everything(run(SPECRT_GDB, Words));
  }
};

INSTANTIATE_TEST_SUITE_P(, Gdb, Origins, nameOf);

TEST_P(Gdb, NamesTheVersionThatIsInterrupted) {
  std::vector<std::string> Commands = {"handle SIGALRM stop nopass", "run"};
  for (int Stop = 0; Stop < 5; ++Stop)
    Commands.insert(Commands.end(), {"backtrace", "continue"});
  std::string Seen = debug(Commands, "alarms");
  EXPECT_THAT(Seen,
              ContainsRegex("#0 +0x[0-9a-f]+ in " + Version + " \\(\\) at [^ ]*" + statement()));
  EXPECT_THAT(Seen, ContainsRegex("#[1-9] .* main \\(\\)")) << "the stack goes on to the program";
}

TEST_P(Gdb, StopsAtALineOfTheNest) {
  // The program itself has no debug info: only versions have this line.
  std::string Seen = debug({"set breakpoint pending on", "break " + statement(), "run",
                            "info symbol $pc", "info line *$pc"},
                           "");
  EXPECT_THAT(Seen, ContainsRegex("Breakpoint 1[.0-9]*, .*" + Version));
  EXPECT_THAT(Seen, ContainsRegex(Version + " \\+ [0-9]+ in section \\.text of .*" +
                                  (GetParam() == Origin::Cache ? "/versions/" : "/fd/")));
}

class Perf : public Visible {
protected:
  void SetUp() override {
    Visible::SetUp();
    if (!*SPECRT_PERF)
      GTEST_SKIP() << "there is no perf";
    Outcome Try = record({"/bin/true"});
    if (Try.Status != 0)
      GTEST_SKIP() << "perf cannot record here: " << everything(Try);
  }

  /// A clock of the kernel, because virtual machines often have no counters of the processor.
  Outcome record(std::vector<std::string> Words = {SPECRT_NEST}) {
    Words.insert(Words.begin(), {"record", "-e", "cpu-clock", "-F", "200", "-o", data()});
    return run(SPECRT_PERF, Words);
  }

  std::string data() const { return Box.path("perf.data"); }

  /// The share of all samples, in percent, that perf report puts down to versions of the nest.
  double shareOfVersions(const std::string &Data) {
    std::istringstream Lines(
        run(SPECRT_PERF, {"report", "-i", Data, "--stdio", "--sort", "symbol"}).Output);
    double Share = 0;
    for (std::string Line; std::getline(Lines, Line);)
      if (std::regex_search(Line, std::regex(Version)))
        Share += std::atof(Line.c_str());
    return Share;
  }

  std::string script(const std::string &Data) {
    return run(SPECRT_PERF, {"script", "-i", Data, "-F", "ip,sym,srcline"}).Output;
  }
};

INSTANTIATE_TEST_SUITE_P(, Perf, testing::Values(Origin::Cache), nameOf);

TEST_P(Perf, ReportsVersionsByName) {
  const Outcome Recorded = record();
  ASSERT_EQ(Recorded.Status, 0) << Recorded.Errors;
  EXPECT_THAT(Recorded.Output, HasSubstr("sum "));
  EXPECT_GT(shareOfVersions(data()), 30);
}

TEST_P(Perf, ShowsLines) {
  ASSERT_EQ(record().Status, 0);
  EXPECT_GT(shareOfVersions(data()), 30);
  EXPECT_THAT(script(data()), ContainsRegex(Version + "\n +" + statement()));
}

/// SPECRT_DUMP; nothing is compiled when everything comes from the cache.
class Dump : public testing::Test {
protected:
  Outcome dumpTo(const std::string &Folder) {
    return Box.run(SPECRT_NEST, {},
                   {{"SPECRT_COMPILE", "sync"},
                    {"SPECRT_HOT", "1"},
                    {"SPECRT_THREADS", "1"},
                    {"SPECRT_PROFILE", "off"},
                    {"SPECRT_DUMP", Folder}});
  }

  std::filesystem::path regionFolder() const {
    return Box.path("dump") / ("nest_" + std::to_string(lineOf("for (long i = 0")));
  }

  Sandbox Box;
};

TEST_F(Dump, HasEveryStage) {
  Outcome Run = dumpTo(Box.path("dump"));
  ASSERT_EQ(Run.Status, 0);
  EXPECT_THAT(Run.Errors, IsEmpty());
  auto Stage = [&](const std::string &File) { return contents(regionFolder() / "n=160" / File); };
  EXPECT_THAT(contents(regionFolder() / "original.ll"), HasSubstr("define i32 @nest"));
  EXPECT_THAT(Stage("before.ll"), AllOf(HasSubstr("define i32 @nest"), HasSubstr("160")));
  EXPECT_THAT(Stage("guards.txt"), AllOf(HasSubstr("n == 160\n"), HasSubstr("do not overlap")));
  EXPECT_THAT(Stage("causes.txt"), HasSubstr(statement() + ": "));
  EXPECT_THAT(Stage("candidates.txt"), ContainsRegex("contraction: compiled in [0-9.]+ ms"));
  EXPECT_THAT(Stage("contraction.schedule.txt"),
              AllOf(ContainsRegex("Statements \\{"), HasSubstr("Original schedule"),
                    HasSubstr("Chosen schedule"), HasSubstr("specrt.contraction"),
                    HasSubstr("for (int c"), HasSubstr("code generated")));
  EXPECT_THAT(Stage("contraction.after.ll"), ContainsRegex("<[248] x double>"));
  EXPECT_THAT(Stage("contraction.s"), AllOf(ContainsRegex(Version), HasSubstr(".loc")));
}

TEST_F(Dump, HasAnIndexOfItsFiles) {
  dumpTo(Box.path("dump"));
  std::string Index = contents(regionFolder() / "index.txt");
  EXPECT_THAT(Index, HasSubstr("Region nest:"));
  for (const auto &File : std::filesystem::recursive_directory_iterator(regionFolder()))
    if (File.is_regular_file() && File.path().filename() != "index.txt")
      EXPECT_THAT(Index, ContainsRegex("  " + File.path().filename().string() + " +[a-z]"));
}

TEST_F(Dump, AFolderThatCannotBeMadeIsReportedOnce) {
  std::ofstream(Box.path("file")) << "not a folder";
  Outcome Without = dumpTo("");
  Outcome Run = dumpTo(Box.path("file") / "dump");
  EXPECT_EQ(Run.Status, 0);
  EXPECT_EQ(Run.Output, Without.Output);
  EXPECT_THAT(Run.Errors, AllOf(HasSubstr("SPECRT_DUMP is incomplete: cannot write"),
                                HasSubstr("Not a directory")));
  EXPECT_EQ(std::count(Run.Errors.begin(), Run.Errors.end(), '\n'), 1) << Run.Errors;
  EXPECT_FALSE(Run.region("nest")["versions"].empty());
}

TEST_F(Dump, AFullDiskIsReportedOnce) {
  std::filesystem::create_directories(regionFolder());
  std::filesystem::create_symlink("/dev/full", regionFolder() / "original.ll");
  Outcome Run = dumpTo(Box.path("dump"));
  EXPECT_EQ(Run.Status, 0);
  EXPECT_THAT(Run.Errors, HasSubstr("No space left on device"));
  EXPECT_EQ(std::count(Run.Errors.begin(), Run.Errors.end(), '\n'), 1) << Run.Errors;
  EXPECT_FALSE(Run.region("nest")["versions"].empty());
}

} // namespace
