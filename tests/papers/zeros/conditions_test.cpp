//===- tests/papers/zeros/conditions_test.cpp - psi and chi, and what may be skipped ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Automatic data structure selection and transformation for sparse matrix computations", section
// 2.1: conditions of expressions and statements; section 2.2.1: guards that dominate loops.
//
//===----------------------------------------------------------------------===//
#include "specializer/sparse/conditions/statement_conditions.h"
#include "tests/papers/zeros/compiled_equations.h"

#include <gmock/gmock.h>

using namespace specrt;
using testing::ElementsAre;

namespace {

/// Arrays A, B and C have structures, X and ACC do not; elements are at (I, J) where not said
/// otherwise.
class ConditionsSection21 : public testing::Test {
protected:
  enum Array { A, B, C, X, ACC };

  static DenseAccess at(Array Of, int64_t Factor = 1, int64_t Offset = 0) {
    return {Of, {{Offset, {Factor}, {}}, {0, {0, 1}, {}}}};
  }
  unsigned read(const DenseAccess &Access) {
    S.Reads.push_back(Access);
    return S.Value.read(static_cast<unsigned>(S.Reads.size()) - 1);
  }
  unsigned read(Array Of) { return read(at(Of)); }
  unsigned apply(DenseOp Op, unsigned Left, unsigned Right = 0) {
    return S.Value.apply(Op, Left, Right);
  }
  unsigned number(double Value) { return S.Value.constant(Value); }

  std::string textOf(const Condition StatementConditions::*Which) {
    const StatementConditions Of = conditionsOf(S, {true, true, true, false, false});
    return (Of.*Which).text([&](unsigned I) { return Names[Of.Guards[I].Array]; });
  }
  std::string psi() {
    S.Write = at(X, 1, 100);
    return textOf(&StatementConditions::Nonzero);
  }
  std::string chi(const DenseAccess &Target) {
    S.Write = Target;
    return textOf(&StatementConditions::Executed);
  }

  const std::vector<std::string> Names = {"A", "B", "C", "X", "ACC"};
  DenseStatement S;
};

TEST_F(ConditionsSection21, PsiOfASumWithAProduct) {
  const unsigned Left = read(A), Right = read(A), Factor = read(B);
  apply(DenseOp::Add, Left, apply(DenseOp::Multiply, Right, Factor));
  EXPECT_EQ(psi(), "A");
}
TEST_F(ConditionsSection21, PsiOfAProductWithADenseSum) {
  const unsigned Left = read(at(A, 1, 1)), Dense = read(X), Other = read(B);
  apply(DenseOp::Multiply, Left, apply(DenseOp::Add, Dense, Other));
  EXPECT_EQ(psi(), "A");
}
TEST_F(ConditionsSection21, PsiOfASumWithAQuotient) {
  const unsigned Left = read(A), Right = read(B);
  apply(DenseOp::Add, Left, apply(DenseOp::Divide, Right, number(5)));
  EXPECT_EQ(psi(), "A or B");
}
TEST_F(ConditionsSection21, PsiOfADenseSum) {
  const unsigned Left = read(X);
  apply(DenseOp::Add, Left, read(A));
  EXPECT_EQ(psi(), "always");
}
TEST_F(ConditionsSection21, PsiOfAProductWithZero) {
  const unsigned Left = read(X), Sum = apply(DenseOp::Add, Left, read(A));
  apply(DenseOp::Multiply, number(-0.0), Sum);
  EXPECT_EQ(psi(), "never");
}

TEST_F(ConditionsSection21, ChiOfAnUpdate) {
  const unsigned Left = read(B);
  apply(DenseOp::Add, Left, read(A));
  EXPECT_EQ(chi(at(B)), "A");
}
TEST_F(ConditionsSection21, ChiOfAScaling) {
  const unsigned Left = read(X);
  apply(DenseOp::Multiply, Left, read(at(A, 2)));
  EXPECT_EQ(chi(at(A, 2)), "A");
}
TEST_F(ConditionsSection21, ChiOfAnAssignment) {
  read(X);
  EXPECT_EQ(chi(at(A)), "always");
}
TEST_F(ConditionsSection21, ChiOfNothing) {
  read(A);
  EXPECT_EQ(chi(at(A)), "never");
}
TEST_F(ConditionsSection21, ChiOfAScaledUpdate) {
  const unsigned Left = read(A), Right = read(B), Product = apply(DenseOp::Multiply, Left, Right);
  apply(DenseOp::Add, Product, read(C));
  EXPECT_EQ(chi(at(A)), "A or C");
}
TEST_F(ConditionsSection21, ChiOfAnAccumulation) {
  const unsigned Sum = read({ACC, {}}), Factor = read(A);
  apply(DenseOp::Add, Sum, apply(DenseOp::Multiply, Factor, read(X)));
  EXPECT_EQ(chi({ACC, {}}), "A");
}
TEST_F(ConditionsSection21, ChiOfADifference) {
  const unsigned Left = read(B);
  apply(DenseOp::Subtract, Left, read(A));
  EXPECT_EQ(chi(at(B)), "A");
}

/// "loop 1 (depth 2): A[i][j]; finite: B[j][k]" for arrays in \p Sparse.
std::vector<std::string> skipsOf(const char *Function, const std::vector<std::string> &Sparse) {
  const CompiledEquations Of(Function);
  const DenseProgram &Program = Of.Scop.Program.value();
  std::vector<bool> IsSparse;
  for (const DenseArray &Array : Program.Arrays)
    IsSparse.push_back(std::find(Sparse.begin(), Sparse.end(), Array.Name) != Sparse.end());
  std::vector<std::string> Texts;
  for (const SkipTest &Test : skipTests(Program, IsSparse)) {
    std::string Text = "loop " + std::to_string(Test.Loop) + " depth " +
                       std::to_string(Test.Depth) + ": " + Program.accessText(Test.Element);
    for (const DenseAccess &Other : Test.MustBeFinite)
      Text += " | " + Program.accessText(Other);
    Texts.push_back(Text);
  }
  return Texts;
}

/// Hoisted out of the loop whose counter it does not need.
TEST(ConditionsSection221, GuardsOfCompiledCode) {
  EXPECT_THAT(skipsOf("spmv", {"A"}), ElementsAre("loop 1 depth 2: A[i][j] | x[j]"));
  EXPECT_THAT(skipsOf("spmm", {"A"}), ElementsAre("loop 1 depth 2: A[i][j] | B[j][k]"));
  EXPECT_THAT(skipsOf("spmm", {"A", "B"}), ElementsAre("loop 1 depth 2: A[i][j] | B[j][k]",
                                                       "loop 2 depth 3: B[j][k] | A[i][j]"));
  EXPECT_THAT(skipsOf("spgemm", {"A"}), ElementsAre("loop 2 depth 2: A[i][j] | alpha | B[j][k]"));
  // The first loop scales C whatever A is, so that A[i][j] decides about the second one only.
  EXPECT_THAT(skipsOf("syr2k", {"A", "B"}), ElementsAre());
  EXPECT_THAT(skipsOf("jacobi_1d", {"A"}), ElementsAre());
}

} // namespace
