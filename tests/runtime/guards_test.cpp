//===- tests/runtime/guards_test.cpp - the meaning of guards --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/guard_words.h"
#include "runtime/guards.h"

#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace specrt {
namespace {

const uint8_t Kinds[] = {SPECRT_KIND_I32,     SPECRT_KIND_I64,     SPECRT_KIND_F64,
                         SPECRT_KIND_POINTER, SPECRT_KIND_POINTER, SPECRT_KIND_I8};
const char *const Names[] = {"n", "m", "x", "A", "B", ""};
int Global;
const specrt_symbol Symbols[] = {{"Global", &Global}};

specrt_region region() {
  specrt_region R{};
  R.num_args = 6;
  R.arg_kinds = Kinds;
  R.arg_names = Names;
  R.num_symbols = 1;
  R.symbols = Symbols;
  return R;
}

specrt_polynomial constant(int64_t C) {
  specrt_polynomial P{};
  P.num_terms = 1;
  P.terms[0].coefficient = C;
  return P;
}

specrt_polynomial product(int64_t C, std::initializer_list<uint16_t> Factors) {
  specrt_polynomial P = constant(C);
  for (uint16_t F : Factors)
    P.terms[0].factors[P.terms[0].num_factors++] = F;
  return P;
}

specrt_range range(uint16_t Argument, specrt_polynomial Begin, specrt_polynomial End) {
  return {{SPECRT_BASE_ARGUMENT, Argument, 0}, Begin, End};
}

specrt_guard disjoint(specrt_range A, specrt_range B) {
  specrt_guard G{};
  G.kind = SPECRT_GUARD_DISJOINT;
  G.a = A;
  G.b = B;
  return G;
}

TEST(PolynomialTest, SignsWidthsAndOverflow) {
  specrt_region R = region();
  uint64_t Packed[6] = {0xffffffffu, static_cast<uint64_t>(INT64_MAX), 0, 0, 0, 0x80};
  EXPECT_EQ(evaluatePolynomial(specrt_polynomial{}, R, Packed), 0);
  EXPECT_EQ(evaluatePolynomial(product(3, {0}), R, Packed), -3);
  EXPECT_EQ(evaluatePolynomial(product(3, {SPECRT_FACTOR_UNSIGNED}), R, Packed), 3 * 0xffffffffll);
  EXPECT_EQ(evaluatePolynomial(product(1, {5}), R, Packed), -128);
  EXPECT_EQ(evaluatePolynomial(product(1, {5 | SPECRT_FACTOR_UNSIGNED}), R, Packed), 128);
  EXPECT_FALSE(evaluatePolynomial(product(2, {1}), R, Packed));
  specrt_polynomial Sum = product(1, {1});
  Sum.num_terms = 2;
  Sum.terms[1].coefficient = 1;
  EXPECT_FALSE(evaluatePolynomial(Sum, R, Packed));
  Sum.num_terms = SPECRT_UNKNOWN;
  EXPECT_FALSE(evaluatePolynomial(Sum, R, Packed));
  EXPECT_FALSE(evaluatePolynomial(product(1, {17}), R, Packed));
  Packed[1] = ~uint64_t{0};
  EXPECT_FALSE(evaluatePolynomial(product(1, {1 | SPECRT_FACTOR_UNSIGNED}), R, Packed));
}

TEST(GuardTest, EqualAndRangeAndAlignment) {
  specrt_region R = region();
  uint64_t Packed[6] = {static_cast<uint32_t>(-5), 7, 0, 64, 72, 0};
  specrt_guard G{};
  G.kind = SPECRT_GUARD_EQUAL;
  G.value = static_cast<uint32_t>(-5);
  EXPECT_TRUE(holds(G, R, Packed));
  EXPECT_EQ(describe(G, R), "n == -5");
  G.value = 5;
  EXPECT_FALSE(holds(G, R, Packed));
  G.kind = SPECRT_GUARD_IN_RANGE;
  G.low = -5;
  G.high = -5;
  EXPECT_TRUE(holds(G, R, Packed));
  G.low = -4;
  G.high = 10;
  EXPECT_FALSE(holds(G, R, Packed));
  EXPECT_EQ(describe(G, R), "-4 <= n <= 10");
  G.kind = SPECRT_GUARD_ALIGNED;
  G.value = 16;
  G.a.base.index = 3;
  EXPECT_TRUE(holds(G, R, Packed));
  EXPECT_EQ(describe(G, R), "A is a multiple of 16");
  G.a.base.index = 4;
  EXPECT_FALSE(holds(G, R, Packed));
  G.kind = 77;
  EXPECT_FALSE(holds(G, R, Packed));
}

TEST(GuardTest, TwoHalvesOfOneBufferAreDisjoint) {
  specrt_region R = region();
  // A[0, 8n) and B[0, 8n) with B = A + 8n, then one byte closer.
  specrt_guard G =
      disjoint(range(3, constant(0), product(8, {0})), range(4, constant(0), product(8, {0})));
  uint64_t Packed[6] = {100, 0, 0, 1000, 1800, 0};
  EXPECT_TRUE(holds(G, R, Packed));
  EXPECT_EQ(describe(G, R), "A[0, 8*n) and B[0, 8*n) do not overlap");
  Packed[4] = 1799;
  EXPECT_FALSE(holds(G, R, Packed));
  Packed[0] = 0; // empty ranges share nothing
  EXPECT_TRUE(holds(G, R, Packed));
  Packed[0] = static_cast<uint32_t>(-3);
  EXPECT_TRUE(holds(G, R, Packed));
  // Unknown bounds never hold.
  G.a.end.num_terms = SPECRT_UNKNOWN;
  EXPECT_FALSE(holds(G, R, Packed));
}

TEST(GuardTest, DisjointAgreesWithByteSets) {
  specrt_region R = region();
  std::mt19937 Random(1);
  for (int I = 0; I < 20000; ++I) {
    int64_t BeginA = Random() % 20, EndA = Random() % 20, BeginB = Random() % 20,
            EndB = Random() % 20;
    uint64_t Packed[6] = {0, 0, 0, 1000 + Random() % 20, 1000 + Random() % 20, 0};
    bool Shared = false;
    for (int64_t A = BeginA; A < EndA; ++A)
      for (int64_t B = BeginB; B < EndB; ++B)
        Shared |= Packed[3] + static_cast<uint64_t>(A) == Packed[4] + static_cast<uint64_t>(B);
    specrt_guard G = disjoint(range(3, constant(BeginA), constant(EndA)),
                              range(4, constant(BeginB), constant(EndB)));
    ASSERT_EQ(holds(G, R, Packed), !Shared);
  }
}

TEST(GuardTest, SymbolsAndMemory) {
  specrt_region R = region();
  struct {
    int64_t Padding;
    int32_t N;
    int32_t *Rows;
  } Object = {0, -2, &Global};
  uint64_t Packed[6] = {0, 0, 0, reinterpret_cast<uint64_t>(&Object), 0, 0};
  specrt_guard G{};
  G.kind = SPECRT_GUARD_LOAD_EQUAL;
  G.width = 4;
  G.value = 0xfffffffe;
  G.a = range(3, constant(8), constant(0));
  EXPECT_TRUE(holds(G, R, Packed));
  G.value = 0xfffffffffffffffe; // zero-extended, not sign-extended
  EXPECT_FALSE(holds(G, R, Packed));
  G.width = 3;
  EXPECT_FALSE(holds(G, R, Packed));
  specrt_range Loaded{{SPECRT_BASE_LOADED, 3, 16}, constant(0), constant(4)};
  specrt_range Symbol{{SPECRT_BASE_SYMBOL, 0, 0}, constant(0), constant(4)};
  specrt_range Next{{SPECRT_BASE_SYMBOL, 0, 0}, constant(4), constant(8)};
  EXPECT_FALSE(holds(disjoint(Loaded, Symbol), R, Packed));
  EXPECT_TRUE(holds(disjoint(Loaded, Next), R, Packed));
  EXPECT_EQ(describe(disjoint(Loaded, Next), R), "*(A + 16)[0, 4) and Global[4, 8) do not overlap");
}

TEST(GuardTest, FloatingPointEnvironment) {
  specrt_region R = region();
  specrt_guard G{};
  G.kind = SPECRT_GUARD_FP_ENVIRONMENT;
  G.value = SPECRT_MXCSR_CONTROL;
  auto HoldsWith = [&](uint32_t Mxcsr, uint16_t X87) {
    uint32_t Before = __builtin_ia32_stmxcsr();
    uint16_t BeforeX87;
    asm volatile("fnstcw %0" : "=m"(BeforeX87));
    __builtin_ia32_ldmxcsr(Mxcsr);
    asm volatile("fldcw %0" ::"m"(X87));
    bool Holds = holds(G, R, nullptr);
    asm volatile("fldcw %0" ::"m"(BeforeX87));
    __builtin_ia32_ldmxcsr(Before);
    return Holds;
  };
  EXPECT_TRUE(HoldsWith(0x1fa3, 0x27f)) << "only the x87 and flags differ";
  EXPECT_FALSE(HoldsWith(0x9fc0, 0x37f));
  EXPECT_EQ(describe(G, R), "floating point rounds to nearest, keeps denormals and does not trap");
  G.value &= ~uint64_t{SPECRT_MXCSR_DENORMALS};
  G.low = SPECRT_X87_CONTROL;
  EXPECT_TRUE(HoldsWith(0x9fc0, 0x37f));
  EXPECT_FALSE(HoldsWith(0x1f80, 0x27f)) << "double precision";
  EXPECT_FALSE(HoldsWith(0x1f80, 0xb7f)) << "rounds up";
  EXPECT_EQ(describe(G, R), "floating point (x87 too) rounds to nearest and does not trap");
}

TEST(GuardTest, ValuesAsTheSourceWritesThem) {
  double X = 0.1;
  uint64_t Bits;
  std::memcpy(&Bits, &X, sizeof(Bits));
  EXPECT_EQ(describeValue(SPECRT_KIND_F64, Bits), "0.10000000000000001");
  EXPECT_EQ(describeValue(SPECRT_KIND_I8, 0xff), "-1");
  EXPECT_EQ(describeValue(SPECRT_KIND_POINTER, 255), "0xff");
  EXPECT_EQ(argumentName(region(), 5), "arg5");
}

} // namespace
} // namespace specrt
