//===- tests/instrument/image_test.cpp - programs and libraries -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration per image: shared and static libraries, dlopen and dlclose, duplicates of inline
// functions, section garbage collection, calls before registration.
//
//===----------------------------------------------------------------------===//
#include "tests/instrument/toolchain.h"

using namespace specrt;
using testing::HasSubstr;

namespace {

class Image : public ToolchainTest {
protected:
  void SetUp() override {
    ToolchainTest::SetUp();
    write("lib.c", "void scale(double *a, int n) { for (int i = 0; i < n; i++) a[i] *= 2; }\n");
    write("main.c", "#include <stdio.h>\nvoid scale(double *, int);\n"
                    "__attribute__((noinline)) double sum(const double *a, int n) {\n"
                    "  double s = 0;\n  for (int i = 0; i < n; i++) s += a[i];\n  return s;\n}\n"
                    "double x[9] = {1, 2, 3};\n"
                    "int main(void) { scale(x, 9); printf(\"%g\\n\", sum(x, 9)); }\n");
  }
};

TEST_F(Image, SharedLibraryRegistersItsOwnRegions) {
  check("$CC -O2 -shared -fPIC lib.c -o liba.so && $CC -O2 main.c ./liba.so -o a");
  CommandResult Run = check("./a");
  EXPECT_EQ(Run.Out, "12\n");
  EXPECT_EQ(count(Run.Err, "register 1\n"), 4u); // two images, register and unregister
  EXPECT_THAT(Run.Err, HasSubstr("enter scale:1"));
  EXPECT_THAT(Run.Err, HasSubstr("enter sum:5"));
}

TEST_F(Image, StaticLibrary) {
  check("$CC -O2 -c lib.c && $TOOLS/llvm-ar rcs liba.a lib.o && $CC -O2 main.c -L. -la -o a");
  CommandResult Run = check("./a");
  EXPECT_EQ(Run.Out, "12\n");
  EXPECT_EQ(count(Run.Err, "unregister 2\n"), 1u);
}

TEST_F(Image, DlopenAndDlclose) {
  write("open.c", "#include <dlfcn.h>\n#include <stdio.h>\n"
                  "int main(void) {\n"
                  "  double x[9] = {1};\n"
                  "  for (int t = 0; t < 2; t++) {\n"
                  "    void *l = dlopen(\"./liba.so\", RTLD_NOW);\n"
                  "    if (!l) { puts(dlerror()); return 1; }\n"
                  "    ((void (*)(double *, int))dlsym(l, \"scale\"))(x, 9);\n"
                  "    dlclose(l);\n  }\n  printf(\"%g\\n\", x[0]);\n}\n");
  check("$CC -O2 -shared -fPIC lib.c -o liba.so && $CLANG -O2 open.c -o open");
  CommandResult Run = check("./open");
  EXPECT_EQ(Run.Out, "4\n");
  EXPECT_EQ(count(Run.Err, "unregister 1\n"), 2u);
  EXPECT_EQ(count(Run.Err, "enter scale:1"), 2u);
}

const char *const InlineHeader =
    "template <class T> __attribute__((noinline)) inline T total(const T *a, int n) {\n"
    "  T s = 0;\n  for (int i = 0; i < n; ++i) s += a[i] * i;\n  return s;\n}\n";

TEST_F(Image, InlineFunctionsHaveOneRegion) {
  write("h.h", InlineHeader);
  write("a.cpp", "#include \"h.h\"\ndouble other(const double *a);\n#include <cstdio>\n"
                 "double x[9] = {1, 1, 1};\n"
                 "int main() { std::printf(\"%g %g\\n\", total(x, 9), other(x)); }\n");
  write("b.cpp", "#include \"h.h\"\ndouble other(const double *a) { return total(a, 2); }\n");
  for (const char *Flags :
       {"", "-fuse-ld=lld", "-ffunction-sections -fdata-sections -Wl,--gc-sections",
        "-fuse-ld=lld -ffunction-sections -fdata-sections -Wl,--gc-sections"}) {
    check(std::string("$CXX -O2 ") + Flags + " a.cpp b.cpp -o a");
    CommandResult Run = check("./a");
    EXPECT_EQ(Run.Out, "3 1\n") << Flags;
    EXPECT_EQ(count(Run.Err, "region total:3"), 1u) << Flags;
    EXPECT_EQ(count(Run.Err, "enter total:3"), 2u) << Flags;
  }
}

TEST_F(Image, GarbageCollection) {
  write("dead.c", "void dead(double *a, int n) { for (int i = 0; i < n; i++) a[i] *= 9; }\n"
                  "void scale(double *a, int n) { for (int i = 0; i < n; i++) a[i] *= 2; }\n");
  for (const char *Linker : {"", "-fuse-ld=lld"}) {
    check(std::string("$CC -O2 -ffunction-sections -fdata-sections -Wl,--gc-sections ") + Linker +
          " main.c dead.c -o a");
    CommandResult Run = check("./a");
    EXPECT_EQ(Run.Out, "12\n");
    EXPECT_EQ(count(Run.Err, "region scale:2"), 1u) << Linker;
    // GNU ld keeps whatever __start_ symbols could reach.
    if (*Linker)
      EXPECT_EQ(count(Run.Err, "region dead:1"), 0u);
  }
}

TEST_F(Image, ConstructorsFindRegionsRegistered) {
  write("c.cpp", "#include <cstdio>\ndouble x[9];\n"
                 "struct Filler { Filler() { for (double &v : x) v = 1; sum(); }\n"
                 "  __attribute__((noinline)) void sum();\n  ~Filler() { sum(); } };\n"
                 "void work(double *a, int n);\n"
                 "void Filler::sum() { work(x, 9); std::printf(\"%g\\n\", x[0]); }\n"
                 "Filler f;\nint main() {}\n");
  write("w.cpp", "void work(double *a, int n) { for (int i = 0; i < n; i++) a[i] *= 2; }\n");
  check("$CXX -O2 c.cpp w.cpp -o a");
  CommandResult Run = check("./a");
  EXPECT_EQ(Run.Out, "2\n4\n");
  EXPECT_LT(Run.Err.find("register"), Run.Err.find("enter work:1"));
  EXPECT_GT(Run.Err.find("unregister"), Run.Err.rfind("enter work:1"));
}

TEST_F(Image, CallsBeforeRegistrationRunInPlace) {
  // Runs before every constructor of the image, so before the region is registered.
  write("early.c",
        "void scale(double *, int);\nstatic double x[9] = {1};\n"
        "static void early(void) { scale(x, 9); }\n"
        "__attribute__((section(\".preinit_array\"), used)) static void (*hook)(void) = early;\n"
        "int main(void) { return x[0] != 2; }\n");
  check("$CC -O2 early.c lib.c -o a");
  CommandResult Run = check("./a");
  EXPECT_THAT(Run.Err, HasSubstr("region scale:1"));
  EXPECT_THAT(Run.Err, Not(HasSubstr("enter scale:1")));
}

TEST_F(Image, ThrowingThroughOtherCodeStillWorks) {
  write("t.cpp", "#include <cstdio>\n#include <stdexcept>\n"
                 "__attribute__((noinline)) double f(double *a, int n) {\n"
                 "  for (int i = 0; i < n; i++) a[i] += 1;\n"
                 "  if (n > 5) throw std::runtime_error(\"five\");\n  return a[0];\n}\n"
                 "int main() { double x[9] = {};\n  try { f(x, 3); f(x, 9); }\n"
                 "  catch (std::exception &e) { std::printf(\"%s %g\\n\", e.what(), x[0]); } }\n");
  check("$CXX -O2 t.cpp -o a");
  EXPECT_EQ(check("./a").Out, "five 2\n");
}

/// A function of another file leaves a nest with an exception. The handler, or the code that both
/// handler and nest lead to, uses what the nest has computed until then.
TEST_F(Image, NestsThatOtherFilesLeave) {
  write("a.cpp",
        "#include <cstdio>\n"
        "double other(int i, double x);\n"
        "__attribute__((noinline)) double last(double *a, int n) {\n"
        "  double last = 0; int k = 0;\n"
        "  try { do { last = a[k] * 3; a[k] += other(k, last); } while (++k < n); }\n"
        "  catch (...) {}\n  return last;\n}\n"
        "__attribute__((noinline)) int count(double *a, int n) {\n"
        "  int i = 0;\n"
        "  try { for (i = 0; i < n; i++) a[i] += other(i, a[i]); } catch (...) {}\n"
        "  return i * 3;\n}\n"
        "__attribute__((noinline)) double after(double *a, int n) {\n"
        "  double s = 0;\n"
        "  for (int t = 0; t < 3; t++) {\n"
        "    double m = 0;\n"
        "    try { for (int i = 0; i < n; i++) { m += a[i]; a[i] += other(i + t, a[i]); } }\n"
        "    catch (...) { s -= 1; continue; }\n"
        "    s += m;\n  }\n  return s;\n}\n"
        "int main() {\n"
        "  static double a[40];\n  for (int i = 0; i < 40; i++) a[i] = i;\n"
        "  std::printf(\"%a %d %a\\n\", last(a, 40), count(a, 40), after(a, 24)); }\n");
  write("b.cpp", "double other(int i, double x) { if (i == 25) throw 7; return x * 0.25; }\n");
  for (const char *Level : {"-O1", "-O2", "-Os"}) {
    check(std::string("$CXX ") + Level + " a.cpp b.cpp -o a && $CLANGXX " + Level +
          " a.cpp b.cpp -o plain && $CXX -S -emit-llvm " + Level +
          " a.cpp -o a.ll && $TOOLS/opt -passes=verify -disable-output a.ll");
    const std::string Plain = check("./plain").Out;
    EXPECT_EQ(check("./a").Out, Plain) << Level;
    EXPECT_EQ(check("SPECRT_STUB_UNSEEN=1 ./a").Out, Plain) << Level;
  }
}

} // namespace
