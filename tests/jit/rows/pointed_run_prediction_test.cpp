//===- tests/jit/rows/pointed_run_prediction_test.cpp - predicted rows behind pointers ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/jit/rows/sparse_rows.h"
#include "tests/jit/rows/walked_kernel.h"

extern "C" void pointed_product(int, const char *, int *const *, double *const *, const double *,
                                double *);

using namespace specrt;

namespace {

/// Columns and values of row I are from places Apart * I on, unless one is moved.
struct Rows {
  static constexpr size_t Apart = 24;

  explicit Rows(const Pattern &P)
      : Columns(Apart * (P.size() + 1)), Values(Columns.size(), 0.5), X(P.size(), 2), Y(P.size()) {
    for (size_t I = 0; I < P.size(); ++I) {
      Length.push_back(static_cast<char>(P[I].size()));
      Col.push_back(&Columns[Apart * I]);
      Val.push_back(&Values[Apart * I]);
      std::copy(P[I].begin(), P[I].end(), Col.back());
    }
  }
  void call(decltype(&pointed_product) F) {
    F(static_cast<int>(Length.size()), Length.data(), Col.data(), Val.data(), X.data(), Y.data());
  }
  /// To the end.
  void move(size_t Row) {
    int *const To = &Columns[Columns.size() - Apart];
    std::copy_n(Col[Row], Length[Row], To);
    Col[Row] = To;
  }

  std::vector<int> Columns;
  std::vector<double> Values, X, Y;
  std::vector<char> Length;
  std::vector<int *> Col;
  std::vector<double *> Val;
};

/// The bytes that predicted rows read are watched, too.
TEST(RunPredictionBehindPointers, FindsWhatInspectionsFind) {
  Rows Example(gridPattern(60, 60));
  const WalkedKernel<decltype(pointed_product)> K(
      "pointed_product", &pointed_product, [&](auto *F) { Example.call(F); },
      SPECRT_POINTER_KERNELS);
  ASSERT_TRUE(K.hasVersion());
  ASSERT_TRUE(K.isLinear());
  for (const Pattern &P : {gridPattern(60, 60), gridPattern(700, 6)})
    for (const int Change : {0, 1, 2}) {
      Rows A(P);
      for (size_t I = 0; I < P.size() && Change == 2; I += 997)
        A.Col[I][0] ^= 1;
      if (Change == 1)
        A.move(P.size() / 2);
      const uint64_t Predicted = K.compare([&](decltype(&pointed_product) F) { A.call(F); }, A.Y);
      EXPECT_GT(Predicted, P.size() / 4) << "change " << Change;
    }
}

} // namespace
