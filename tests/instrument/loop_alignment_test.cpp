//===- tests/instrument/loop_alignment_test.cpp - where loops start -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/instrument/toolchain.h"

using namespace specrt;

namespace {

class LoopAlignmentTest : public ToolchainTest {
protected:
  /// Returns how many places of the compiled file are aligned to 2 to the power of \p Log2 bytes.
  unsigned aligned(unsigned Log2, const std::string &Flags) {
    check("$CC -S a.c -o a.s " + Flags);
    return count(read("a.s"), "\t.p2align\t" + std::to_string(Log2) + "\n");
  }
};

// A loop that clang unrolls: two innermost loops.
constexpr const char *Sums = "double sum(const double *a, long n, long m) {\n"
                             "  double s = 0;\n"
                             "  for (long i = 0; i < n; ++i)\n"
                             "    for (long j = 0; j < m; ++j)\n"
                             "      s = s * a[i * m + j] + 1;\n"
                             "  return s;\n}\n";

TEST_F(LoopAlignmentTest, InnermostLoopsBeginAtCacheLines) {
  write("a.c", Sums);
  check("$CLANG -O3 -S a.c -o plain.s");
  EXPECT_EQ(count(read("plain.s"), "\t.p2align\t6\n"), 0u);
  EXPECT_EQ(aligned(6, "-O3"), 2u);
}

TEST_F(LoopAlignmentTest, CodeThatIsOptimizedForSizeStays) {
  write("a.c", Sums);
  EXPECT_EQ(aligned(6, "-Os"), 0u);
  write("a.c", std::string("__attribute__((minsize)) ") + Sums);
  EXPECT_EQ(aligned(6, "-O3"), 0u);
}

TEST_F(LoopAlignmentTest, ModulesWithoutRegionsStay) {
  write("a.c",
        "long length(const char *s) {\n  long n = 0;\n  while (s[n]) ++n;\n  return n;\n}\n");
  EXPECT_EQ(aligned(6, "-O3"), 0u);
}

TEST_F(LoopAlignmentTest, AlignmentOfTheProgramsOwnStays) {
  std::string Text = Sums;
  Text.insert(Text.find("    for (long j"), "    [[clang::code_align(128)]]\n");
  write("a.c", Text);
  EXPECT_GE(aligned(7, "-O3 -std=c23"), 1u);
}

} // namespace
