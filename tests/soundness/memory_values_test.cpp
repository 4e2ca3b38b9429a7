//===- tests/soundness/memory_values_test.cpp - sizes that live in memory ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a version assumes of the program's memory belongs to what it was made for: another value
// gets another version, in this run and in later ones.
//
//===----------------------------------------------------------------------===//
#include "tests/soundness/program_pair.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace specrt::soundness;
using specrt::e2e::compiles;
using specrt::e2e::expectSame;
using testing::HasSubstr;

namespace {

/// Calls the nest with rows of argument 1, and in turn of argument 2 unless that is 0.
constexpr const char *Source = R"(
#include <stdio.h>
#include <stdlib.h>
struct grid { int rows, stride, offset; };
/* What is stored could change the sizes. */
__attribute__((noinline)) void smooth(const struct grid *g, int *a, const int *b, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      a[i * g->stride + j + g->offset] = a[i * g->stride + j] / 2 + b[j * g->stride + i];
}
static int a[64 * 64], b[64 * 64];
int main(int argc, char **argv) {
  for (int i = 0; i < 64 * 64; ++i)
    b[i] = i * 7 % 1000;
  struct grid g = {1, atoi(argv[1]), 0};
  int other = atoi(argv[2]);
  for (int c = 0; c < 800000; ++c) {
    if (other && c % 10 == 0)
      g.stride = g.stride == other ? atoi(argv[1]) : other;
    g.offset = g.stride % 4;
    smooth(&g, a, b, 32);
  }
  long sum = 0;
  for (int i = 0; i < 64 * 64; ++i)
    sum += (long)a[i] * i;
  printf("%ld\n", sum);
}
)";

/// With SPECRT_HOT=0 nobody looks at calls that no version takes.
const Environment Soon = {{"SPECRT_HOT", "0.01"}};

/// What is wanted of memory by the versions that ran.
std::vector<std::string> valuesOf(const Outcome &O) {
  std::vector<std::string> Values;
  const auto Region = O.region("smooth");
  for (const auto &V : Region["versions"])
    if (V["hits"].get<uint64_t>() > 0)
      Values.push_back(V["values"].get<std::string>());
  return Values;
}

testing::Matcher<std::string> valuesFor(int Stride) {
  return testing::AllOf(HasSubstr("the 4 bytes at g + 4 == " + std::to_string(Stride)),
                        HasSubstr("the 4 bytes at g + 8 == " + std::to_string(Stride % 4)));
}

TEST(MemoryValues, EveryRunsSizeGetsItsVersion) {
  ProgramPair Program(Source, "-O3 -march=native");
  for (int N : {40, 51, 62}) {
    SCOPED_TRACE(N);
    const std::vector<std::string> Arguments = {std::to_string(N), "0"};
    Outcome Run = Program.with(Soon, Arguments);
    expectSame(Run, Program.plain(Arguments));
    EXPECT_THAT(valuesOf(Run), testing::Contains(valuesFor(N))) << Run.region("smooth").dump(1);
    EXPECT_GE(compiles(Run), 1);
  }
  // All of them are stored, each for its value.
  for (int N : {40, 51, 62}) {
    SCOPED_TRACE(N);
    const std::vector<std::string> Arguments = {std::to_string(N), "0"};
    Outcome Run = Program.with({{"SPECRT_HOT", "0.01"}, {"SPECRT_COMPILE", "off"}}, Arguments);
    expectSame(Run, Program.plain(Arguments));
    EXPECT_THAT(valuesOf(Run), testing::Contains(valuesFor(N))) << Run.region("smooth").dump(1);
  }
}

TEST(MemoryValues, TwoSizesInTurnGetTwoVersions) {
  ProgramPair Program(Source, "-O3 -march=native");
  const std::vector<std::string> Arguments = {"40", "51"};
  Outcome Run = Program.with(Soon, Arguments);
  expectSame(Run, Program.plain(Arguments));
  EXPECT_THAT(valuesOf(Run), testing::IsSupersetOf({valuesFor(40), valuesFor(51)}))
      << Run.region("smooth").dump(1);
}

/// The nest writes where its size may lie: it is right, and specialised where guards allow it.
TEST(MemoryValues, SizesThatTheNestChanges) {
  ProgramPair Program(R"(
#include <stdio.h>
struct list { int n; int data[63]; };
__attribute__((noinline)) void fill(struct list *l, int *to, int k) {
  for (int i = 0; i < l->n; ++i)
    to[i] = to[i] + k;
}
int main() {
  static struct list l = {40, {0}};
  long sum = 0;
  for (int c = 0; c < 3000; ++c) {
    l.n = 40 + c % 2;
    fill(&l, c % 3 ? l.data : &l.n, c % 5);
    sum += l.n * 31 + l.data[c % 40];
  }
  printf("%ld\n", sum);
}
)",
                      "-O2");
  Program.expectSameBits({}, /*NeedsVersion=*/false);
}

} // namespace
