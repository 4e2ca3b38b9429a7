//===- tests/polyhedral/contraction/contraction_cases.cpp - the nests of contractions.c ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/polyhedral/contraction/contraction_cases.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>

using namespace llvm;

namespace specrt {

Extents product(long N, long M, long P) { return {N * P, P * M, N * M}; }

namespace {

Extents square(long N, long, long P) { return {N * P, P * N, N * N}; }
Extents withARow(long N, long M, long P) { return {P * P, P, N * M * P}; }
Extents inPlace(long N, long, long) { return {1, 1, N * N}; }
Extents foldingOf(long N, long, long) { return {N + 1, 1, N * N}; }
Extents columnsOf(long N, long, long P) { return {N * P, N * P + N, N}; }

const ContractionCase Cases[] = {
    {"order_ijk", Element::Float64, product},
    {"order_ikj", Element::Float64, product},
    {"order_jik", Element::Float64, product},
    {"order_jki", Element::Float64, product},
    {"order_kij", Element::Float64, product},
    {"order_kji", Element::Float64, product},
    {"transposed_a", Element::Float64, product},
    {"transposed_b", Element::Float64, product},
    {"transposed_both", Element::Float64, product},
    {"transposed_result", Element::Float64, product},
    {"alpha_left", Element::Float64, product},
    {"alpha_right", Element::Float64, product},
    {"alpha_of_both", Element::Float64, product},
    {"subtracted", Element::Float64, product},
    {"reversed_subtraction", Element::Float64, product},
    {"horner", Element::Float64, product},
    {"two_products", Element::Float64, square},
    {"two_layouts", Element::Float64, square},
    {"single", Element::Float32, product},
    {"single_transposed", Element::Float32, product},
    {"wrapping_int32", Element::Int32, product},
    {"wrapping_int64", Element::Int64, product},
    {"transposed_int32", Element::Int32, product},
    {"min_plus", Element::Float64, product},
    {"max_plus_int32", Element::Int32, product},
    {"min_max_int64", Element::Int64, product},
    {"lower", Element::Float64, square},
    {"lower_inner", Element::Float64, square},
    {"strictly_lower", Element::Float64, square},
    {"upper", Element::Float64, square},
    {"strictly_upper", Element::Float64, square},
    {"against_the_diagonal", Element::Float64, square},
    {"backwards", Element::Float64, square, Values::Ordinary, false},
    {"backwards_reduction", Element::Float64, product},
    {"band", Element::Float64, square, Values::Ordinary, false},
    {"two_bounds", Element::Float64, product},
    {"stride_two", Element::Float64,
     [](long N, long M, long P) { return Extents{2 * N * P, 2 * P * M, N * M}; }},
    {"step_two", Element::Float64, product},
    {"columns_two_apart", Element::Float64,
     [](long N, long M, long P) { return Extents{N * P, 2 * P * M, N * M}; }},
    {"columns_backwards", Element::Float64, product},
    {"rows_backwards", Element::Float64, product},
    {"results_backwards", Element::Float64, product, Values::Ordinary, false},
    {"offset", Element::Float64,
     [](long N, long M, long P) {
       return Extents{(N + 2) * (P + 1), (P + 1) * (M + 2), (N + 1) * (M + 3)};
     }},
    {"toeplitz", Element::Float64,
     [](long N, long M, long P) { return Extents{N * P, P + M, N * M}; }},
    {"polynomials", Element::Float64, [](long N, long M, long) { return Extents{N, M, N + M}; },
     Values::Ordinary, false},
    {"overlapping_rows", Element::Int32,
     [](long N, long M, long P) { return Extents{N * P, P * M, 2 * N + M}; }, Values::Ordinary,
     false},
    {"holes_in_the_reduction", Element::Float64, product, Values::Ordinary, false},
    {"holes_in_the_result", Element::Float64, product, Values::Ordinary, false},
    {"halved_subscript", Element::Float64, product, Values::Ordinary, false},
    {"of_own_rows", Element::Float64,
     [](long N, long M, long P) { return Extents{N * P, 1, (N + P) * M}; }},
    {"of_own_result", Element::Float64, inPlace, Values::Ordinary, false},
    {"matrix_vector", Element::Float64, [](long N, long, long P) { return Extents{N * P, P, N}; }},
    {"transposed_matrix_vector", Element::Float64,
     [](long N, long, long P) { return Extents{N * P, N, P}; }},
    {"scaled_matrix_vector", Element::Float64,
     [](long N, long, long P) { return Extents{N * P, N, P}; }},
    {"batched", Element::Float64,
     [](long N, long M, long P) { return Extents{4 * N * P, 4 * P * M, 4 * N * M}; }},
    {"batch_of_two", Element::Float64,
     [](long N, long M, long P) { return Extents{2 * N * P, 2 * P * M, 2 * N * M}; }},
    {"two_reductions", Element::Float64,
     [](long N, long M, long P) { return Extents{5 * N * P, 5 * P * M, N * M}; }},
    {"convolution", Element::Float64,
     [](long N, long M, long P) { return Extents{N * P, P * (M + 2), N * M}; }, Values::Ordinary,
     false},
    {"chain", Element::Float64,
     [](long N, long M, long P) { return Extents{N * P, P * M, N * M + N * N}; }},
    {"copied_result", Element::Float64, product},
    {"sum_of_rows", Element::Float64, [](long N, long M, long) { return Extents{N, 1, N * M}; },
     Values::Ordinary, false},
    {"last_row_of_sums", Element::Float64,
     [](long N, long M, long) { return Extents{N, 1, N * M}; }, Values::Ordinary, false},
    {"batched_row_of_sums", Element::Float64,
     [](long N, long M, long P) { return Extents{N * P, 1, N * P * M}; }, Values::Ordinary, false},
    {"trmm", Element::Float64, [](long N, long M, long) { return Extents{N * N, 1, N * M}; }},
    {"symm", Element::Float64, [](long N, long M, long) { return Extents{N * N, N * M, N * M}; },
     Values::Ordinary, false},
    {"lu", Element::Float64, inPlace, Values::Dominant},
    {"cholesky", Element::Float64, inPlace, Values::Dominant},
    {"ludcmp", Element::Float64, inPlace, Values::Dominant},
    {"doitgen", Element::Float64, withARow, Values::Ordinary, true, true},
    {"row_of_sums", Element::Float64, withARow, Values::Ordinary, false, true},
    {"shrinking_row", Element::Float64, withARow, Values::Ordinary, false, true},
    {"carried_row", Element::Float64, withARow, Values::Ordinary, false, true},
    {"half_a_row", Element::Float64, withARow, Values::Ordinary, false, true},
    {"triangular_solve", Element::Float64,
     [](long N, long M, long) { return Extents{N * N, 1, N * M}; }, Values::Pivots},
    {"covariance", Element::Float64, [](long, long M, long P) { return Extents{P * M, 1, M * M}; }},
    {"gram_schmidt", Element::Float64,
     [](long N, long M, long) { return Extents{1, M * M, N * M}; }, Values::Ordinary, true, true},
    {"syrk", Element::Float64, square},
    {"folding", Element::Int32, foldingOf},
    {"folding_xor", Element::Int64, foldingOf},
    {"folding_sum", Element::Int32, foldingOf},
    {"matrix_chain", Element::Int64, foldingOf},
    {"folding_single", Element::Float32, foldingOf, Values::Ordinary, false},
    {"union_of_columns", Element::Int64, columnsOf, Values::Ordinary, false},
    {"subtracted_from", Element::Int32, columnsOf, Values::Ordinary, false},
    {"double_sum", Element::Float64, columnsOf, Values::Ordinary, false},
    {"intermediate_values", Element::Int32, columnsOf, Values::Ordinary, false, true},
    {"used_twice", Element::Int32, columnsOf, Values::Ordinary, false},
    {"two_operations_at_once", Element::Int32, columnsOf, Values::Ordinary, false},
    {"two_operations", Element::Int32, columnsOf, Values::Ordinary, false},
    {"read_in_between", Element::Int32, columnsOf, Values::Ordinary, false, true},
    {"written_in_between", Element::Int32, columnsOf, Values::Ordinary, false},
    {"operand_is_result", Element::Int32, foldingOf, Values::Ordinary, false},
};

} // namespace

ArrayRef<ContractionCase> contractionCases() { return Cases; }

const ContractionCase &contractionCase(StringRef Nest) {
  const auto *Found = find_if(Cases, [&](const ContractionCase &C) { return C.Nest == Nest; });
  assert(Found != std::end(Cases) && "contractions.c has no such nest");
  return *Found;
}

void PrintTo(const ContractionCase &C, std::ostream *OS) { *OS << C.Nest; }

Operands ContractionCase::operands(const Sizes &S, Side At) const {
  return Operands::dense(Elements(std::max(S[0], 0L), std::max(S[1], 0L), std::max(S[2], 0L)), Type,
                         At);
}

bool ContractionCase::isOfOwnResults() const { return Elements == foldingOf; }

bool ContractionCase::isBox() const {
  constexpr const char *Others[] = {
      "lower",      "lower_inner",      "strictly_lower", "upper", "strictly_upper",
      "two_bounds", "triangular_solve", "covariance",     "syrk",  "against_the_diagonal",
      "trmm",       "cholesky",         "ludcmp",         "lu",    "gram_schmidt"};
  return HasKernel && !isOfOwnResults() &&
         none_of(Others, [&](const char *Name) { return Nest == StringRef(Name); });
}

bool ContractionCase::isUsedOnce() const {
  return Nest == StringRef("matrix_vector") || Nest == StringRef("scaled_matrix_vector");
}

} // namespace specrt
