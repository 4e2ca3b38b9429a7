//===- tests/polyhedral/random_stencils_test.cpp - time tiling of random stencils ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random nests of one to three statements per time step, in one to three dimensions, in place or
// not, some of them on a border only. Whatever is tiled, serially or in parallel, must give the
// bits of the source. FUZZ_SEEDS=<first>-<last> runs other seeds than the default ones.

#include "specializer/strategies/time_tiles.h"
#include "tests/fuzz/seeds.h"
#include "tests/polyhedral/generated_nests.h"
#include "tests/polyhedral/nest_operands.h"
#include <gtest/gtest.h>
#include <random>

using namespace specrt;

namespace {

class RandomStencil {
public:
  explicit RandomStencil(unsigned Seed) : Random(Seed) {
    Dims = between(1, 3);
    constexpr long Most[] = {1500, 70, 24};
    for (long D = 0; D < Dims; ++D)
      Extents.push_back(between(Dims == 1 ? 200 : 10, Most[Dims - 1]));
    Reach = between(1, 4) == 1 ? 2 : 1;
    NumArrays = between(1, 3);
  }

  std::string source() {
    std::string Body;
    for (long S = 0, NumStatements = between(1, 3); S < NumStatements; ++S)
      Body += loopNest();
    // "restrict" lets LLVM keep values in registers from one iteration to the next.
    return "void nest(long n, long m, long p, double *restrict A, double *restrict B,\n"
           "          double *restrict C) {\n"
           "  for (long t = 0; t < " +
           std::to_string(between(2, 20)) + "; t++) {\n" + Body + "  }\n}\n";
  }

  /// Of any shape and size, some of them too large or not possible at all.
  TimeTiles tiles() {
    TimeTiles Tiles;
    Tiles.Shape = between(0, 2) ? TileShape::Pipelined : TileShape::Diamond;
    Tiles.Height = between(1, 24);
    for (long Extent : Extents)
      Tiles.Widths.push_back(between(0, 3) ? between(1, std::min(Extent, 60L)) : 0);
    return Tiles;
  }

  /// Sizes whose operands hold the grid.
  Sizes sizes() const {
    long Points = 1;
    for (long Extent : Extents)
      Points *= Extent;
    return {Points, 1, 1};
  }

private:
  long between(long Low, long High) {
    return std::uniform_int_distribution<long>(Low, High)(Random);
  }
  const char *variable(long D) const { return &"i\0j\0k"[2 * D]; }

  /// The element at a random distance from the point of the loops.
  std::string element(char Array, bool AtPoint) {
    std::string Index;
    for (long D = 0; D < Dims; ++D) {
      long Offset = AtPoint || between(0, 9) < 4 ? 0 : between(-Reach, Reach);
      std::string Term = variable(D) + std::string(" + ") + std::to_string(Offset);
      Index = D == 0 ? Term : "(" + Index + ") * " + std::to_string(Extents[D]) + " + " + Term;
    }
    return std::string(1, Array) + "[" + Index + "]";
  }

  std::string loopNest() {
    char Written = char('A' + between(0, NumArrays - 1));
    std::string Sum;
    for (long T = 0, NumTerms = between(1, 5); T < NumTerms; ++T)
      Sum += (T ? " + " : "") + element(char('A' + between(0, NumArrays - 1)), false);
    std::string Statement = element(Written, between(0, 9) > 0) + " = 0.3 * (" + Sum + ")";
    Statement += between(0, 4) == 0 ? " / 3.0;" : ";";
    // Copies become calls, and loops again.
    if (between(0, 5) == 0)
      Statement = element(Written, true) + " = " +
                  element(char('A' + between(0, NumArrays - 1)), between(0, 1)) + ";";
    bool OnBorder = Dims > 1 && between(0, 6) == 0;
    std::string Loops;
    for (long D = 0; D < Dims; ++D) {
      long First = Reach + between(0, 1), Last = Extents[D] - Reach - between(0, 1);
      if (D == 0 && OnBorder)
        Last = First + 1;
      Loops += std::string("    for (long ") + variable(D) + " = " + std::to_string(First) + "; " +
               variable(D) + " < " + std::to_string(Last) + "; " + variable(D) + "++)\n";
    }
    return Loops + "      " + Statement + "\n";
  }

  std::mt19937 Random;
  long Dims, Reach, NumArrays;
  std::vector<long> Extents;
};

/// Tiles the nest in \p IR and compares it with the source. True when it could be tiled. \p Tiles:
/// null, or those to use in place of the best ones.
bool checkTiled(const std::string &IR, const Sizes &S, bool Parallel, unsigned L2Bytes,
                const TimeTiles *Tiles = nullptr) {
  NestCompiler Reference(IR, "nest"), Candidate(IR, "nest");
  PolyhedralOptions Options;
  TimeTileStrategy Strategy(Tiles, nullptr);
  Options.Schedule = &Strategy;
  Options.Parallel = Parallel;
  Options.Target.VectorBytes = 16;
  Options.Target.L1Bytes = L2Bytes / 8;
  Options.Target.L2Bytes = L2Bytes;
  Options.Target.Threads = Parallel ? 4 : 1;
  PolyhedralResult Result = Candidate.specialize(S, Options);
  if (Result.NumGenerated == 0)
    return false;
  EXPECT_TRUE(haveSameResults(Reference.compile(), Candidate.compile(), S)) << Result.Notes;
  return true;
}

TEST(RandomStencils, GiveTheSameBitsInTiles) {
  GeneratedNests Nests;
  const std::vector<unsigned> Seeds = fuzz::seeds(1, 20);
  unsigned NumTiled = 0, NumOddlyTiled = 0;
  for (unsigned Seed : Seeds) {
    RandomStencil Stencil(Seed);
    std::string Source = Stencil.source();
    SCOPED_TRACE("seed " + std::to_string(Seed) + "\n" + Source);
    std::string IR = Nests.compile(Source, "-ffp-contract=off");
    ASSERT_FALSE(IR.empty());
    unsigned L2Bytes = 2048U << (Seed % 4);
    for (bool Parallel : {false, true}) {
      NumTiled += checkTiled(IR, Stencil.sizes(), Parallel, L2Bytes);
      TimeTiles Tiles = Stencil.tiles();
      NumOddlyTiled += checkTiled(IR, Stencil.sizes(), Parallel, L2Bytes, &Tiles);
    }
  }
  EXPECT_GE(NumTiled, Seeds.size() / 3)
      << "too few nests could be contraction for the test to mean much";
  EXPECT_GE(NumOddlyTiled, Seeds.size() / 5);
}

} // namespace
