//===- tests/soundness/irregular/scattered_test.cpp - updates where data decide ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/soundness/program_pair.h"
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

using namespace specrt::soundness;

namespace {

/// Clusters of points, forces between pairs, a likelihood with calls that set errno, and a
/// histogram. With an argument the forces are added to the places that they are computed from.
constexpr const char *Scatters = R"cpp(
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <vector>

using Point = std::array<double, 3>;

[[gnu::noinline]] static long cluster(const std::vector<Point> &Points, std::vector<Point> &Centres,
                                      std::vector<int> &Member) {
  std::vector<Point> Sums(Centres.size(), Point{});
  std::vector<long> Counts(Centres.size(), 0);
  long Changed = 0;
  for (size_t P = 0; P < Points.size(); ++P) {
    size_t Best = 0;
    double Least = INFINITY;
    for (size_t C = 0; C < Centres.size(); ++C) {
      double Distance = 0;
      for (int D = 0; D < 3; ++D)
        Distance += (Points[P][D] - Centres[C][D]) * (Points[P][D] - Centres[C][D]);
      if (Distance < Least) {
        Least = Distance;
        Best = C;
      }
    }
    if (Member[P] != int(Best))
      ++Changed;
    Member[P] = int(Best);
    ++Counts[Best];
    for (int D = 0; D < 3; ++D)
      Sums[Best][D] += Points[P][D];
  }
  for (size_t C = 0; C < Centres.size(); ++C)
    for (int D = 0; D < 3; ++D)
      if (Counts[C])
        Centres[C][D] = Sums[C][D] / Counts[C];
  return Changed;
}

[[gnu::noinline]] static void push(const std::vector<std::array<int, 2>> &Pairs, const double *Place,
                                   double *Force, int Steps) {
  for (const auto &[A, B] : Pairs) {
    double F = Place[A] - Place[B];
    for (int S = 0; S < Steps; ++S)
      F = F / (1.0 + F * F);
    Force[A] += F;
    Force[B] -= F;
  }
}

[[gnu::noinline]] static double likelihood(const std::vector<double> &X, double Mean, double Width) {
  double Sum = 0;
  for (double Each : X)
    Sum += std::log(0.125 + std::exp(-(Each - Mean) * (Each - Mean) / Width));
  return Sum;
}

[[gnu::noinline]] static void count(const std::vector<double> &X, double *Bins) {
  for (double Each : X)
    ++Bins[unsigned(64 * std::sin(Each) * std::sin(Each))];
}

int main(int argc, char **) {
  constexpr int N = 20000;
  unsigned S = 17;
  const auto Next = [&] { return S = S * 1664525u + 1013904223u, (S >> 8) / 16777216.0; };
  std::vector<Point> Points(N), Centres(12);
  for (Point &P : Points)
    P = {Next(), Next(), Next()};
  for (Point &P : Centres)
    P = {Next(), Next(), Next()};
  std::vector<int> Member(N, -1);
  std::vector<double> Place(N), Force(N);
  for (double &X : Place)
    X = 2 * Next() - 1;
  std::vector<std::array<int, 2>> Pairs(N);
  for (auto &P : Pairs)
    P = {int(Next() * N), int(Next() * N)};
  double Bins[65] = {};
  for (int Round = 0; Round < 12; ++Round) {
    std::printf("%ld %a\n", cluster(Points, Centres, Member), Centres[3][1]);
    push(Pairs, Place.data(), argc > 1 ? Place.data() : Force.data(), 20);
    errno = 0;
    std::printf("%a %d\n", likelihood(Place, 0.25, Round == 9 ? 0.0 : 0.5), errno);
    count(Place, Bins);
  }
  double Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += Force[I] * (I % 7) + Place[I] * (I % 5);
  std::printf("%a %a %a\n", Sum, Bins[0], Bins[63]);
}
)cpp";

struct Distributed {
  int Number = 0;   ///< of parallel candidates that keep values in memory
  int NumCalls = 0; ///< of log in one of them, at most
};

