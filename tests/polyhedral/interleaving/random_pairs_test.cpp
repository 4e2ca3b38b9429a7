//===- tests/polyhedral/interleaving/random_pairs_test.cpp - random producers and consumers ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two or three nests with random stencils over three arrays, each of which may read what others
// write and overwrite what others read. Interleaved, serially or in parallel, they must give the
// bits of the source, and no smaller offset than the one that is taken may be legal: offsets are
// compared with those that a simulation of all iterations finds. FUZZ_SEEDS=<first>-<last> runs
// other seeds than the default ones.
//
//===----------------------------------------------------------------------===//
#include "tests/fuzz/seeds.h"
#include "tests/polyhedral/generated_nests.h"
#include "tests/polyhedral/nest_operands.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <regex>

using namespace specrt;

namespace {

constexpr long Rows = 40, Columns = 52, Reach = 3;

/// An element relative to the row and column of an iteration.
struct Place {
  char Array;
  long Row, Column;
};

/// Loops over rows and columns from First to Last.
struct RandomNest {
  long FirstRow, LastRow, FirstColumn, LastColumn, RowStep;
  Place Written;
  std::vector<Place> Read;

  std::string element(const Place &At) const {
    return std::string(1, At.Array) + "[(" + std::to_string(RowStep) + " * i + " +
           std::to_string(At.Row) + ") * " + std::to_string(Columns) + " + j + " +
           std::to_string(At.Column) + "]";
  }
  std::string source() const {
    std::string Sum;
    for (const Place &At : Read)
      Sum += (Sum.empty() ? "" : " + ") + element(At);
    return "  for (long i = " + std::to_string(FirstRow) + "; i < " + std::to_string(LastRow) +
           "; i++)\n    for (long j = " + std::to_string(FirstColumn) + "; j < " +
           std::to_string(LastColumn) + "; j++)\n      " + element(Written) + " = 0.3 * (" + Sum +
           ");\n";
  }
};

class RandomPair {
public:
  explicit RandomPair(unsigned Seed) : Random(Seed) {
    for (long N = 0, E = between(2, 3); N < E; ++N) {
      const long Step = between(0, 6) == 0 ? 2 : 1;
      const long First = Reach + between(0, 2);
      const auto Element = [&](char Array) {
        return Place{Array, between(-Reach, Reach), between(-Reach, Reach)};
      };
      RandomNest Nest{First,
                      (Rows - Reach - between(0, 2)) / Step,
                      Reach + between(0, 2),
                      Columns - Reach - between(0, 2),
                      Step,
                      Element(char('A' + (N + between(0, 1)) % 3)),
                      {}};
      for (long R = 0, NumRead = between(1, 4); R < NumRead; ++R)
        Nest.Read.push_back(Element(char('A' + between(0, 2))));
      Nests.push_back(Nest);
    }
  }

  std::string source() const {
    std::string Body;
    for (const RandomNest &Nest : Nests)
      Body += Nest.source();
    return "void nest(long n, long m, long p, double *restrict A, double *restrict B,\n"
           "          double *restrict C) {\n" +
           Body + "}\n";
  }

  size_t numNests() const { return Nests.size(); }

