//===- tests/papers/zeros/equations_test.cpp - goldens of equations, from compiled C ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Specializing dense polyhedral programs on sparse inputs". Loops count from 0 in the model, so
// that sets are compared as elements of the arrays that statements write.
//
//===----------------------------------------------------------------------===//
#include "specializer/sparse/equations/equations_text.h"
#include "tests/papers/zeros/compiled_equations.h"
#include "tests/polyhedral/nest_compiler.h"
#include "isl/set.h"

#include <gtest/gtest.h>

using namespace specrt;

namespace {

void expectEqual(const isl::set &Actual, const isl::set &Expected) {
  char *Text = isl_set_to_str(Actual.get());
  EXPECT_TRUE(Actual.is_equal(Expected)) << Text;
  std::free(Text);
}

/// The paths of the solution of \p Name.
std::vector<RegularExpression> pathsOf(const CompiledEquations &E, const std::string &Name) {
  std::vector<RegularExpression> Paths;
  for (const SolvedPart &Part : E.Solution.Equations[E.named(Name)].Parts)
    Paths.push_back(Part.Path);
  return Paths;
}

/// Every star of \p Path, and everything known of live-ins: is its closure exact?
bool hasExactClosures(const CompiledEquations &E, const RegularExpression &Path) {
  std::vector<isl::set> Nonzero;
  for (const SparsityEquation &Equation : E.Scop.System)
    Nonzero.push_back(Equation.Domain);
  bool IsExact = true;
  relationOf(Path, E.Scop.System, E.Solution, Nonzero, IsExact);
  return IsExact;
}

class Section52Example2 : public testing::Test {
protected:
  /// N = 5, M = 4; In is nonzero at these places, the rest of A as said.
  isl::set written(const std::string &In, const std::string &LiveA = "false") {
    isl::set Found = Of.elements("S2",
                                 {{"In", "[N, M] -> { In[i] : " + In + " }"},
                                  {"A", "[N, M] -> { A[t, i] : " + LiveA + " }"}},
                                 "[N, M] -> { : N = 5 and M = 4 }");
    EXPECT_TRUE(Of.IsExact);
    return Found;
  }
  isl::set expected(const std::string &Where) const {
    return Of.set("[N, M] -> { A[t, i] : N = 5 and M = 4 and (" + Where + ") }");
  }

