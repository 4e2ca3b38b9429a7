//===- tests/guards/polynomial_test.cpp - polynomials on packed arguments -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/polynomial.h"

#include "tests/profiler/test_region.h"
#include <gtest/gtest.h>
#include <random>

using namespace specrt;
using namespace specrt_test;

namespace {

constexpr uint16_t Unsigned = SPECRT_FACTOR_UNSIGNED;

TEST(Polynomial, ReadsArgumentsByTheirKind) {
  const uint8_t Kinds[] = {SPECRT_KIND_I1, SPECRT_KIND_I8, SPECRT_KIND_I32, SPECRT_KIND_I64};
  const uint64_t Packed[] = {1, 0xff, 0xfffffffe, 0xfffffffffffffffd};
  auto Value = [&](uint16_t Factor) {
    return evaluate(polynomial({term(1, {Factor})}), Kinds, 4, Packed);
  };
  EXPECT_EQ(Value(0), 1);
  EXPECT_EQ(Value(1), -1);
  EXPECT_EQ(Value(1 | Unsigned), 255);
  EXPECT_EQ(Value(2), -2);
  EXPECT_EQ(Value(2 | Unsigned), 4294967294);
  EXPECT_EQ(Value(3), -3);
  EXPECT_EQ(Value(3 | Unsigned), std::nullopt);
}

TEST(Polynomial, RefusesWhatIsNotOne) {
  const uint8_t Kinds[] = {SPECRT_KIND_F64, SPECRT_KIND_POINTER, SPECRT_KIND_I64};
  const uint64_t Packed[] = {0, 0, INT64_MAX};
  auto Value = [&](specrt_polynomial P) { return evaluate(P, Kinds, 3, Packed); };
  EXPECT_EQ(Value(polynomial({})), 0);
  EXPECT_EQ(Value(unknown()), std::nullopt);
  EXPECT_EQ(Value(polynomial({term(1, {0})})), std::nullopt);
  EXPECT_EQ(Value(polynomial({term(1, {1})})), std::nullopt);
  EXPECT_EQ(Value(polynomial({term(1, {3})})), std::nullopt);
  EXPECT_EQ(Value(polynomial({term(2, {2})})), std::nullopt);
  EXPECT_EQ(Value(polynomial({term(1, {2}), term(1)})), std::nullopt);
  specrt_polynomial TooMany = polynomial({});
  TooMany.num_terms = SPECRT_MAX_TERMS + 1;
  EXPECT_EQ(Value(TooMany), std::nullopt);
  specrt_polynomial TooWide = polynomial({term(1)});
  TooWide.terms[0].num_factors = SPECRT_MAX_FACTORS + 1;
  EXPECT_EQ(Value(TooWide), std::nullopt);
}

/// Exact steps in 128 bits; nothing as soon as one leaves 64.
std::optional<int64_t> reference(const specrt_polynomial &P, const std::vector<uint8_t> &Kinds,
                                 const std::vector<uint64_t> &Packed) {
  auto Fits = [](__int128 V) { return V >= INT64_MIN && V <= INT64_MAX; };
  __int128 Sum = 0;
  for (int T = 0; T < P.num_terms; ++T) {
    __int128 Product = P.terms[T].coefficient;
    for (int F = 0; F < P.terms[T].num_factors; ++F) {
      uint16_t A = P.terms[T].factors[F] & 0x7fff;
      unsigned Shift = Kinds[A] == SPECRT_KIND_I32 ? 32 : 0;
      __int128 Value = P.terms[T].factors[F] & Unsigned
                           ? static_cast<__int128>(Packed[A])
                           : static_cast<int64_t>(Packed[A] << Shift) >> Shift;
      if (!Fits(Value))
        return std::nullopt;
      Product *= Value;
      if (!Fits(Product))
        return std::nullopt;
    }
    Sum += Product;
    if (!Fits(Sum))
      return std::nullopt;
  }
  return static_cast<int64_t>(Sum);
}

TEST(Polynomial, AgreesWithExactArithmetic) {
  std::mt19937_64 Random(3);
  auto Number = [&] { return Random() >> (Random() % 64); };
  unsigned Known = 0, Overflows = 0;
  for (int Case = 0; Case < 100000; ++Case) {
    std::vector<uint8_t> Kinds;
    std::vector<uint64_t> Packed;
    for (int A = 0; A < 3; ++A) {
      Kinds.push_back(Random() % 2 ? SPECRT_KIND_I32 : SPECRT_KIND_I64);
      Packed.push_back(Kinds.back() == SPECRT_KIND_I32 ? static_cast<uint32_t>(Number())
                                                       : Number());
    }
    specrt_polynomial P{};
    P.num_terms = Random() % 5;
    for (int T = 0; T < P.num_terms; ++T) {
      P.terms[T].coefficient = static_cast<int64_t>(Number()) * (Random() % 2 ? 1 : -1);
      P.terms[T].num_factors = Random() % 4;
      for (int F = 0; F < P.terms[T].num_factors; ++F)
        P.terms[T].factors[F] = Random() % 3 | (Random() % 2 ? Unsigned : 0);
    }
    auto Expected = reference(P, Kinds, Packed);
    ASSERT_EQ(evaluate(P, Kinds.data(), 3, Packed.data()), Expected);
    ++(Expected ? Known : Overflows);
  }
  EXPECT_GT(Known, 10000u);
  EXPECT_GT(Overflows, 10000u);
}

TEST(Polynomial, IsTheSameTermByTerm) {
  const specrt_polynomial P = polynomial({term(8, {0, 1}), term(3)});
  EXPECT_TRUE(isSamePolynomial(P, polynomial({term(8, {0, 1}), term(3)})));
  for (const specrt_polynomial &Other :
       {polynomial({}), polynomial({term(8, {0, 1})}),
        polynomial({term(8, {0, 1}), term(3), term(1)}), polynomial({term(3), term(8, {0, 1})}),
        polynomial({term(7, {0, 1}), term(3)}), polynomial({term(8, {1, 0}), term(3)}),
        polynomial({term(8, {0}), term(3)}), polynomial({term(8, {0, 1, 1}), term(3)}),
        polynomial({term(8, {0, 1 | Unsigned}), term(3)}), unknown()}) {
    EXPECT_FALSE(isSamePolynomial(P, Other));
    EXPECT_FALSE(isSamePolynomial(Other, P));
  }
  EXPECT_TRUE(isSamePolynomial(polynomial({}), polynomial({})));
  // What lies behind a polynomial's terms and a term's factors is not part of them.
  specrt_polynomial Padded = P;
  Padded.terms[1].factors[0] = 1;
  Padded.terms[2].coefficient = 5;
  EXPECT_TRUE(isSamePolynomial(P, Padded));
}

} // namespace