  /// The least row offset of each nest for these grains, by comparing all rows.
  std::vector<long> leastOffsets(const std::vector<long> &Grains) const {
    std::vector<long> Offsets;
    for (size_t B = 0; B < Grains.size(); ++B) {
      long Least = 0;
      for (size_t A = 0; A < B; ++A)
        Least = std::max(Least, Offsets[A] + delay(Nests[A], Grains[A], Nests[B], Grains[B]));
      Offsets.push_back(Least);
    }
    return Offsets;
  }

private:
  /// By how much a row of \p Second must come later than its grain says. Columns always meet: the
  /// nests are wider than all distances together.
  static long delay(const RandomNest &First, long FirstGrain, const RandomNest &Second,
                    long SecondGrain) {
    long Most = -1'000'000;
    const auto Meet = [&](const Place &One, const Place &Other) {
      if (One.Array != Other.Array)
        return;
      for (long I = First.FirstRow; I < First.LastRow; ++I)
        for (long K = Second.FirstRow; K < Second.LastRow; ++K)
          if (First.RowStep * I + One.Row == Second.RowStep * K + Other.Row)
            Most = std::max(Most, FirstGrain * (I - First.FirstRow) -
                                      SecondGrain * (K - Second.FirstRow));
    };
    Meet(First.Written, Second.Written);
    for (const Place &Read : Second.Read)
      Meet(First.Written, Read);
    for (const Place &Read : First.Read)
      Meet(Read, Second.Written);
    return Most;
  }
  long between(long Low, long High) {
    return std::uniform_int_distribution<long>(Low, High)(Random);
  }