  CompiledEquations Of{"recurrence"};
};

/// The paper's L_S.(d|e).(b|c)*, and the live-in that its printed program has, but not its
/// equations: A[t, 0] for t >= 1.
TEST_F(Section52Example2, G1Solution) {
  EXPECT_EQ(Of.solution("S1"), "In.a");
  EXPECT_EQ(Of.solution("S2"), "S1.(c|f).(b|e)*|A.d.(b|e)*");
}

TEST_F(Section52Example2, G2OneInput) {
  expectEqual(written("i = 3"), expected("1 <= t <= 4 and 3 <= i <= 4"));
}

TEST_F(Section52Example2, G3OtherInputs) {
  expectEqual(written("i = 4"), expected("1 <= t <= 4 and i = 4"));
  expectEqual(written("i = 1"), expected("1 <= t <= 4 and 1 <= i <= 1 + t and i <= 4"));
  expectEqual(written("false"), expected("false"));
  expectEqual(written("i = 0"), expected("1 <= t <= 4 and 1 <= i <= t"));
  expectEqual(written("false", "t = 2 and i = 0"),
              expected("(t = 3 and i = 1) or (t = 4 and 1 <= i <= 2)"));
}

/// { (t, i) -> (t', i') : t < t' <= M, i <= i' <= i + t' - t, i' <= N - 1 }, parametric and exact.
TEST_F(Section52Example2, G4ClosureOfBAndC) {
  const RegularExpression Path = pathsOf(Of, "S2")[0];
  ASSERT_EQ(Path.kind(), RegularExpression::Kind::Concatenation);
  bool IsExact = false;
  const isl::union_map Star = relationOf(Path.parts().back(), Of.Scop.System, Of.Solution,
                                         std::vector<isl::set>(Of.Scop.System.size()), IsExact);
  EXPECT_TRUE(IsExact);
  const isl::map Expected =
      Of.map("[N, M] -> { S2[t, i] -> S2[u, j] : 0 <= t < u < M and 0 <= i <= j <= i + u - t and "
             "j <= N - 2; S2[t, i] -> S2[t, i] : 0 <= t < M and 0 <= i <= N - 2 }");
  EXPECT_TRUE(Star.extract_map(Expected.get_space()).is_equal(Expected));
}

/// [C] = ([A].{(i, k) -> (i, j, k)} & [B].{(k, j) -> (i, j, k)}).{(i, j, k) -> (i, j)}
TEST(ZerosSection51, G5ProductOfMatrices) {
  CompiledEquations Of("gemm");
  EXPECT_EQ(Of.solution("S2"), "{}.b*|S1.a.b*");
  const SparsityTerm &Product = Of.Solution.Equations[Of.named("S2")].Parts[0].Term;
  ASSERT_EQ(Product.K, SparsityTerm::Kind::Intersection);
  ASSERT_EQ(Product.Parts.size(), 2u);
  const std::string Where = " : 0 <= i, j, k < n }";
  EXPECT_TRUE(Product.Parts[0].Flow.is_equal(Of.map("[n] -> { A[i, k] -> S2[i, j, k]" + Where)));
  EXPECT_TRUE(Product.Parts[1].Flow.is_equal(Of.map("[n] -> { B[k, j] -> S2[i, j, k]" + Where)));

  const std::string A = "[n] -> { A[i, k] : 2i <= k <= 2i + 2 }",
                    B = "[n] -> { B[k, j] : j = 3 or k = j }";
  const isl::set Image = Of.set(A)
                             .apply(Product.Parts[0].Flow)
                             .intersect(Of.set(B).apply(Product.Parts[1].Flow))
                             .apply(Of.map("[n] -> { S2[i, j, k] -> C[i, j] }"));
  expectEqual(Of.elements("S2", {{"A", A}, {"B", B}}), Image);
  EXPECT_TRUE(Of.IsExact);
}

class ExactClosures : public testing::TestWithParam<const char *> {};
TEST_P(ExactClosures, G6ParametricClosuresAreExact) {
  const CompiledEquations Of(GetParam());
  unsigned NumPaths = 0;
  for (unsigned I = 0; I < Of.Scop.System.size(); ++I)
    for (const SolvedPart &Part : Of.Solution.Equations[I].Parts) {
      ++NumPaths;
      EXPECT_TRUE(hasExactClosures(Of, Part.Path)) << Of.solution(Of.Scop.System[I].Name);
    }
  EXPECT_GT(NumPaths, 0u);
}
INSTANTIATE_TEST_SUITE_P(ZerosSection53, ExactClosures,
                         testing::Values("gemm", "jacobi_1d_steps", "jacobi_1d", "jacobi_2d",
                                         "seidel_1d", "trisolv"));

/// What a step of LU hands to the next one: { S2[k, i, j] -> S2[k + 1, i, j] } in elements.
TEST(ZerosSection53, G6ChainOfLU) {
  const CompiledEquations Of("lu");
  const unsigned Name = Of.named("S2");
  const SparsityTerm &Sum = Of.Scop.System[Name].Value;
  ASSERT_EQ(Sum.K, SparsityTerm::Kind::Union);
  unsigned NumChains = 0;
  for (const SparsityTerm &Part : Sum.Parts)
    if (Part.K == SparsityTerm::Kind::Read && Part.Name == Name) {
      isl_bool IsExact = isl_bool_false;
      isl_map_free(isl_map_transitive_closure(Part.Flow.copy(), &IsExact));
      EXPECT_EQ(IsExact, isl_bool_true);
      ++NumChains;
    }
  EXPECT_EQ(NumChains, 1u);
}

/// By hand: A = A0 | B.v, B = A.u => A = A0.(u.v)*, B = A.u. Here the statement that writes B comes
/// first, and neither array's border is ever written.
TEST(ZerosSection52, G6TwoArrays) {
  const CompiledEquations Of("jacobi_1d");
  EXPECT_EQ(Of.solution("S1"), "A.(b|d|f).((g|i|j).(a|c|e))*|B.(h|k).(a|c|e).((g|i|j).(a|c|e))*");
  EXPECT_EQ(Of.solution("S2"), "S1.(g|i|j)|B.(h|k)");
}

/// LU and Cholesky multiply what they have computed: no closed form.
TEST(ZerosSection54, ProductsOfOneComponentNeedIteration) {
  EXPECT_TRUE(CompiledEquations("lu").Solution.Equations[1].NeedsIteration);
  const CompiledEquations Cholesky("cholesky");
  EXPECT_FALSE(Cholesky.Solution.Equations[Cholesky.named("S1")].NeedsIteration);
  EXPECT_TRUE(Cholesky.Solution.Equations[Cholesky.named("S3")].NeedsIteration);
}

/// Nonzeros of Cholesky's factor of \p Lower, a condition on i >= j, by Kleene's iteration.
long fillOf(const std::string &Lower, int Size) {
  CompiledEquations Of("cholesky");
  const std::string Sizes = "[n] -> { : n = " + std::to_string(Size) + " }";
  const std::string Input = "[n] -> { A[i, j] : 0 <= j <= i < n and n = " + std::to_string(Size) +
                            " and (" + Lower + ") }";
  isl::set All = Of.set(Input);
  for (const char *Name : {"S1", "S2", "S3"})
    All = All.unite(Of.elements(Name, {{"A", Input}}, Sizes));
  isl_val *Count = isl_set_count_val(All.get());
  const long Result = isl_val_get_num_si(Count);
  isl_val_free(Count);
  return Result;
}

TEST(ZerosSection54, FillOfBandsAndArrows) {
  EXPECT_EQ(fillOf("i - j <= 1", 8), 15);
  EXPECT_EQ(fillOf("i = j or i = n - 1", 8), 15);
  EXPECT_EQ(fillOf("i = j or j = 0", 8), 36);
}

/// Constants, selections, square roots, fused operations.
TEST(ZerosSection51, OperatorsOfCompiledCode) {
  CompiledEquations Of("operators");
  auto Written = [&](const std::string &A, const std::string &B, const std::string &C) {
    return Of.elements("S1", {{"a", "[n] -> { a[i] : " + A + " }"},
                              {"b", "[n] -> { b[i] : " + B + " }"},
                              {"c", "[n] -> { c[i] : " + C + " }"}});
  };
  auto Expected = [&](const std::string &Where) {
    return Of.set("[n] -> { y[i] : 0 <= i < n and " + Where + " }");
  };
  expectEqual(Written("i <= 7", "i >= 5", "false"), Expected("5 <= i <= 7"));
  expectEqual(Written("i <= 7", "i >= 9", "i = 2"), Expected("i = 2"));
}

/// Wherever that is: nothing fails, and nothing is said that is not so.
TEST(EquationsOfScops, AreNotMadeWhereIslGivesUp) {
  for (const char *Function : {"recurrence", "spgemm", "operators"}) {
    NestCompiler Compiler(SPECRT_ZEROS_IR, Function);
    unsigned NumRefused = 0;
    for (unsigned long Most = 1;; Most += 1 + Most / 3) {
      const auto All = equationsOfScops(Compiler.canonical(), Compiler.functions(), Most);
      if (!All.empty())
        break;
      ++NumRefused;
      ASSERT_LT(NumRefused, 100u) << Function;
    }
    EXPECT_GT(NumRefused, 10u) << Function;
  }
}

TEST(EquationsText, IsWholeOrNothingWhereIslGivesUp) {
  for (const char *Function : {"recurrence", "spgemm", "operators"}) {
    const CompiledEquations Of(Function);
    const std::string All = equationsText(Of.Scop);
    EXPECT_NE(All.find("S1 = "), std::string::npos) << All;
    unsigned NumRefused = 0;
    for (unsigned long Most = 1;; Most += 1 + Most / 3) {
      const std::string Text = equationsText(Of.Scop, Most);
      if (!Text.empty()) {
        EXPECT_EQ(Text, All);
        break;
      }
      ++NumRefused;
      ASSERT_LT(NumRefused, 100u) << Function;
    }
    EXPECT_GT(NumRefused, 2u) << Function;
  }
}

} // namespace
