//===- tests/instrument/functions_test.cpp - code for nests of other files ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions come with their code, what their records say, and what that costs.
//
//===----------------------------------------------------------------------===//
#include "tests/instrument/toolchain.h"

using namespace specrt;
using testing::HasSubstr;
using testing::Not;

namespace {

class Functions : public ToolchainTest {
protected:
  /// Standard error of a program of \p Text and a main that does nothing.
  std::string registered(const std::string &Text, const std::string &Flags = "-O2") {
    write("f.c", Text);
    write("main.c", "__attribute__((noinline)) double other(double x) { return x; }\nint "
                    "main(void) { return 0; }\n");
    check("$CC " + Flags + " f.c main.c -o a");
    return check("./a").Err;
  }
};

TEST_F(Functions, SmallOnesHaveRecords) {
  const std::string Seen =
      registered("static double factor = 3;\n"
                 "double other(double);\n"
                 "void set(double f) { factor = f; }\n"
                 "double combine(double a, double b) { return a * factor + other(b); }\n");
  EXPECT_THAT(Seen, HasSubstr("function set at=1"));
  EXPECT_THAT(Seen, testing::ContainsRegex("function combine at=1 size=72 bytes=[0-9]+ calls=1\n"
                                           "  symbol other 1\n  symbol factor 1\n"));
}

TEST_F(Functions, OthersHaveNone) {
  EXPECT_THAT(
      registered("#include <stdarg.h>\n"
                 "static double inner(double a) { return a + 1; }\n"
                 "double a1(int n, ...) { va_list l; va_start(l, n); double x = va_arg(l, double);"
                 " va_end(l); return x; }\n"
                 "__attribute__((noinline)) double a2(double x) { return x + inner(x); }\n"
                 "_Thread_local double t; double a3(double x) { return t += x; }\n"
                 "double a4(double x) { __asm__(\"nop\"); return x; }\n"
                 "double a5(volatile double *x) { return *x; }\n"
                 "__attribute__((weak)) double a6(double x) { return x; }\n"
                 "long a7(long *x) { return ++*x; }\n"
                 "struct s { double v[4]; }; double a8(struct s x) { return x.v[1]; }\n"
                 "long double a9(long double x) { return x; }\n"),
      Not(HasSubstr("function ")));
}

TEST_F(Functions, AreNotObservedOnes) {
  EXPECT_THAT(
      registered("double f(double x) { return x + 1; }\n", "-O2 -fpatchable-function-entry=2"),
      Not(HasSubstr("function ")));
}

/// With LTO other files are seen anyway.
TEST_F(Functions, AreNoneWithLTO) {
  EXPECT_THAT(registered("double f(double x) { return x + 1; }\n", "-O2 -flto -fuse-ld=lld"),
              Not(HasSubstr("function ")));
}

/// The address is that of the code beside the record, even if the name is bound to another.
TEST_F(Functions, GoWithTheirOwnAddresses) {
  write("f.c", "double f(double x) { return x + 1; }\n");
  check("$CC -O2 -fPIC -c f.c && $TOOLS/llvm-readelf -rW f.o > r");
  const std::string Relocations = read("r");
  const size_t Begin = Relocations.find(".rela"
                                        "specrt_functions");
  ASSERT_NE(Begin, std::string::npos);
  EXPECT_THAT(Relocations.substr(Begin, Relocations.find("\n\n", Begin) - Begin),
              Not(testing::ContainsRegex("R_X86_64_64 .* f \\+")));
}

/// GNU ld keeps every section that such a table consists of, unless it is told not to. That is the
/// user's to say: it is about all tables of the program.
TEST_F(Functions, VanishWithGarbage) {
  write("f.c", "double f(double x) { return x + 1; }\ndouble g(double x) { return x * 2; }\n"
               "double missing(double);\ndouble h(double x) { return missing(x); }\n");
  write("main.c", "double f(double);\nint main(int n, char **v) { return f(n) == 3; }\n");
  for (const char *Linker : {"-fuse-ld=lld", "-fuse-ld=bfd -Wl,-z,start-stop-gc"}) {
    SCOPED_TRACE(Linker);
    check(std::string("$CC -O2 -ffunction-sections -fdata-sections f.c main.c -o a "
                      "-Wl,--gc-sections ") +
          Linker);
    const std::string Seen = check("./a").Err;
    EXPECT_THAT(Seen, HasSubstr("function f "));
    EXPECT_THAT(Seen, Not(HasSubstr("function g ")));
  }
}

/// One file has 4 KB for all of its functions, and some hundred bytes for each.
TEST_F(Functions, AreSmall) {
  std::string Text;
  for (int N = 0; N < 20; ++N)
    Text += "double f" + std::to_string(N) + "(double x, double y) { return x * " +
            std::to_string(N + 2) + " + y / (x - " + std::to_string(N) + "); }\n";
  write("f.c", Text);
  check("$CC -O2 -c f.c -o with.o && $CLANG -O2 -c f.c -o plain.o");
  const auto Size = [&](const char *Name) { return std::filesystem::file_size(Folder / Name); };
  EXPECT_LT(Size("with.o"), Size("plain.o") + 4096 + 20 * 450);
}

TEST_F(Functions, NestsCallThem) {
  write("f.c", "double f(double, double);\n"
               "void nest(double *a, int n) { for (int i = 0; i < n; i++) a[i] = f(a[i], i); }\n");
  write("g.c", "double f(double x, double y) { return x + y; }\n"
               "void nest(double *, int);\ndouble a[900];\n"
               "int main(void) { nest(a, 900); return a[17] != 17; }\n");
  check("$CC -O2 f.c g.c -o a");
  const std::string Seen = check("./a").Err;
  EXPECT_THAT(Seen, HasSubstr("  calls f\n"));
  EXPECT_THAT(Seen, HasSubstr("enter nest:2"));
}

} // namespace
