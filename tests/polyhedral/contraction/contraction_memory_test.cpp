//===- tests/polyhedral/contraction/contraction_memory_test.cpp - memory of kernels ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/polyhedral/contraction/contraction_run.h"
#include <gmock/gmock.h>

using namespace llvm;
using namespace specrt;
using testing::Conditional;
using testing::Not;

namespace {

TEST(Contractions, WithoutScratchMemoryTheResultsAreTheSame) {
  // Kernels pack on the stack, expanded storage is given up.
  for (const char *Nest : {"order_ijk", "transposed_b", "two_products", "single", "lower", "lu",
                           "min_plus", "ludcmp", "doitgen", "of_own_rows"}) {
    NoScratch Without;
    std::string Notes =
        expectSame(contractionCase(Nest), {131, 97, 150}, {{}, false, false, PackedL2});
    EXPECT_TRUE(NoScratch::wasAsked()) << Nest << ": " << Notes;
    EXPECT_THAT(Notes, Not(IsUnpacked())) << Nest;
  }
}

TEST(Contractions, WithoutScratchMemoryOperandsAreNotComputedAhead) {
  for (const char *Nest : {"alpha_left", "alpha_right", "transposed_b", "two_products",
                           "single_transposed", "columns_two_apart", "doitgen"}) {
    NoScratch Without;
    std::string Notes = expectSame(contractionCase(Nest), {101, 97, 90}, {});
    EXPECT_TRUE(NoScratch::wasAsked()) << Nest << ": " << Notes;
    EXPECT_THAT(Notes, IsUnpacked()) << Nest;
  }
}

/// Every row of every array ends (begins) where a page ends (begins), with no memory behind
/// (before) it.
struct RowCase {
  const char *Nest;
  bool IsSheared; ///< C[i * (Pitch - 1) + j]: row i ends with, or begins with, j = i
  bool AtBegin;
  bool AreTransposed;
};

class Rows : public testing::TestWithParam<RowCase> {};

TEST_P(Rows, AreNeverLeft) {
  constexpr long PerPage = long(GuardedArray::PageBytes / sizeof(double));
  const RowCase &Of = GetParam();
  for (const Setting &With : {Setting{},
                              {{}, true, false},
                              {Avx2, true, false},
                              {Sse2, true, false},
                              {Avx2, false, false},
                              {Sse2, false, false},
                              // Rows of B that lie 8 KB apart are copied into such a cache.
                              {{}, false, false, PackedL2}}) {
    const Sizes S = {67, Of.IsSheared ? 67 : 45, 39};
    auto Make = [&](long Count, long Length) {
      return GuardedArray::rows(size_t(Count), size_t(PerPage - Length) * sizeof(double));
    };
    auto MakeAll = [&] {
      GuardedArray C = !Of.IsSheared ? Make(S[0], S[1]) : Make(S[0], Of.AtBegin ? PerPage : 1);
      return Of.AreTransposed
                 ? Operands(Element::Float64, Make(S[2], S[0]), Make(S[1], S[2]), std::move(C))
                 : Operands(Element::Float64, Make(S[0], S[2]), Make(S[2], S[1]), std::move(C));
    };
    Operands Expected = MakeAll(), Actual = MakeAll();
    Expected.fill(Values::Ordinary);
    Actual.copyFrom(Expected);
    NestCompiler Compiler(SPECRT_CONTRACTIONS_IR, Of.Nest, With.For);
    std::string Notes = specialize(Compiler, S, With).Notes;
    EXPECT_THAT(Notes, HasKernels());
    bool Unpacked = !With.SmallCaches && !Of.IsSheared;
    EXPECT_THAT(Notes, Conditional(Unpacked, IsUnpacked(), Not(IsUnpacked())));
    Actual.A.makeReadOnly();
    Actual.B.makeReadOnly();
    Expected.run(originalNest(SPECRT_CONTRACTIONS_IR, Of.Nest, With.For.HasFma), S);
    Actual.run(Compiler.compile(), S);
    EXPECT_EQ(Actual.differences(Expected), 0u) << With.For.Name;
  }
}
INSTANTIATE_TEST_SUITE_P(Pages, Rows,
                         testing::Values(RowCase{"row_ends", false, false, false},
                                         RowCase{"row_ends_transposed", false, false, true},
                                         RowCase{"row_ends_lower", true, false, false},
                                         RowCase{"row_begins_upper", true, true, false}),
                         [](const auto &Info) { return std::string(Info.param.Nest); });

} // namespace
