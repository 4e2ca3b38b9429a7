//===- tests/polyhedral/dataflow/on_demand_test.cpp - dataflow where data decide ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The listings of Verdoolaege, Nikolov, Stefanov, "On demand parametric array dataflow analysis".
// Its table 1 has more programs, which the paper does not print.
//
//===----------------------------------------------------------------------===//
#include "tests/polyhedral/dataflow/executed_program.h"
#include "gtest/gtest.h"
#include "isl/ctx.h"
#include "isl/map.h"
#include "isl/options.h"
#include "isl/set.h"
#include <memory>

using namespace specrt;

namespace {

class OnDemand : public testing::Test {
protected:
  OnDemand() : Context(isl_ctx_alloc(), isl_ctx_free) {
    isl_options_set_on_error(Context.get(), ISL_ON_ERROR_CONTINUE);
  }
  isl::map map(const std::string &Text) const { return isl::map(isl::ctx(Context.get()), Text); }
  isl::set set(const std::string &Text) const { return isl::set(isl::ctx(Context.get()), Text); }

  /// \p N is the number of iterations of all loops.
  ConditionalProgram listing1(int N) const;
  ConditionalProgram listing2(int N) const;
  ConditionalProgram listing3(int N) const;
  isl_ctx *context() const { return Context.get(); }
  void expectLastWriters(const ConditionalProgram &Of, std::vector<ProgramRead> Reads) const;
  std::vector<DataflowOfRead> flowsOf(const ConditionalProgram &Of,
                                      const std::vector<ProgramRead> &Reads,
                                      unsigned long MaxOperations) const;

private:
  std::unique_ptr<isl_ctx, decltype(&isl_ctx_free)> Context;
};

std::string below(const std::string &Dims, int N) {
  return " 0 <= " + Dims + " < " + std::to_string(N);
}

/// N1: n = f(); for k { M: m = g(); for i < m, j <= n { A: a[j][i] = g(); }
///                      for i < n, j < m { H: h(a[i + 1][j]); } N2: n = f(); }
ConditionalProgram OnDemand::listing1(int N) const {
  ConditionalProgram P;
  P.ValueBounds = {{"n", {0, N - 1}}, {"m", {0, N}}};
  P.Statements = {{set("{ N1[] }"), {0}, {}, {map("{ N1[] -> n[] }")}},
                  {set("{ M[k] :" + below("k", N) + " }"), {1, 0}, {}, {map("{ M[k] -> m[] }")}},
                  {set("{ A[k, i, j] :" + below("k, i, j", N) + " }"),
                   {1, 1, 0, 0},
                   {{map("{ A[k, i, j] -> m[] }"), map("{ A[k, i, j] -> n[] }")},
                    map("{ A[k, i, j] -> [m, n] : i < m and j <= n }")},
                   {map("{ A[k, i, j] -> a[j, i] }")}},
                  {set("{ H[k, i, j] :" + below("k, j", N) + " and" + below("i", N - 1) + " }"),
                   {1, 2, 0, 0},
                   {{map("{ H[k, i, j] -> n[] }"), map("{ H[k, i, j] -> m[] }")},
                    map("{ H[k, i, j] -> [n, m] : i < n and j < m }")},
                   {}},
                  {set("{ N2[k] :" + below("k", N) + " }"), {1, 3}, {}, {map("{ N2[k] -> n[] }")}}};
  return P;
}

/// state = 0; while (1) { S0: t(state)? D: state = ...  : { C: state = ..., value0 = ...;
///                        V1: value1 = f(value0); V2: g(value1); } }
ConditionalProgram OnDemand::listing2(int N) const {
  const std::string Domain = N > 0 ? "[i] :" + below("i", N) + " }" : "[i] : i >= 0 }";
  const auto If = [&](const std::string &Name, int Value) {
    return IterationFilter{{map("{ " + Name + "[i] -> t0[i] }")},
                           map("{ " + Name + "[i] -> [" + std::to_string(Value) + "] }")};
  };
  ConditionalProgram P;
  P.ValueBounds = {{"t0", {0, 1}}};
  P.Statements = {{set("{ I[] }"), {0}, {}, {map("{ I[] -> state[] }")}},
                  {set("{ S0" + Domain), {1, 0}, {}, {map("{ S0[i] -> t0[i] }")}},
                  {set("{ D" + Domain), {1, 1}, If("D", 1), {map("{ D[i] -> state[] }")}},
                  {set("{ C" + Domain),
                   {1, 2},
                   If("C", 0),
                   {map("{ C[i] -> state[] }"), map("{ C[i] -> value0[] }")}},
                  {set("{ V1" + Domain), {1, 3}, If("V1", 0), {map("{ V1[i] -> value1[] }")}},
                  {set("{ V2" + Domain), {1, 4}, If("V2", 0), {}}};
  return P;
}

/// for x { S1: s = f(); for (y = 0; P(x, y); ++y) { S2: s = g(s); } R: h(s); }
ConditionalProgram OnDemand::listing3(int N) const {
  const std::string Inner = N > 0 ? below("y", N) : " y >= 0";
  const std::string Outer = N > 0 ? below("x", N) : " 0 <= x < n";
  const std::string Sizes = N > 0 ? "" : "[n] -> ";
  ConditionalProgram P;
  P.ValueBounds = {{"t0", {0, 1}}};
  P.Statements = {{set(Sizes + "{ S1[x] :" + Outer + " }"), {0, 0}, {}, {map("{ S1[x] -> s[] }")}},
                  {set(Sizes + "{ S2[x, y] :" + Outer + " and" + Inner + " }"),
                   {0, 1, 0},
                   {{map("{ S2[x, y] -> t0[x, a] : 0 <= a <= y }")}, map("{ S2[x, y] -> [1] }")},
                   {map("{ S2[x, y] -> s[] }")}},
                  {set(Sizes + "{ R[x] :" + Outer + " }"), {0, 2}, {}, {}}};
  return P;
}

void OnDemand::expectLastWriters(const ConditionalProgram &Of,
                                 std::vector<ProgramRead> Reads) const {
  ExecutedProgram Program(Of, std::move(Reads));
  std::mt19937 Random(37);
  for (int Valuation = 0; Valuation < 10'000; ++Valuation)
    ASSERT_EQ(Program.run(Random), "") << "valuation " << Valuation;
  EXPECT_GE(Program.numCompared(), 10'000u);
}

/// Returns the number of basic sets in all relations.
unsigned numDisjuncts(const std::vector<DataflowOfRead> &All) {
  unsigned Count = 0;
  for (const DataflowOfRead &Each : All) {
    Count += unsigned(isl_set_n_basic_set(Each.NoSource.get()));
    for (const DataflowOfRead::Source &From : Each.Sources)
      Count += unsigned(isl_map_n_basic_map(From.Iterations.get()));
  }
  return Count;
}

unsigned numParameters(const std::vector<DataflowOfRead> &All) {
  unsigned Count = 0;
  for (const DataflowOfRead &Each : All)
    Count += Each.numParameters();
  return Count;
}

/// Returns the dataflow of those of \p Reads that isl finds with \p MaxOperations.
std::vector<DataflowOfRead> OnDemand::flowsOf(const ConditionalProgram &Of,
                                              const std::vector<ProgramRead> &Reads,
                                              unsigned long MaxOperations) const {
  isl_ctx_reset_operations(context());
  isl_ctx_set_max_operations(context(), MaxOperations);
  const DataflowAnalysis Analysis(Of);
  std::vector<DataflowOfRead> All;
  for (const ProgramRead &Each : Reads)
    if (auto Flow = Analysis.of(Each.Statement, Each.Access))
      All.push_back(std::move(*Flow));
  isl_ctx_set_max_operations(context(), 0);
  return All;
}

TEST_F(OnDemand, Section3Listing1LocallyStaticConditions) {
  const auto Flows = flowsOf(listing1(100),
                             {{3, map("{ H[k, i, j] -> n[] }")},
                              {3, map("{ H[k, i, j] -> m[] }")},
                              {3, map("{ H[k, i, j] -> a[i + 1, j] }")}},
                             40'000);
  ASSERT_EQ(Flows.size(), 3u);
  EXPECT_EQ(numParameters(Flows), 0u);
  EXPECT_LE(numDisjuncts(Flows), 5u);
  const isl::set Reads = set("{ H[k, i, j] : 0 <= k, j < 100 and 0 <= i < 99 }");
  ASSERT_EQ(Flows[0].Sources.size(), 2u);
  EXPECT_TRUE(Flows[0]
                  .Sources[0]
                  .Iterations.is_equal(map("{ H[0, i, j] -> N1[] }").intersect_domain(Reads))
                  .is_true());
  EXPECT_TRUE(
      Flows[0]
          .Sources[1]
          .Iterations.is_equal(map("{ H[k, i, j] -> N2[k - 1] : k > 0 }").intersect_domain(Reads))
          .is_true());
  ASSERT_EQ(Flows[2].Sources.size(), 1u);
  EXPECT_TRUE(
      Flows[2]
          .Sources[0]
          .Iterations.is_equal(map("{ H[k, i, j] -> A[k, j, i + 1] }").intersect_domain(Reads))
          .is_true());
  EXPECT_TRUE(Flows[2].NoSource.is_empty().is_true());
  expectLastWriters(listing1(4),
                    {{3, map("{ H[k, i, j] -> n[] }")}, {3, map("{ H[k, i, j] -> a[i + 1, j] }")}});
}

TEST_F(OnDemand, Section3Listing2DynamicConditions) {
  const std::vector<ProgramRead> Reads = {{1, map("{ S0[i] -> state[] }")},
                                          {4, map("{ V1[i] -> value0[] }")},
                                          {5, map("{ V2[i] -> value1[] }")}};
  const auto Flows = flowsOf(listing2(0), Reads, 40'000);
  ASSERT_EQ(Flows.size(), 3u);
  EXPECT_EQ(numParameters(Flows), 4u);
  EXPECT_LE(numDisjuncts(Flows), 9u);
  EXPECT_TRUE(Flows[0].NoSource.is_empty().is_true());
  EXPECT_EQ(Flows[0].Sources.size(), 3u);
  expectLastWriters(listing2(8), Reads);
}

TEST_F(OnDemand, Section3Listing3DynamicLoops) {
  const std::vector<ProgramRead> Reads = {{1, map("{ S2[x, y] -> s[] }")},
                                          {2, map("{ R[x] -> s[] }")}};
  const auto Flows = flowsOf(listing3(0), Reads, 40'000);
  ASSERT_EQ(Flows.size(), 2u);
  EXPECT_EQ(Flows[0].numParameters(), 0u);
  EXPECT_EQ(Flows[1].numParameters(), 2u);
  ASSERT_EQ(Flows[1].Sources.size(), 2u);
  EXPECT_TRUE(Flows[1].NoSource.is_empty().is_true());
  expectLastWriters(listing3(8), Reads);
}

/// Two writes of which exactly one takes place are one definite write.
TEST_F(OnDemand, WritesOnBothSidesOfACondition) {
  ConditionalProgram P;
  P.ValueBounds = {{"t", {0, 1}}};
  const auto If = [&](const std::string &Name, int Value) {
    return IterationFilter{{map("{ " + Name + "[j] -> t[j] }")},
                           map("{ " + Name + "[j] -> [" + std::to_string(Value) + "] }")};
  };
  P.Statements = {
      {set("[m] -> { P[j] : 0 <= j < m }"), {0, 0}, If("P", 1), {map("{ P[j] -> w[j] }")}},
      {set("[m] -> { Q[j] : 0 <= j < m }"), {0, 1}, If("Q", 0), {map("{ Q[j] -> w[j] }")}},
      {set("[m] -> { R[j] : 0 <= j < m }"), {1, 0}, {}, {}}};
  const auto Flow = DataflowAnalysis(P).of(2, map("{ R[j] -> w[j] }"));
  ASSERT_TRUE(Flow);
  EXPECT_TRUE(Flow->NoSource.is_empty().is_true());
}

/// A write under a condition alone leaves one question: did it take place?
TEST_F(OnDemand, AWriteUnderACondition) {
  ConditionalProgram P;
  P.ValueBounds = {{"t", {0, 1}}};
  P.Statements = {{set("[m] -> { P[j] : 0 <= j < m }"),
                   {0, 0},
                   {{map("{ P[j] -> t[] }")}, map("{ P[j] -> [1] }")},
                   {map("{ P[j] -> w[j] }")}},
                  {set("[m] -> { R[j] : 0 <= j < m }"), {1, 0}, {}, {}}};
  const auto Flow = DataflowAnalysis(P).of(1, map("{ R[j] -> w[j] }"));
  ASSERT_TRUE(Flow);
  EXPECT_EQ(Flow->numParameters(), 1u);
  const std::string Name = Flow->Parameters.front().Executed;
  EXPECT_TRUE(Flow->NoSource
                  .is_equal(set("[m, " + Name + "] -> { R[j] : 0 <= j < m and " + Name + " = 0 }"))
                  .is_true());
}

/// isl may give up at any point.
TEST_F(OnDemand, GivesUp) {
  const ConditionalProgram One = listing1(100), Two = listing2(0), Three = listing3(0);
  const isl::map ReadA = map("{ H[k, i, j] -> a[i + 1, j] }");
  const isl::map ReadState = map("{ S0[i] -> state[] }"), ReadS = map("{ R[x] -> s[] }");
  unsigned NumGivenUp = 0, NumFound = 0;
  for (unsigned long Operations = 1; Operations < 1'000'000; Operations += 1 + Operations / 16)
    for (const auto &[Program, Sink, Read] :
         {std::tuple(&One, 3U, &ReadA), {&Two, 1U, &ReadState}, {&Three, 2U, &ReadS}}) {
      isl_ctx_reset_operations(context());
      isl_ctx_set_max_operations(context(), Operations);
      ++(DataflowAnalysis(*Program).of(Sink, *Read) ? NumFound : NumGivenUp);
      isl_ctx_set_max_operations(context(), 0);
      isl_ctx_reset_error(context());
    }
  EXPECT_GT(NumGivenUp, 100u);
  EXPECT_GT(NumFound, 10u);
}

/// Random programs with two loops whose filters share elements.
class RandomFilters : public OnDemand, public testing::WithParamInterface<unsigned> {};

TEST_P(RandomFilters, RelationsNameTheLastWriter) {
  std::mt19937 Random(GetParam());
  const auto Dice = [&](int Sides) { return int(Random() % unsigned(Sides)); };
  const char *const Elements[] = {"t[]",  "t[i]", "t[i, j]",
                                  "u[j]", "u[i]", "t[i, a] : 0 <= a <= j"};
  const char *const Written[] = {"w[]", "w[i]", "w[j]", "w[i + j]", "w[3 - j]"};
  unsigned NumParameters = 0, NumCompared = 0;
  for (int Round = 0; Round < 4; ++Round) {
    ConditionalProgram P;
    P.ValueBounds = {{"t", {0, 1}}, {"u", {0, 1}}};
    const char *const Array = Written[Dice(5)];
    const auto Access = [&] {
      const std::string Same(Array), Other(Written[Dice(5)]);
      const bool HaveSameRank = (Same == "w[]") == (Other == "w[]");
      return HaveSameRank ? Other : Same;
    };
    const int Count = 3 + Dice(2);
    for (int S = 0; S < Count; ++S) {
      const std::string Name = "S" + std::to_string(S) + "[i, j]";
      ConditionalStatement New;
      New.Domain = set("{ " + Name + " : 0 <= i, j < 4 }");
      New.Position = {0, Dice(2), S};
      if (Dice(2))
        New.Position = {Dice(2), 0, S};
      const int Components = Dice(3);
      std::string Values;
      for (int I = 0; I < Components; ++I) {
        New.Filter.Accesses.push_back(map("{ " + Name + " -> " + Elements[Dice(6)] + " }"));
        Values += (I ? ", v" : "v") + std::to_string(I);
      }
      const char *const Conditions[] = {"v0 = 1", "v0 = 0", "v0 = 1 and v1 = 1", "v0 = 1 or v1 = 1",
                                        "v0 = v1"};
      if (Components > 0)
        New.Filter.Values = map("{ " + Name + " -> [" + Values +
                                "] : " + Conditions[Dice(Components == 1 ? 2 : 5)] + " }");
      New.Writes.push_back(map("{ " + Name + " -> " + Access() + " }"));
      P.Statements.push_back(New);
    }
    std::vector<ProgramRead> Reads;
    for (int S = 0; S < Count; ++S)
      Reads.push_back(
          {unsigned(S), map("{ S" + std::to_string(S) + "[i, j] -> " + Access() + " }")});
    ExecutedProgram Program(P, Reads);
    for (int Valuation = 0; Valuation < 20; ++Valuation)
      ASSERT_EQ(Program.run(Random), "") << "round " << Round << " valuation " << Valuation;
    NumParameters += numParameters(Program.flows());
    NumCompared += Program.numCompared();
  }
  EXPECT_GT(NumParameters, 0u);
  EXPECT_GT(NumCompared, 500u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomFilters, testing::Range(1u, 7u));

} // namespace
