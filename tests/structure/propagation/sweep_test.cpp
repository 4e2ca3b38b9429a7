//===- tests/structure/propagation/sweep_test.cpp - programs that are hard to evaluate ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What propagation says of usual programs is tested with compiled code (tests/papers/zeros).
//
//===----------------------------------------------------------------------===//
#include "structure/propagation/propagation.h"
#include "structure/propagation/zero_terms.h"
#include <gtest/gtest.h>

using namespace specrt;

namespace {

AffineValue affine(int64_t Constant, std::vector<int64_t> Loops) {
  return {Constant, std::move(Loops), {}};
}

/// X[..] = the value of an expression over Y[..], for counters from 0 to \p Last.
struct OneStatement {
  DenseProgram Program;
  DenseStatement S;

  OneStatement(std::vector<AffineValue> Written, std::vector<AffineValue> Read,
               std::vector<int64_t> Last) {
    const auto Rank = [](const auto &Subscripts) {
      return static_cast<unsigned>(Subscripts.size());
    };
    Program.Arrays = {{"X", Rank(Written), {}, false}, {"Y", Rank(Read), {}, false}};
    S.Name = "S";
    S.Depth = static_cast<unsigned>(Last.size());
    S.Domain.emplace_back();
    for (size_t K = 0; K < Last.size(); ++K) {
      std::vector<int64_t> Up(Last.size()), Down(Last.size());
      Up[K] = 1;
      Down[K] = -1;
      S.Domain[0].push_back(affine(0, Up));
      S.Domain[0].push_back(affine(Last[K], Down));
    }
    S.Write = {0, std::move(Written)};
    S.Reads = {{1, std::move(Read)}};
    S.Value.read(0);
  }

  PropagationResult run(std::vector<ArrayStructure> Inputs, uint64_t MaxSteps = 1000000) {
    Program.Statements = {S};
    Program.Items = {{false, 0, {}}};
    for (unsigned K = 0; K < S.Depth; ++K)
      Program.Items = {{true, 0, Program.Items}};
    return propagate(Program, std::move(Inputs), MaxSteps);
  }
};

/// Terms share nothing: this one would have more parts than there is memory.
TEST(Sweep, PowersBySquaresAreNonzeroEverywhere) {
  OneStatement Of({affine(0, {1})}, {affine(0, {1})}, {9});
  for (int I = 0; I < 50; ++I)
    Of.S.Value.apply(DenseOp::Multiply, Of.S.Value.root(), Of.S.Value.root());
  EXPECT_EQ(zeroTerm(Of.S, {false, false}).K, ZeroTerm::Kind::Always);
}

/// Boxes have bounds of 32 bits.
TEST(Sweep, WhatIsFarAwayIsNotLeftOut) {
  const Boxes None;
  EXPECT_EQ(OneStatement({affine(0, {1})}, {affine(0, {1})}, {9}).run({None, None}).Error, "");
  for (const int64_t Far : {1'500'000'000, -1'500'000'000}) {
    EXPECT_NE(OneStatement({affine(Far, {1})}, {affine(0, {1})}, {9}).run({None, None}).Error, "");
    EXPECT_NE(OneStatement({affine(0, {1})}, {affine(Far, {1})}, {9}).run({None, None}).Error, "");
  }
  EXPECT_NE(
      OneStatement({affine(0, {0})}, {affine(0, {0})}, {3'000'000'000}).run({None, None}).Error,
      "");
  const int64_t Most = INT32_MAX;
  EXPECT_NE(OneStatement({affine(0, {Most, Most, Most, Most, Most, Most})}, {affine(0, {1})},
                         {Most, Most, Most, Most, Most, Most})
                .run({None, None})
                .Error,
            "");
}

/// Iterations that do nothing take time, too.
TEST(Sweep, LongLoopsAreGivenUp) {
  OneStatement Of({affine(0, {0})}, {affine(0, {1})}, {1 << 29});
  Of.S.Domain = {{affine(0, {1}), affine(0, {-1})},
                 {affine(-(1 << 29), {1}), affine(1 << 29, {-1})}};
  EXPECT_NE(Of.run({Boxes(), Boxes()}, 1000).Error, "");
}

/// A corner of a cube of 30000 ^ 3 elements.
TEST(Sweep, SetsOfTooManyBoxesAreGivenUp) {
  const int64_t Last = 30000;
  OneStatement Of({affine(0, {1}), affine(0, {0, 1}), affine(0, {0, 0, 1})}, {affine(0, {0})},
                  {Last, Last, Last});
  Of.S.Domain[0].push_back(affine(Last, {-1, -1, -1}));
  Of.S.Value.constant(1);
  EXPECT_NE(Of.run({Boxes(), Boxes()}).Error, "");
}

} // namespace
