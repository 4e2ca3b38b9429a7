//===- tests/jit/rows/kernel.h - a loop over rows and its versions, compared ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_JIT_ROWS_KERNEL_H
#define SPECRT_TESTS_JIT_ROWS_KERNEL_H

#include "tests/jit/rows/row_versions.h"
#include "tests/jit/rows/sparse_rows.h"
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

/// The same bits, but for the bits of NaNs: which of two NaNs an addition hands on is the
/// compiler's choice.
template <typename T>
testing::AssertionResult same(const std::vector<T> &A, const std::vector<T> &B) {
  auto Bits = [](T Number) { return std::bit_cast<std::array<std::byte, sizeof(T)>>(Number); };
  for (size_t I = 0; I < A.size(); ++I)
    if (Bits(A[I]) != Bits(B[I]) && !(std::isnan(A[I]) && std::isnan(B[I])))
      return testing::AssertionFailure() << "number " << I << ": " << A[I] << ", not " << B[I];
  return testing::AssertionSuccess();
}

/// Plays \p Cases with \p V, whose tables are forgotten now and then: \p Play has a random engine,
/// and returns how many cases it was. Returns how many calls had tables.
template <typename Fn> uint64_t playCases(const RowVersion &V, int Cases, Fn Play) {
  uint64_t Calls = 0;
  Random Engine(7);
  for (int Case = 0; Case < Cases && !testing::Test::HasFailure(); Case += Play(Engine))
    if (Case % 8 == 0) {
      Calls += V.figures().Calls;
      V.begin();
    }
  return Calls + V.figures().Calls;
}

/// A region of kernels.c with its original, and how both are called with a matrix.
template <typename Matrix, typename Function, typename Call> struct RowKernel {
  const char *Name;
  Function *Original;
  size_t Columns;
  Call Run; ///< (Function *, Matrix &): results are in Matrix::Y
  bool HasTables = true;
  const char *File = SPECRT_ROWS_KERNELS; ///< its bitcode

  std::unique_ptr<RowVersions> versions() const {
    Random Engine(1);
    Matrix A(fit(gridPattern(20, 20)), Columns, Engine);
    return std::make_unique<RowVersions>(
        Name, [&](void *Body) { Run(reinterpret_cast<Function *>(Body), A); }, File);
  }

  /// As the kernel needs it.
  Pattern fit(Pattern Rows) const {
    if (std::string(Name) == "ell")
      for (size_t I = 0; I < Rows.size(); ++I)
        Rows[I].resize(5, static_cast<int>(I));
    return Rows;
  }

  void compare(const RowVersion &V, Matrix &A) const {
    const auto Before = A.Y;
    Run(Original, A);
    const auto Expected = A.Y;
    A.Y = Before; // stays where it is
    Run(reinterpret_cast<Function *>(V.Body), A);
    EXPECT_TRUE(same(A.Y, Expected)) << V.Name << " with " << A.rows() << " rows";
    A.Y = Before;
  }

  /// Matrices of all kinds, used several times and changed meanwhile.
  void compareMany(int Cases) const {
    const auto Versions = versions();
    ASSERT_EQ(Versions->all().size(), 2U) << lastLog();
    uint64_t Calls = 0;
    for (const RowVersion &V : Versions->all()) {
      SCOPED_TRACE(V.Name);
      Calls += playCases(V, Cases, [&](Random &Engine) {
        Pattern Rows = fit(somePattern(Engine));
        Matrix A(Rows, Columns, Engine);
        const int Uses = 1 + upTo(Engine, 3);
        for (int Use = 0; Use < Uses; ++Use) {
          compare(V, A);
          change(A, Rows, Engine);
        }
        return Uses;
      });
    }
    if (HasTables)
      EXPECT_GT(Calls, static_cast<uint64_t>(Cases) / 4);
    else
      EXPECT_EQ(Calls, 0U);
  }

  void change(Matrix &A, Pattern &Rows, Random &Engine) const {
    const auto Size = static_cast<int>(A.Col.size());
    switch (upTo(Engine, 5)) {
    case 0: // a column, in place
      if (Size > 0)
        A.Col[static_cast<size_t>(upTo(Engine, Size - 1))] =
            static_cast<typename decltype(A.Col)::value_type>(upTo(Engine, int(A.rows()) - 1));
      break;
    case 1:
      spoil(Rows, Engine);
      Rows = fit(Rows);
      A.assign(Rows, Columns, Engine);
      break;
    case 2: // the same elsewhere
      A.Col = decltype(A.Col)(A.Col);
      A.Val = decltype(A.Val)(A.Val);
      break;
    case 3: // longer and shorter rows: one row's end
      if (std::string(Name) != "ell" && A.Ptr.size() > 2) {
        const auto I = static_cast<size_t>(upTo(Engine, int(A.Ptr.size()) - 3)) + 1;
        if (A.Ptr[I] > A.Ptr[I - 1])
          --A.Ptr[I];
      }
      break;
    default:
      break;
    }
  }
};

template <typename Matrix, typename Function, typename Call>
RowKernel<Matrix, Function, Call> rowKernel(const char *Name, Function *Original, Call Run,
                                            size_t Columns = 1) {
  return {Name, Original, Columns, Run};
}

#endif