/// Returns what the folder of SPECRT_DUMP shows.
Distributed distributedIn(const std::filesystem::path &Dump) {
  Distributed Found;
  for (const auto &File : std::filesystem::recursive_directory_iterator(Dump))
    if (File.path().filename() == "source-order-parallel.after.ll") {
      std::ifstream In(File.path());
      std::stringstream Text;
      Text << In.rdbuf();
      const std::string Code = Text.str();
      Found.Number += Code.find("call noalias ptr @specrt_scratch_take") != std::string::npos;
      int NumCalls = 0;
      for (size_t At = 0; (At = Code.find("call double @log(", At)) != std::string::npos; ++At)
        ++NumCalls;
      Found.NumCalls = std::max(Found.NumCalls, NumCalls);
    }
  return Found;
}

TEST(Scattered, UpdatesKeepTheirOrder) {
  for (const char *Flags : {"-O3 -march=native -std=c++20", "-O2 -std=c++20"}) {
    SCOPED_TRACE(Flags);
    const ProgramPair Pair({{"program.cpp", Scatters}}, Flags);
    const std::filesystem::path Dump = Pair.box().path("dump");
    Pair.expectSameBits({{"SPECRT_DUMP", Dump.string()}, {"SPECRT_THREADS", "2"}});
    const Distributed Found = distributedIn(Dump);
    EXPECT_GE(Found.Number, 4);
    EXPECT_EQ(Found.NumCalls, 2) << "in the first loop and in that of the source";
  }
}

