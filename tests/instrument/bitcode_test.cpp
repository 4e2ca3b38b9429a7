//===- tests/instrument/bitcode_test.cpp - the embedded code --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What libspecrt-jit.so will get: a valid module with callees and tables, and the same bytes
// whenever source and flags are the same.
//
//===----------------------------------------------------------------------===//
#include "tests/instrument/toolchain.h"
#include <regex>

using namespace specrt;
using testing::HasSubstr;
using testing::Not;

namespace {

class Bitcode : public ToolchainTest {
protected:
  /// Builds and runs \p File and returns the region's module as text.
  std::string disassemble(const std::string &File, const std::string &Entry,
                          const std::string &Flags = "") {
    check("$CC -O2 " + Flags + " " + File + " -o program && SPECRT_STUB_DUMP=. ./program");
    check("$TOOLS/llvm-dis " + Entry + ".bc -o " + Entry + ".ll");
    check("$TOOLS/opt -passes=verify -disable-output " + Entry + ".bc");
    return read(Entry + ".ll");
  }
  std::string hash(const std::string &Command) {
    std::string Err = check(Command + " -o program && ./program").Err;
    size_t At = Err.find("hash=");
    return At == std::string::npos ? "none" : Err.substr(At + 5, 32);
  }
};

const char *const Source =
    "static double scale = 2;\n"
    "static const double table[4] = {1, 2, 3, 4};\n"
    "void print(double);\n"
    "__attribute__((noinline)) static double inner(double x) { return x * scale; }\n"
    "__attribute__((noinline)) static double outer(double x) { return inner(x) + 1; }\n"
    "__attribute__((noinline)) void f(double *a, int n) {\n"
    "  for (int i = 0; i < n; i++) a[i] = outer(a[i]) + table[i & 3];\n"
    "}\n"
    "double x[9];\nint main(void) { f(x, 9); scale = 3; }\n";

TEST_F(Bitcode, HoldsCalleesAndTables) {
  write("a.c", Source);
  std::string Text = disassemble("a.c", "f.specrt.0");
  EXPECT_THAT(Text, HasSubstr("define i32 @f.specrt.0("));
  EXPECT_THAT(Text, testing::ContainsRegex("define available_externally [a-z_ ]*double @outer"));
  EXPECT_THAT(Text, testing::ContainsRegex("define available_externally [a-z_ ]*double @inner"));
  EXPECT_THAT(Text, HasSubstr("@table = available_externally"));
  EXPECT_THAT(Text, HasSubstr("@scale = external"));
  EXPECT_THAT(Text, Not(HasSubstr("main")));
  EXPECT_THAT(Text, HasSubstr("!tbaa"));
  EXPECT_THAT(Text, HasSubstr("DILocation(line: 7"));
  EXPECT_THAT(Text, Not(HasSubstr(Folder.string())));
}

const char *const SeveralDefinitions =
    "template <class T> __attribute__((noinline)) T rounded(T x) noexcept { return x * T(3) + x; "
    "}\n"
    "template <class T> __attribute__((noinline)) T *moved(T *x, int i) noexcept { return x + i; "
    "}\n"
    "__attribute__((noinline)) double exported(double x) { return x * 3 + x; }\n"
    "extern const double table[4] = {1, 2, 3, 4};\n"
    "__attribute__((noinline)) static double local(double x) { return x * 5 + x; }\n"
    "extern \"C\" __attribute__((noinline)) void f(double *a, int n) {\n"
    "  for (int i = 0; i < n; i++) *moved(a, i) = rounded(a[i]) + exported(a[i]) + local(a[i]) + "
    "table[i & 3];\n"
    "}\n"
    "double x[9];\nint main() { f(x, 9); }\n";

/// The linker may keep the definition of an inline function that another file has, compiled with
/// other flags; and a dynamic symbol is looked up. Which one it is does not matter for what does
/// not round.
TEST_F(Bitcode, HoldsOnlyDefinitionsThatAreCalled) {
  write("a.cpp", SeveralDefinitions);
  const std::string Embedded = "define available_externally [a-z_() ]*";
  std::string Text = disassemble("a.cpp", "f.specrt.0");
  EXPECT_THAT(Text, testing::ContainsRegex("declare [a-z_() ]*double @_Z7rounded"));
  EXPECT_THAT(Text, testing::ContainsRegex(Embedded + "ptr @_Z5moved"));
  EXPECT_THAT(Text, testing::ContainsRegex(Embedded + "double @_Z8exported"));
  EXPECT_THAT(Text, testing::ContainsRegex(Embedded + "double @_ZL5local"));
  EXPECT_THAT(Text, HasSubstr("@table = available_externally"));
  Text = disassemble("a.cpp", "f.specrt.0", "-fPIC");
  EXPECT_THAT(Text, HasSubstr("@table = external"));
  EXPECT_THAT(Text, testing::ContainsRegex("declare [a-z_() ]*double @_Z8exported"));
  EXPECT_THAT(Text, testing::ContainsRegex(Embedded + "double @_ZL5local"));
}

/// The declaration of a static function must not be taken for one of the C library.
TEST_F(Bitcode, StaticFunctionsAreNotOfTheLibrary) {
  const std::string Loop = "__attribute__((noinline)) void f(double *a, int n) {\n"
                           "  for (int i = 0; i < n; i++) a[i] = pow(a[i], n);\n}\n"
                           "double x[9];\nint main(void) { f(x, 9); }\n";
  const std::string OwnPow = "__attribute__((noinline, optnone)) static double pow(double a, "
                             "double b) { return a - b; }\n";
  const auto AttributesOfPow = [&] {
    const std::string Text = disassemble("a.c", "f.specrt.0", "-lm");
    std::smatch Group, Attributes;
    EXPECT_TRUE(std::regex_search(Text, Group, std::regex("declare .*double @pow\\(.*(#[0-9]+)")));
    EXPECT_TRUE(
        std::regex_search(Text, Attributes, std::regex("attributes " + Group.str(1) + " = .*")));
    return Attributes.str();
  };
  write("a.c", OwnPow + Loop);
  EXPECT_THAT(AttributesOfPow(), HasSubstr(" nobuiltin "));
  write("a.c", "double pow(double, double);\n" + Loop);
  EXPECT_THAT(AttributesOfPow(), Not(HasSubstr(" nobuiltin ")));
}

TEST_F(Bitcode, FullDebugInfoIsReducedToLines) {
  write("a.c", Source);
  std::string Text = disassemble("a.c", "f.specrt.0", "-g");
  EXPECT_THAT(Text, HasSubstr("DILocation(line: 7"));
  EXPECT_THAT(Text, Not(HasSubstr("DILocalVariable")));
  EXPECT_THAT(Text, Not(HasSubstr("DIBasicType")));
  EXPECT_THAT(Text, Not(HasSubstr(Folder.string())));
}

TEST_F(Bitcode, KeepsLoopAndAliasMetadata) {
  write("a.c",
        "__attribute__((noinline)) void f(double *restrict a, const double *restrict b, int n) {\n"
        "#pragma clang loop vectorize_width(4)\n"
        "  for (int i = 0; i < n; i++) a[i] = b[i] * 2;\n}\n"
        "double x[9], y[9];\nint main(void) { f(x, y, 9); }\n");
  std::string Text = disassemble("a.c", "f.specrt.0");
  EXPECT_THAT(Text, HasSubstr("llvm.loop.vectorize.width"));
  EXPECT_GE(count(Text, "ptr noalias"), 2u);
}

TEST_F(Bitcode, IsDeterministic) {
  write("one/a.c", Source);
  write("two/a.c", Source);
  write("more.c", std::string("static double unrelated(double q) { return q / 3; }\n"
                              "double (*keep)(double) = unrelated;\n#line 1 \"a.c\"\n") +
                      Source);
  std::string First = hash("cd one && $CC -O2 a.c");
  EXPECT_EQ(First.size(), 32u);
  EXPECT_EQ(First, hash("cd one && $CC -O2 a.c"));
  EXPECT_EQ(First, hash("cd two && $CC -O2 a.c"));
  EXPECT_EQ(First, hash("$CC -O2 more.c"));
  EXPECT_NE(First, hash("cd one && $CC -O2 -mavx a.c"));
}

} // namespace
