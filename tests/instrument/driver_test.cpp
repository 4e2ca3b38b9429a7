//===- tests/instrument/driver_test.cpp - specrt-clang is clang -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every way to call a compiler, with the same results as plain clang and without new warnings.
//
//===----------------------------------------------------------------------===//
#include "tests/instrument/toolchain.h"

using namespace specrt;
using testing::HasSubstr;
using testing::Not;

namespace {

const char *const Program =
    "#include <stdio.h>\n"
    "double work(double *a, const double *b, int n);\n"
    "double x[64], y[64];\n"
    "int main(void) {\n"
    "  for (int i = 0; i < 64; i++) { x[i] = i * 0.1; y[i] = 1.0 / (i + 1); }\n"
    "  printf(\"%.17g\\n\", work(x, y, 64));\n"
    "}\n";
const char *const Work = "double work(double *a, const double *b, int n) {\n"
                         "  double s = 0;\n"
                         "  for (int i = 0; i < n; i++)\n"
                         "    for (int j = 0; j < n; j++) a[i] += b[j] * (i + j);\n"
                         "  for (int i = 0; i < n; i++) s += a[i];\n"
                         "  return s;\n}\n";

class Driver : public ToolchainTest {
protected:
  void SetUp() override {
    ToolchainTest::SetUp();
    write("main.c", Program);
    write("work.c", Work);
    write("main.cpp", Program);
    write("work.cpp", Work);
  }
};

struct FlagCase {
  const char *Name;
  const char *Flags;
};
void PrintTo(const FlagCase &Case, std::ostream *Stream) { *Stream << Case.Flags; }

class Flags : public Driver, public testing::WithParamInterface<FlagCase> {};

TEST_P(Flags, SameResultInCAndCxx) {
  for (bool Cxx : {false, true}) {
    std::string Sources = Cxx ? " main.cpp work.cpp" : " main.c work.c";
    std::string Options = std::string(" ") + GetParam().Flags + Sources;
    CommandResult Build =
        check((Cxx ? "$CXX" : "$CC") + std::string(" -Werror") + Options + " -o a");
    EXPECT_EQ(Build.Err, "");
    check((Cxx ? "$CLANGXX" : "$CLANG") + Options + " -o plain");
    CommandResult Run = check("./a");
    EXPECT_EQ(Run.Out, check("./plain").Out);
    EXPECT_THAT(Run.Err, HasSubstr("region work:3"));
    EXPECT_THAT(Run.Err, HasSubstr("enter work:3"));
    EXPECT_EQ(count(Run.Err, "region work:3"), 1u);
  }
}

const FlagCase FlagCases[] = {
    {"O1", "-O1 -fno-inline"},
    {"O2", "-O2"},
    {"O3Native", "-O3 -march=native"},
    {"Os", "-Os"},
    {"FullLto", "-O2 -flto -fuse-ld=lld -fno-inline"},
    {"ThinLto", "-O2 -flto=thin -fuse-ld=lld -fno-inline"},
    {"NoPie", "-O2 -fno-pie -no-pie"},
    {"Pie", "-O2 -fPIE -pie"},
    {"Debug", "-O2 -g"},
    {"Lld", "-O2 -fuse-ld=lld -Wl,--as-needed"},
    {"AsNeeded", "-O2 -Wl,--as-needed"},
    {"Sections", "-O2 -ffunction-sections -fdata-sections -Wl,--gc-sections"},
};
INSTANTIATE_TEST_SUITE_P(Matrix, Flags, testing::ValuesIn(FlagCases),
                         [](const auto &Info) { return std::string(Info.param.Name); });

TEST_F(Driver, StopsWhereClangStops) {
  CommandResult Preprocess = check("$CC -Werror -O2 -E work.c");
  EXPECT_EQ(Preprocess.Out, check("$CLANG -O2 -E work.c").Out);
  EXPECT_EQ(Preprocess.Err, "");
  EXPECT_EQ(check("$CC -Werror -O2 -M work.c").Out, "work.o: work.c\n");
  CommandResult Syntax = check("$CC -Werror -O2 -fsyntax-only work.c main.c");
  EXPECT_EQ(Syntax.Out + Syntax.Err, "");
  check("$CC -Werror -O2 -S work.c -o work.s");
  EXPECT_THAT(read("work.s"), HasSubstr("specrt_records"));
  check("$CC -Werror -O2 -S -emit-llvm work.c -o work.ll");
  EXPECT_THAT(read("work.ll"), HasSubstr("work.specrt.0"));
  check("$CC -Werror -c work.s -o work.o && $CC -Werror -O2 main.c work.o -o a && ./a");
}

/// The plugin wants lines; passes behind it carry them on only for those who have asked for them.
TEST_F(Driver, LinesEndBehindThePluginUnlessTheyAreWanted) {
  check("$CC -O2 -S -emit-llvm work.c -o work.ll");
  EXPECT_THAT(read("work.ll"), AllOf(HasSubstr("work:3"), Not(HasSubstr("!DILocation"))));
  for (const char *Options : {"-g", "-gline-tables-only", "-Rpass=licm", "-Rpass-missed=licm",
                              "-Rpass-analysis=licm", "-fsave-optimization-record"}) {
    check(std::string("$CC -O2 -S -emit-llvm work.c -o work.ll ") + Options);
    EXPECT_THAT(read("work.ll"), HasSubstr("!DILocation")) << Options;
  }
}

/// Each section costs 64 bytes, and as many again for its relocations.
TEST_F(Driver, RecordsShareASectionWhereFunctionsDo) {
  write("two.c", "void f(double *a, int n) { for (int i = 0; i < n; i++) a[i] += 1; }\n"
                 "void g(double *a, int n) { for (int i = 0; i < n; i++) a[i] += 2; }\n");
  const auto Sections = [&](const std::string &Options) {
    check("$CC -O2 -c two.c " + Options);
    return check("$TOOLS/llvm-readelf -S two.o | grep -c ' specrt_records'").Out;
  };
  EXPECT_EQ(Sections(""), "1\n");
  EXPECT_EQ(Sections("-ffunction-sections"), "2\n");
  EXPECT_EQ(Sections("-fdata-sections"), "2\n");
}

TEST_F(Driver, SeveralSourcesAndResponseFiles) {
  write("args", "-O2 main.c\nwork.c -o a\n");
  check("$CC -Werror @args");
  EXPECT_THAT(check("./a").Err, HasSubstr("enter work:3"));
  check("$CC -Werror -O2 -c main.c work.c && $CC -Werror main.o work.o -o b");
  EXPECT_THAT(check("./b").Err, HasSubstr("enter work:3"));
}

TEST_F(Driver, LanguageOptionAndStandardInput) {
  check("$CC -Werror -O2 -x c - -c -o work.o <work.c && $CC -O2 main.c work.o -o a");
  EXPECT_THAT(check("./a").Err, HasSubstr("enter work:"));
  check("cp work.c work.txt && $CC -Werror -O2 -x c work.txt main.c -o b");
  EXPECT_THAT(check("./b").Err, HasSubstr("enter work:3"));
}

TEST_F(Driver, QuotedArgumentsSurvive) {
  write("a b/q.c", "const char *text(void) { return TEXT; }\n");
  check("$CC -Werror -O2 '-DTEXT=\"x  y\"' -c 'a b/q.c' -o 'a b/q.o'");
  EXPECT_THAT(check("$TOOLS/llvm-readelf -p .rodata.str1.1 'a b/q.o'").Out, HasSubstr("x  y"));
}

TEST_F(Driver, QueriesAreClangs) {
  for (const char *Query :
       {"--version", "-dumpmachine", "-print-search-dirs", "-print-libgcc-file-name"})
    EXPECT_EQ(check(std::string("$CC_BARE ") + Query).Out,
              check(std::string("$CLANG ") + Query).Out);
  EXPECT_THAT(check("$CC -### -O2 work.c").Err, HasSubstr("-fpass-plugin="));
}

TEST_F(Driver, ErrorsAndExitCodesAreClangs) {
  write("bad.c", "int f( {\n");
  CommandResult Bad = run("$CC -O2 -c bad.c");
  EXPECT_EQ(Bad.Status, 1);
  EXPECT_EQ(Bad.Err, run("$CLANG -O2 -c bad.c").Err);
  EXPECT_EQ(run("$CC_BARE").Status, 1);
}

TEST_F(Driver, WithoutOptimizationSaysSoOnce) {
  CommandResult Result = check("$CC -Werror main.c work.c -o a");
  EXPECT_EQ(count(Result.Err, "nothing is instrumented"), 1u);
  EXPECT_EQ(count(Result.Err, "\n"), 1u);
  EXPECT_THAT(check("./a").Err, Not(HasSubstr("region")));
  EXPECT_EQ(count(check("$CC -O2 -O0 -c work.c").Err, "nothing is instrumented"), 1u);
  EXPECT_EQ(check("$CC -O0 -O2 -c work.c").Err, "");
}

TEST_F(Driver, StaticProgramsAreLeftAlone) {
  CommandResult Result = check("$CC -O2 -static main.c work.c -o a");
  EXPECT_EQ(count(Result.Err, "\n"), 1u);
  EXPECT_THAT(Result.Err, HasSubstr("without instrumentation"));
  EXPECT_THAT(Result.Err, HasSubstr("nothing of it is specialised; -static-libstdc++"));
  EXPECT_EQ(check("./a").Err, "");
  EXPECT_EQ(check("$CC -O2 -static-libgcc main.c work.c -o a").Err, "");
}

TEST_F(Driver, AnotherClangThatDoesNotFitIsNamed) {
  CommandResult Missing = run("SPECRT_CLANG=/no/such/clang $CC -O2 main.c work.c -o a");
  EXPECT_EQ(Missing.Status, 1);
  EXPECT_EQ(Missing.Err,
            "specrt-clang: error: SPECRT_CLANG=/no/such/clang does not exist or cannot "
            "be run\n");
  write("other", "#!/bin/sh\necho 'gcc (Debian) 12.2.0'\n");
  CommandResult Other = run("chmod +x other; SPECRT_CLANG=$PWD/other $CC -O2 main.c work.c -o a");
  EXPECT_EQ(Other.Status, 1);
  EXPECT_THAT(Other.Err, HasSubstr("/other is not clang 22, which libspecrt needs\n"));
  EXPECT_EQ(count(Other.Err, "\n"), 1u);
  EXPECT_EQ(check("SPECRT_CLANG=$CLANG $CC -O2 main.c work.c -o a").Err, "");
}

TEST_F(Driver, WithoutClangItSaysWhatToInstall) {
  for (const char *Which : {"", "++"}) {
    check(std::string("sed 's#^clang=.*#clang=${SPECRT_CLANG:-/proc/nosuch/clang}#' \"$CC_BARE") +
          Which + "\" >driver; chmod +x driver");
    const CommandResult Missing = run("./driver -O2 main.c work.c -o a");
    EXPECT_EQ(Missing.Status, 1);
    EXPECT_EQ(Missing.Err, std::string("specrt-clang") + Which +
                               ": error: /proc/nosuch/clang does not exist or cannot be run: "
                               "install clang 22 (package clang-22 of Debian, Ubuntu or "
                               "https://apt.llvm.org), or set SPECRT_CLANG to one\n");
  }
}

TEST_F(Driver, FortranIsRefused) {
  write("x.f90", "end\n");
  write("x.F", "      end\n");
  write("x.txt", "end\n");
  for (const char *Arguments :
       {"-c x.f90", "-O2 work.c x.F", "-O2 -c -x f95 x.txt", "-xf95 x.txt"}) {
    const CommandResult Refused = run(std::string("$CC ") + Arguments + " -o x.o");
    EXPECT_EQ(Refused.Status, 1) << Arguments;
    EXPECT_THAT(Refused.Err, HasSubstr("libspecrt does not support Fortran")) << Arguments;
    EXPECT_EQ(count(Refused.Err, "\n"), 1u) << Refused.Err;
    EXPECT_FALSE(std::filesystem::exists(Folder / "x.o"));
  }
  EXPECT_EQ(check("$CC -O2 -c -o x.f.o work.c").Err, "");
}

/// Libtool takes any output for a sign that an option does not work, as in "checking if clang
/// static flag -static works".
TEST_F(Driver, ProbesOfConfigureScriptsAreQuiet) {
  write("conftest.c", "int main(void){return(0);}\n");
  for (const char *Flags :
       {"-g -O2 -static", "-static", "-O2 -fprofile-arcs -ftest-coverage", ""}) {
    const CommandResult Probe = check(std::string("$CC ") + Flags + " conftest.c -o conftest");
    EXPECT_EQ(Probe.Out + Probe.Err, "") << Flags;
    check("./conftest");
  }
}

class Observed : public Driver, public testing::WithParamInterface<FlagCase> {};

/// Versions would have no checks and count nothing.
TEST_P(Observed, ProgramsAreLeftAlone) {
  const std::string Options = GetParam().Flags;
  CommandResult Result = check("$CC -O2 " + Options + " main.c work.c -o a");
  EXPECT_THAT(Result.Err, HasSubstr("without instrumentation: versions would escape"));
  EXPECT_EQ(count(Result.Err, "\n"), 1u) << Result.Err;
  CommandResult Run = check("./a");
  EXPECT_EQ(Run.Out, check("$CLANG -O2 main.c work.c -o plain && ./plain").Out);
  EXPECT_THAT(Run.Err, Not(HasSubstr("region")));
  EXPECT_THAT(check("$TOOLS/llvm-readelf -d a").Out, Not(HasSubstr("libspecrt")));
  // Other objects may have regions.
  check("$CC -O2 -c work.c -o work.o && $CC -O2 " + Options + " main.c work.o -o b");
  EXPECT_THAT(check("$TOOLS/llvm-readelf -d b").Out, HasSubstr("libspecrt"));
}

const FlagCase Observers[] = {
    {"Address", "-fsanitize=address"},
    {"Memory", "-fsanitize=memory"},
    {"Thread", "-fsanitize=thread"},
    {"OneOfSeveral", "-fsanitize=undefined,thread -fno-sanitize=address"},
    {"Source", "-fprofile-instr-generate -fcoverage-mapping"},
    {"Gcov", "--coverage"},
    {"Generate", "-fprofile-generate=profile"},
    {"Edges", "-fsanitize-coverage=trace-pc-guard"},
    {"SafeStack", "-fsanitize=safe-stack"},
    {"Gprof", "-pg"},
};
INSTANTIATE_TEST_SUITE_P(Matrix, Observed, testing::ValuesIn(Observers),
                         [](const auto &Info) { return std::string(Info.param.Name); });

TEST_F(Driver, CancelledObserversDoNotCount) {
  for (const char *Options :
       {"-fsanitize=address -fno-sanitize=address", "-fsanitize=thread,undefined -fno-sanitize=all",
        "-fprofile-generate -fno-profile-generate", "-fsanitize=leak",
        "--coverage -fno-profile-arcs -fno-test-coverage",
        "-fprofile-instr-generate=a -fno-profile-instr-generate", "-Xlinker -fsanitize=address"}) {
    SCOPED_TRACE(Options);
    CommandResult Result = check(std::string("$CC -O2 ") + Options + " -c work.c -o work.o");
    EXPECT_THAT(Result.Err, Not(HasSubstr("without instrumentation")));
    check("grep -q specrt_records work.o");
  }
  write("args", "-O2 -fsanitize=address\n-c work.c -o work.o\n");
  EXPECT_THAT(check("$CC @args").Err, HasSubstr("versions would escape -fsanitize=address\n"));
  EXPECT_THAT(check("$CC @args -fno-sanitize=all").Err, Not(HasSubstr("note")));
}

/// The hwaddress runtime is not linked here: the linker cannot place what the compiler emits.
TEST_F(Driver, HwaddressObjectsAreLeftAlone) {
  EXPECT_THAT(check("$CC -O2 -fsanitize=hwaddress -c work.c").Err,
              HasSubstr("versions would escape -fsanitize=hwaddress\n"));
  EXPECT_EQ(run("grep specrt work.o").Status, 1);
}

TEST_F(Driver, PluginLeavesSanitizedFunctionsAlone) {
  for (const char *Kind : {"address", "hwaddress", "memory", "thread", "safe-stack", "type"}) {
    SCOPED_TRACE(Kind);
    CommandResult Result = check(std::string("$CLANG -O2 -fpass-plugin=$PLUGIN -fsanitize=") +
                                 Kind + " -Rpass-missed=specrt -c work.c");
    EXPECT_THAT(Result.Err, HasSubstr("the function is checked by a sanitizer"));
    EXPECT_EQ(run("grep specrt_records work.o").Status, 1);
  }
}

TEST_F(Driver, PlainClangWithThePlugin) {
  check("$CLANG -O2 -fpass-plugin=$PLUGIN main.c work.c -lspecrt -o a");
  EXPECT_THAT(check("./a").Err, HasSubstr("enter work#"));
}

TEST_F(Driver, LinkedWithAnotherCompiler) {
  if (run("command -v gcc").Status != 0)
    GTEST_SKIP() << "no gcc";
  check("$CC -O2 -c work.c && gcc -O2 main.c work.o -lspecrt -o a");
  EXPECT_THAT(check("./a").Err, HasSubstr("enter work:3"));
}

} // namespace