/// LLVM finds the length of a row in a value that an earlier loop has counted. The loop that counts
/// words has to execute that loop, too.
TEST(Scattered, LengthsMayComeFromEarlierLoops) {
  const ProgramPair Pair({{"program.c", R"(
#include <stdint.h>
#include <stdio.h>
enum { N = 700, M = 600, Pitch = 720 };
struct grid { int16_t *data; long pitch; };
static int16_t pool[3][Pitch * Pitch];
static int16_t *at(struct grid *g, long i, long j) { return g->data + i * g->pitch + j; }
__attribute__((noinline)) static void trapezoid(struct grid *A, struct grid *B, struct grid *C, short n, short m) {
  for (short i = 0; i < n; ++i)
    for (short k = 0; k < (i + 3 < m ? i + 3 : m); ++k) {
      if (i < 7)
        *at(B, i, k) = 0;
      *at(C, k + 6, i) = (int16_t)((31u ^ (uint32_t)k) > ((uint32_t)*at(A, i + 4, M + 3 - k) >> 1)
                                       ? 31u ^ (uint32_t)k
                                       : (uint32_t)*at(A, i + 4, M + 3 - k) >> 1);
    }
}
int main(void) {
  struct grid grids[3] = {{pool[0], Pitch}, {pool[1], Pitch}, {pool[2], Pitch}};
  for (int t = 0; t < 40; ++t) {
    for (int i = 0; i < Pitch * Pitch; ++i)
      pool[0][i] = (int16_t)(i * 7919 + t);
    trapezoid(&grids[0], &grids[1], &grids[2], N, M);
    long s = 0;
    for (int i = 0; i < Pitch * Pitch; ++i)
      s = s * 31 + pool[1][i] + pool[2][i];
    printf("%ld\n", s);
  }
}
)"}},
                         "-O3 -march=x86-64-v3");
  const std::filesystem::path Dump = Pair.box().path("dump");
  Pair.expectSameBits({{"SPECRT_DUMP", Dump.string()}, {"SPECRT_THREADS", "2"}});
  EXPECT_GE(distributedIn(Dump).Number, 1);
}

/// A first loop that reads what has not been written yet finds indices outside of the array,
/// divisors that are 0, and lengths that never end.
TEST(Scattered, WhatTheLoopWritesDecidesNothingBeforeItIsCompared) {
  const ProgramPair Pair({{"program.c", R"(
#include <stdio.h>
enum { N = 4000 };
static int first[N];
static double x[N], bins[64];
static int *volatile link = first;
static double slow(double y) {
  for (int r = 0; r < 20; ++r)
    y = y / (1.25 + y * y);
  return y;
}
/* What an iteration reads of from, the one before has written. */
__attribute__((noinline)) static void follow(int n, int *to, const int *from) {
  for (int i = 0; i < n; ++i) {
    to[i] = i * 7 % n;
    const double y = slow(x[from[i]]);
    bins[(int)(y * 1e6) & 63] += y;
  }
}
__attribute__((noinline)) static void divide(int n, int *to, const int *from) {
  for (int i = 0; i < n; ++i) {
    to[i] = i % 9 + 1;
    const double y = slow(x[i / from[i]]);
    bins[(int)(y * 1e6) & 63] += y;
  }
}
__attribute__((noinline)) static void repeat(int n, int *to, const int *from) {
  for (int i = 0; i < n; ++i) {
    to[i] = i % 9 + 1;
    double y = x[i];
    for (int r = 0; r < from[i]; ++r)
      y = y / (1.25 + y * y);
    bins[(int)(y * 1e6) & 63] += y;
  }
}
int main(void) {
  for (int i = 0; i < N; ++i)
    x[i] = (i * 37 % 101) * 0.01;
  for (int t = 0; t < 100; ++t) {
    for (int k = 0; k < 3; ++k) {
      int *const p = link;
      for (int i = 0; i < N; ++i)
        p[i] = k == 1 ? 0 : 1 << 30;
      p[0] = 3;
      (k == 0 ? follow : k == 1 ? divide : repeat)(N - 1, p + 1, p);
    }
    if (t % 20 == 0)
      printf("%a\n", bins[t % 64]);
  }
}
)"}},
                         "-O3 -march=native");
  for (const char *Threads : {"1", "2"})
    Pair.expectSameBits({{"SPECRT_THREADS", Threads}}, /*NeedsVersion=*/false);
}

/// Returns whether the folder of SPECRT_DUMP has a serial candidate with divisions in vectors.
bool hasVectorDivision(const std::filesystem::path &Dump) {
  for (const auto &File : std::filesystem::recursive_directory_iterator(Dump))
    if (File.path().filename() == "source-order.after.ll") {
      std::ifstream In(File.path());
      std::stringstream Text;
      Text << In.rdbuf();
      if (Text.str().find("fdiv <") != std::string::npos)
        return true;
    }
  return false;
}

TEST(Scattered, TermsOfASumInOrderFillVectors) {
  const ProgramPair Pair({{"program.c", R"(
#include <math.h>
#include <stdio.h>
enum { N = 3000 };
static double x[N], y[N], q[N];
__attribute__((noinline)) static double energy(int n, double start) {
  double e = start;
  for (int i = 0; i < n; i++)
    e += q[i] / sqrt(x[i] * x[i] + y[i] * y[i] + 0.1);
  return e;
}
int main(void) {
  for (int i = 0; i < N; i++)
    x[i] = (i * 37 % 101) * 0.01, y[i] = (i * 53 % 97) * 0.02, q[i] = i % 3 - 0.75;
  for (int t = 0; t < 600; t++) {
    printf("%a\n", energy(N - t % 2, t));
    x[t] -= 0.03;
  }
}
)"}},
                         "-O3 -march=native");
  const std::filesystem::path Dump = Pair.box().path("dump");
  Pair.expectSameBits({{"SPECRT_DUMP", Dump.string()}, {"SPECRT_THREADS", "1"}});
  EXPECT_TRUE(hasVectorDivision(Dump));
}

TEST(Scattered, UpdatesOfWhatIsReadKeepTheirOrder) {
  const ProgramPair Pair({{"program.cpp", Scatters}}, "-O3 -march=native -std=c++20");
  Pair.expectSameBits({{"SPECRT_THREADS", "2"}}, /*NeedsVersion=*/true, {"in place"});
}

} // namespace
