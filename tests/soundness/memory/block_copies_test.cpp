//===- tests/soundness/memory/block_copies_test.cpp - nests that copy and fill blocks ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that copy or fill memory are calls when libspecrt sees them, and programs call std::copy
// and memmove themselves. Versions turn the calls into loops and order their elements anew.
//
//===----------------------------------------------------------------------===//
#include "tests/soundness/program_pair.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace specrt::soundness;
using testing::HasSubstr;

namespace {

/// A solver whose steps end with \p CopyBack, in functions of a class over vectors. Clang sees that
/// these are separate, and so makes a call of a loop that copies.
SourceFile plate(const std::string &CopyBack) {
  return {"program.cpp", R"(
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>
__attribute__((noinline)) static void print(const double *Values, int Number) {
  unsigned long Hash = 0;
  for (int I = 0; I < Number; ++I) {
    unsigned long Bits;
    std::memcpy(&Bits, &Values[I], sizeof Bits);
    Hash = Hash * 31 + Bits;
  }
  std::printf("%lx\n", Hash);
}
class Plate {
public:
  Plate(int Rows, int Columns)
      : Rows(Rows), Columns(Columns), Now(Rows * Columns), Next(Rows * Columns) {
    for (int I = 0; I < Rows; ++I)
      Now[I * Columns] = 100.0;
  }
  void run(int Steps) {
    for (int Step = 0; Step < Steps; ++Step) {
      for (int I = 1; I < Rows - 1; ++I)
        for (int J = 1; J < Columns - 1; ++J)
          Next[I * Columns + J] =
              0.25 * (Now[(I - 1) * Columns + J] + Now[(I + 1) * Columns + J] +
                      Now[I * Columns + J - 1] + Now[I * Columns + J + 1]);
      )" + CopyBack + R"(
    }
  }
  const double *data() const { return Now.data(); }
private:
  int Rows, Columns;
  std::vector<double> Now, Next;
};
int main() {
  Plate Copper(400, 400);
  for (int Round = 0; Round < 30; ++Round) { // on a loaded machine some rounds are not timed
    Copper.run(50);
    print(Copper.data(), 400 * 400);
  }
}
)"};
}

void expectTiledInTime(const std::string &CopyBack) {
  const ProgramPair Pair({plate(CopyBack)}, "-O3 -march=native");
  // On a loaded machine the program would end before a compile in the background.
  const Outcome First = Pair.expectSameBits({{"SPECRT_THREADS", "1"}, {"SPECRT_COMPILE", "sync"}});
  EXPECT_TRUE(ran(First, "time-tiled")) << First.Report.dump(2);
}

TEST(BlockCopies, RowsThatAreCopiedBackAreTiledInTime) {
  expectTiledInTime(R"(
      for (int I = 1; I < Rows - 1; ++I)
        for (int J = 1; J < Columns - 1; ++J)
          Now[I * Columns + J] = Next[I * Columns + J];)");
}

TEST(BlockCopies, AGridThatIsCopiedAtOnceIsTiledInTime) {
  expectTiledInTime("std::copy_n(Next.data(), Rows * Columns, Now.data());");
}

/// The same code meets arrays that are apart and arrays that are not.
constexpr const char *Shared = R"(
#include <stdio.h>
#include <string.h>
enum { N = 200000 }; // beyond the second cache, so that a version wins
static double room[4 * N];
__attribute__((noinline)) void sweep(double *now, double *next, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i < n - 1; ++i)
      next[i] = 0.5 * (now[i - 1] + now[i + 1]);
    memmove(now + 1, next + 1, (n - 2) * sizeof *now);
  }
}
int main(void) {
  for (int i = 0; i < 4 * N; ++i)
    room[i] = i * 7 % 23;
  for (int c = 0; c < 60; ++c) {
    sweep(room, room + 2 * N, N, 60);
    if (c % 3 == 0)
      sweep(room + N + c % 5, room + N + 3, N - 8, 3);
  }
  for (int i = 0; i < 4 * N; i += 97)
    printf("%a\n", room[i]);
}
)";

TEST(BlockCopies, ArraysThatAreMovedMayOverlapInSomeCalls) {
  expectGuarded(Shared, "-O3 -march=native", "sweep", "do not overlap");
}

/// Bytes of every kind: fills with numbers that are NaN as doubles, moves within an array in both
/// directions and by less than an element, lengths that are no multiple of anything.
constexpr const char *Blocks = R"(
#include <stdio.h>
#include <string.h>
enum { Rows = 40, Columns = 64 };
static double grid[Rows][Columns], copy[Rows][Columns], marks[Rows][Columns], seen[Rows][Columns];
static unsigned char bytes[Rows][Columns], more[Rows][Columns];
__attribute__((noinline)) void fill(int n, int m, int byte) {
  for (int i = 0; i < n; ++i) {
    memset(copy[i], byte, m * sizeof(double));
    memset(marks[n - 1 - i], -1, 24);
    for (int j = 0; j < m; ++j) {
      grid[i][j] = copy[i][j] + grid[i][j];
      seen[i][j] = marks[i][j];
    }
  }
}
__attribute__((noinline)) void shift(int n, int m, int by) {
  for (int i = 0; i < n; ++i) {
    memmove(&grid[i][1], &grid[i][0], (m - 1) * sizeof(double));
    memmove(&copy[i][0], &copy[i][1], (m - 1) * sizeof(double));
    memmove(&bytes[i][by], &bytes[i][0], m - by);
    memmove(&bytes[i][0], &bytes[i][3], m - 3);
    for (int j = 0; j < m; ++j)
      grid[i][j] += copy[i][j] * bytes[i][j];
  }
}
__attribute__((noinline)) void blur(int n, int m) {
  for (int i = 1; i < n - 1; ++i) {
    for (int j = 1; j < m - 1; ++j)
      more[i][j] = (bytes[i - 1][j] + bytes[i + 1][j] + bytes[i][j - 1] + bytes[i][j + 1]) / 4 + i;
    memcpy(&bytes[i][1], &more[i][1], m - 2);
  }
}
static void print(const void *data, size_t length) {
  unsigned long hash = 0;
  for (size_t i = 0; i < length; ++i)
    hash = hash * 31 + ((const unsigned char *)data)[i];
  printf("%lx\n", hash);
}
int main(int argc, char **argv) {
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < Columns; ++j) {
      grid[i][j] = i * 7 + j;
      bytes[i][j] = i * 11 + j;
    }
  for (int c = 0; c < 300; ++c) {
    fill(Rows, Columns - argc, c % 50 == 0 ? 0x40 : c % 3);
    shift(Rows, Columns - argc, 1 + c / 200);
    blur(Rows - 1, Columns - 2 * argc);
    print(grid, sizeof grid);
    print(copy, sizeof copy);
    print(seen, sizeof seen);
    print(bytes, sizeof bytes);
  }
}
)";

TEST(BlockCopies, BytesOfEveryKind) {
  ProgramPair(Blocks, "-O3 -march=native").expectSameBits();
  ProgramPair(Blocks, "-O1").expectSameBits({{"SPECRT_THREADS", "2"}});
}

} // namespace