  std::mt19937 Random;
  std::vector<RandomNest> Nests;
};

/// Row offsets and grains from a note.
bool parse(const std::string &Notes, std::vector<long> &Offsets, std::vector<long> &Grains) {
  const size_t At = Notes.find(", at ");
  if (At == std::string::npos)
    return false;
  const std::string Text = Notes.substr(At, Notes.find_first_of(";\n", At) - At);
  const std::regex Position(R"(\[(\d+)(?:\+(\d+)k)?)");
  for (std::sregex_iterator I(Text.begin(), Text.end(), Position), E; I != E; ++I) {
    Offsets.push_back(std::stol((*I)[1]));
    Grains.push_back((*I)[2].matched ? std::stol((*I)[2]) : 1);
  }
  return !Offsets.empty();
}

TEST(RandomPairs, GiveTheSameBitsAtTheLeastOffsets) {
  GeneratedNests Nests;
  const std::vector<unsigned> Seeds = fuzz::seeds(1, 40);
  const Sizes S = {Rows, Columns, 1};
  unsigned NumInTurn = 0, NumParallel = 0;
  for (const unsigned Seed : Seeds) {
    const RandomPair Pair(Seed);
    SCOPED_TRACE("seed " + std::to_string(Seed) + "\n" + Pair.source());
    const std::string IR = Nests.compile(Pair.source(), "-ffp-contract=off");
    ASSERT_FALSE(IR.empty());
    for (const unsigned Threads : {1U, 4U}) {
      NestCompiler Reference(IR, "nest"), Candidate(IR, "nest");
      PolyhedralOptions Options;
      Options.Schedule = findStrategy(StrategyId::Pipeline);
      Options.Parallel = Threads > 1;
      Options.Target.L1Bytes = 256U << (Seed % 4);
      Options.Target.L2Bytes = Options.Target.L1Bytes * 8;
      Options.Target.VectorBytes = 16;
      Options.Target.Threads = Threads;
      const PolyhedralResult Result = Candidate.specialize(S, Options);
      if (Result.NumGenerated == 0)
        continue;
      EXPECT_TRUE(haveSameResults(Reference.compile(), Candidate.compile(), S)) << Result.Notes;
      std::vector<long> Offsets, Grains;
      ASSERT_TRUE(parse(Result.Notes, Offsets, Grains)) << Result.Notes;
      // One of three nests may stay outside.
      if (Offsets.size() == Pair.numNests())
        EXPECT_EQ(Offsets, Pair.leastOffsets(Grains)) << Result.Notes;
      ++NumInTurn;
      NumParallel += Result.NumParallel > 0;
    }
  }
  EXPECT_GE(NumInTurn, Seeds.size() / 2) << "too few to mean much";
  EXPECT_GE(NumParallel, Seeds.size() / 8);
}

/// Pictures, one after the other: a first stage fills A, others use random rows of it, or multiply
/// it with a matrix. A may get memory for some rows, or for each thread, unless a kernel uses it.
std::string pictures(unsigned Seed) {
  std::mt19937 Random(Seed);
  const auto Between = [&](long Low, long High) {
    return std::uniform_int_distribution<long>(Low, High)(Random);
  };
  const auto Text = [](long Number) { return std::to_string(Number); };
  const std::string Row = Text(Columns), Picture = Text(Rows * Columns);
  std::string Body = "    for (long i = 0; i < " + Text(Rows) +
                     "; i++)\n      for (long j = 0; j < " + Row + "; j++)\n        A[i * " + Row +
                     " + j] = 0.5 * C[" + (Between(0, 1) ? "f * " + Picture + " + " : "") + "i * " +
                     Row + " + j] + f;\n";
  for (long N = 0, NumNests = Between(1, 2); N < NumNests; ++N) {
    const std::string To = std::string(1, N == 0 ? 'B' : 'C') + "[(8 + f) * " + Picture;
    if (Between(0, 2) == 0) {
      Body += "    for (long i = 0; i < " + Text(Rows) + "; i++)\n      for (long k = 0; k < " +
              Row + "; k++)\n        for (long j = 0; j < 20; j++)\n          " + To +
              " + i * 20 + j] += A[i * " + Row + " + k] * C[k * 20 + j];\n";
      continue;
    }
    std::string Sum;
    for (long T = 0, NumTerms = Between(1, 3); T < NumTerms; ++T)
      Sum += std::string(T ? " + " : "") + "A[(i + " + Text(Between(-Reach, Reach)) + ") * " + Row +
             " + j + " + Text(Between(-Reach, Reach)) + "]";
    Body += "    for (long i = " + Text(Reach) + "; i < " + Text(Rows - Reach) +
            "; i++)\n      for (long j = " + Text(Reach) + "; j < " + Text(Columns - Reach) +
            "; j++)\n        " + To + " + i * " + Row + " + j] = " + Sum + ";\n";
  }
  return "void nest(long n, long m, long p, double *A, double *B, double *C) {\n"
         "  for (long f = 0; f < " +
         Text(Between(1, 6)) + "; f++) {\n" + Body + "  }\n}\n";
}

TEST(RandomPictures, GiveTheSameBits) {
  GeneratedNests Nests;
  const std::vector<unsigned> Seeds = fuzz::seeds(1, 24);
  const Sizes S = {Rows, Columns, 1}; // operands have Rows * Columns * Columns elements
  unsigned NumInTurn = 0, NumSmall = 0, NumKernels = 0;
  for (const unsigned Seed : Seeds) {
    const std::string Source = pictures(Seed);
    SCOPED_TRACE("seed " + std::to_string(Seed) + "\n" + Source);
    const std::string IR = Nests.compile(Source, "-ffp-contract=off");
    ASSERT_FALSE(IR.empty());
    for (const unsigned Threads : {1U, 4U}) {
      NestCompiler Reference(IR, "nest"), Candidate(IR, "nest");
      PolyhedralOptions Options;
      Options.Schedule = findStrategy(StrategyId::Pipeline);
      Options.Parallel = Threads > 1;
      Options.Target.L1Bytes = 1024U << (Seed % 3);
      Options.Target.L2Bytes = Options.Target.L1Bytes * 8;
      Options.Target.VectorBytes = 16;
      Options.Target.Threads = Threads;
      const PolyhedralResult Result = Candidate.specialize(S, Options);
      if (Result.NumGenerated == 0)
        continue;
      EXPECT_TRUE(haveSameResults(Reference.compile(), Candidate.compile(), S)) << Result.Notes;
      ++NumInTurn;
      NumSmall += !Result.Storage.empty();
      NumKernels += Result.NumKernels > 0;
    }
  }
  EXPECT_GE(NumInTurn, Seeds.size());
  EXPECT_GE(NumSmall, Seeds.size() / 6);
  EXPECT_GE(NumKernels, Seeds.size() / 6);
}

} // namespace
