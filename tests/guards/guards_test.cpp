//===- tests/guards/guards_test.cpp - the meaning of guards --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/aligned.h"
#include "guards/disjoint.h"
#include "guards/equal.h"
#include "guards/fp_environment.h"
#include "guards/stack.h"
#include "guards/words.h"
#include "tests/guards/test_guards.h"

#include <cerrno>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <thread>

namespace specrt {
namespace {

const uint8_t Kinds[] = {SPECRT_KIND_I32,     SPECRT_KIND_I64,     SPECRT_KIND_F64,
                         SPECRT_KIND_POINTER, SPECRT_KIND_POINTER, SPECRT_KIND_I8};
const char *const Names[] = {"n", "m", "x", "A", "B", ""};
int Global;
const specrt_symbol Symbols[] = {{"Global", &Global}};

specrt_region region() {
  specrt_region R = regionWith(Kinds, Names);
  R.num_symbols = 1;
  R.symbols = Symbols;
  return R;
}

specrt_polynomial product(int64_t C, std::initializer_list<uint16_t> Factors) {
  specrt_polynomial P{};
  P.num_terms = 1;
  P.terms[0].coefficient = C;
  for (uint16_t F : Factors)
    P.terms[0].factors[P.terms[0].num_factors++] = F;
  return P;
}

specrt_range range(uint16_t Argument, specrt_polynomial Begin, specrt_polynomial End) {
  return {{SPECRT_BASE_ARGUMENT, Argument, 0}, Begin, End};
}

GuardList disjoint(const specrt_range &A, const specrt_range &B) {
  return specrt::disjoint(viewOf(A), viewOf(B));
}

std::string describeAll(const GuardList &Guards, const specrt_region &R) {
  std::string Text;
  for (const specrt_guard &Guard : Guards)
    Text += (Text.empty() ? "" : "; ") + describe(Guard, R);
  return Text;
}

constexpr specrt_base A{SPECRT_BASE_ARGUMENT, 3, 0}, B{SPECRT_BASE_ARGUMENT, 4, 0};

TEST(PolynomialTest, SignsWidthsAndOverflow) {
  specrt_region R = region();
  uint64_t Packed[6] = {0xffffffffu, static_cast<uint64_t>(INT64_MAX), 0, 0, 0, 0x80};
  EXPECT_EQ(evaluate(specrt_polynomial{}, R, Packed), 0);
  EXPECT_EQ(evaluate(product(3, {0}), R, Packed), -3);
  EXPECT_EQ(evaluate(product(3, {SPECRT_FACTOR_UNSIGNED}), R, Packed), 3 * 0xffffffffll);
  EXPECT_EQ(evaluate(product(1, {5}), R, Packed), -128);
  EXPECT_EQ(evaluate(product(1, {5 | SPECRT_FACTOR_UNSIGNED}), R, Packed), 128);
  EXPECT_FALSE(evaluate(product(2, {1}), R, Packed));
  specrt_polynomial Sum = product(1, {1});
  Sum.num_terms = 2;
  Sum.terms[1].coefficient = 1;
  EXPECT_FALSE(evaluate(Sum, R, Packed));
  Sum.num_terms = SPECRT_UNKNOWN;
  EXPECT_FALSE(evaluate(Sum, R, Packed));
  EXPECT_FALSE(evaluate(product(1, {17}), R, Packed));
  Packed[1] = ~uint64_t{0};
  EXPECT_FALSE(evaluate(product(1, {1 | SPECRT_FACTOR_UNSIGNED}), R, Packed));
}

TEST(GuardTest, EqualAndRangeAndAlignment) {
  specrt_region R = region();
  uint64_t Packed[6] = {static_cast<uint32_t>(-5), 7, 0, 64, 72, 0};
  GuardList Equal = listOf(EqualGuard(0, static_cast<uint32_t>(-5)));
  EXPECT_TRUE(allHold(Equal, R, Packed));
  EXPECT_EQ(describeAll(Equal, R), "n == -5");
  EXPECT_FALSE(allHold(listOf(EqualGuard(0, 5)), R, Packed));
  EXPECT_TRUE(allHold(listOf(InRangeGuard(0, -5, -5)), R, Packed));
  GuardList Range = listOf(InRangeGuard(0, -4, 10));
  EXPECT_FALSE(allHold(Range, R, Packed));
  EXPECT_EQ(describeAll(Range, R), "-4 <= n <= 10");
  EXPECT_FALSE(allHold(listOf(InRangeGuard(0, -9, -6)), R, Packed));
  GuardList Aligned = listOf(AlignedGuard(A, 16));
  EXPECT_TRUE(allHold(Aligned, R, Packed));
  EXPECT_EQ(describeAll(Aligned, R), "A is a multiple of 16");
  EXPECT_FALSE(allHold(listOf(AlignedGuard(B, 16)), R, Packed));
}

TEST(GuardTest, TwoArgumentsAreTheSame) {
  specrt_region R = region();
  uint64_t Packed[6] = {0, 7, 0, 64, 64, 0};
  EXPECT_TRUE(allHold(listOf(SameGuard(3, 4)), R, Packed));
  EXPECT_EQ(describeAll(listOf(SameGuard(3, 4)), R), "A == B");
  Packed[4] = 72;
  EXPECT_FALSE(allHold(listOf(SameGuard(3, 4)), R, Packed));
  EXPECT_FALSE(SameGuard(3, 6).holds(R, Packed));
  EXPECT_NE(SameGuard(3, 6).problem(R), nullptr);
  EXPECT_EQ(SameGuard(3, 4).problem(R), nullptr);
}

TEST(GuardTest, RangesBesideErrno) {
  specrt_region R = region();
  const GuardList G =
      specrt::disjoint({A, constantPolynomial(-4), constantPolynomial(4)},
                       {{SPECRT_BASE_ERRNO, 0, 0}, constantPolynomial(0), constantPolynomial(4)});
  EXPECT_EQ(problemOf(G.plain(), R), nullptr);
  EXPECT_TRUE(isCalled(*G.begin()));
  const auto Errno = reinterpret_cast<uint64_t>(&errno);
  uint64_t Packed[6] = {0, 7, 0, 0, 64, 0};
  for (int64_t Distance = -8; Distance <= 12; ++Distance) {
    Packed[3] = Errno + static_cast<uint64_t>(Distance);
    EXPECT_EQ(allHold(G, R, Packed), Distance <= -4 || Distance >= 8) << Distance;
  }
  EXPECT_EQ(describeAll(G, R), "A[-4, 4) and errno[0, 4) do not overlap");
  Packed[3] = Errno;
  // Each thread has its own errno.
  std::thread([&] { EXPECT_TRUE(allHold(G, R, Packed)); }).join();
}

TEST(GuardTest, TwoHalvesOfOneBufferAreDisjoint) {
  specrt_region R = region();
  // A[0, 8n) and B[0, 8n) with B = A + 8n, then one byte closer.
  GuardList G = disjoint(range(3, constantPolynomial(0), product(8, {0})),
                         range(4, constantPolynomial(0), product(8, {0})));
  uint64_t Packed[6] = {100, 0, 0, 1000, 1800, 0};
  EXPECT_TRUE(allHold(G, R, Packed));
  EXPECT_EQ(describeAll(G, R), "A[0, 8*n) and B[0, 8*n) do not overlap");
  Packed[4] = 1799;
  EXPECT_FALSE(allHold(G, R, Packed));
  Packed[0] = 0; // empty ranges share nothing
  EXPECT_TRUE(allHold(G, R, Packed));
  Packed[0] = static_cast<uint32_t>(-3);
  EXPECT_TRUE(allHold(G, R, Packed));
  // Unknown bounds never hold.
  specrt_polynomial Unknown{};
  Unknown.num_terms = SPECRT_UNKNOWN;
  EXPECT_FALSE(allHold(disjoint(range(3, constantPolynomial(0), Unknown),
                                range(4, constantPolynomial(0), constantPolynomial(8))),
                       R, Packed));
}

TEST(GuardTest, WhereAnEmptyRangeLiesDoesNotMatter) {
  specrt_region R = region();
  const specrt_range Nothing = {{SPECRT_BASE_LOADED, 3, 16}, {}, product(8, {0})};
  const specrt_range Some = range(4, constantPolynomial(0), constantPolynomial(8));
  // Nothing is read: there need not be a pointer to it.
  uint64_t Packed[6] = {0, 0, 0, 0, 1000, 0};
  EXPECT_TRUE(allHold(disjoint(Nothing, Some), R, Packed));
  EXPECT_TRUE(allHold(disjoint(Some, Nothing), R, Packed));
  // Not even when the other wraps around the address space, which is refused otherwise.
  const specrt_range Empty = range(3, constantPolynomial(8), constantPolynomial(8));
  const specrt_range Byte = range(3, constantPolynomial(0), constantPolynomial(1));
  Packed[3] = 5000;
  Packed[4] = UINT64_MAX - 3;
  EXPECT_TRUE(allHold(disjoint(Empty, Some), R, Packed));
  EXPECT_TRUE(allHold(disjoint(Some, Empty), R, Packed));
  EXPECT_FALSE(allHold(disjoint(Byte, Some), R, Packed));
  EXPECT_FALSE(allHold(disjoint(Some, Byte), R, Packed));
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
    GuardList G = disjoint(range(3, constantPolynomial(BeginA), constantPolynomial(EndA)),
                           range(4, constantPolynomial(BeginB), constantPolynomial(EndB)));
    ASSERT_EQ(allHold(G, R, Packed), !Shared);
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
  EXPECT_TRUE(allHold(loadEqual(A, 8, 4, 0xfffffffe), R, Packed));
  // Zero-extended, not sign-extended.
  EXPECT_FALSE(allHold(loadEqual(A, 8, 4, 0xfffffffffffffffe), R, Packed));
  EXPECT_FALSE(allHold(loadEqual(A, 8, 3, 0xfffffe), R, Packed));
  EXPECT_EQ(describeAll(loadEqual(A, 8, 4, 7), R), "the 4 bytes at A + 8 == 7");
  specrt_range Loaded{{SPECRT_BASE_LOADED, 3, 16}, constantPolynomial(0), constantPolynomial(4)};
  specrt_range Symbol{{SPECRT_BASE_SYMBOL, 0, 0}, constantPolynomial(0), constantPolynomial(4)};
  specrt_range Next{{SPECRT_BASE_SYMBOL, 0, 0}, constantPolynomial(4), constantPolynomial(8)};
  EXPECT_FALSE(allHold(disjoint(Loaded, Symbol), R, Packed));
  EXPECT_TRUE(allHold(disjoint(Loaded, Next), R, Packed));
  EXPECT_EQ(describeAll(disjoint(Loaded, Next), R),
            "*(A + 16)[0, 4) and Global[4, 8) do not overlap");
}

TEST(GuardTest, BasesAreTakenApartAsTheyWereMade) {
  for (const specrt_base &Root : {A, specrt_base{SPECRT_BASE_SYMBOL, 0, 0}})
    for (int64_t Outer : {0, 8, -8, 32767, -32768})
      for (int64_t Inner : {0, 16, -24, 32767, -32768}) {
        const auto Once = loadedFrom(Root, Outer);
        ASSERT_TRUE(Once);
        EXPECT_TRUE(isLoaded(*Once));
        EXPECT_TRUE(isSameBase(holderOf(*Once), Root));
        EXPECT_EQ(cellOf(*Once), Outer);
        const auto Twice = loadedFrom(*Once, Inner);
        ASSERT_TRUE(Twice);
        EXPECT_TRUE(isSameBase(holderOf(*Twice), *Once));
        EXPECT_EQ(cellOf(*Twice), Inner);
        EXPECT_FALSE(loadedFrom(*Twice, 0));
        EXPECT_FALSE(isSameBase(*Twice, *Once));
      }
  EXPECT_FALSE(loadedFrom(*loadedFrom(A, 32768), 0));
  EXPECT_FALSE(loadedFrom(A, int64_t{1} << 31));
  EXPECT_FALSE(isLoaded(A));
  EXPECT_EQ(describe(*loadedFrom(*loadedFrom(A, 8), -16), region()), "*(*(A + 8) + -16)");
}

TEST(GuardTest, FloatingPointEnvironment) {
  specrt_region R = region();
  GuardList G = listOf(FpEnvironmentGuard(MxcsrControl, 0));
  auto HoldsWith = [&](uint32_t Mxcsr, uint16_t X87) {
    uint32_t Before = __builtin_ia32_stmxcsr();
    uint16_t BeforeX87;
    asm volatile("fnstcw %0" : "=m"(BeforeX87));
    __builtin_ia32_ldmxcsr(Mxcsr);
    asm volatile("fldcw %0" ::"m"(X87));
    bool Holds = allHold(G, R, nullptr);
    asm volatile("fldcw %0" ::"m"(BeforeX87));
    __builtin_ia32_ldmxcsr(Before);
    return Holds;
  };
  EXPECT_TRUE(HoldsWith(0x1fa3, 0x27f)) << "only the x87 and flags differ";
  EXPECT_FALSE(HoldsWith(0x9fc0, 0x37f));
  EXPECT_EQ(describeAll(G, R),
            "floating point rounds to nearest, keeps denormals and does not trap");
  G = listOf(FpEnvironmentGuard(MxcsrControl & ~MxcsrDenormals, X87Control));
  EXPECT_TRUE(HoldsWith(0x9fc0, 0x37f));
  EXPECT_FALSE(HoldsWith(0x1f80, 0x27f)) << "double precision";
  EXPECT_FALSE(HoldsWith(0x1f80, 0xb7f)) << "rounds up";
  EXPECT_EQ(describeAll(G, R), "floating point (x87 too) rounds to nearest and does not trap");
}

TEST(GuardTest, RoomOnTheStack) {
  const specrt_region R = region();
  const GuardList G = listOf(StackGuard(64 * 1024));
  EXPECT_TRUE(allHold(G, R, nullptr)) << "the main thread has 8 MB";
  EXPECT_EQ(describeAll(G, R), "the main thread has 64 KB of stack left");
  bool Holds = true;
  std::thread([&] { Holds = allHold(G, R, nullptr); }).join();
  EXPECT_FALSE(Holds) << "nobody knows how large other stacks are";
  EXPECT_NE(problemOf(listOf(StackGuard(0)).plain(), R), nullptr);
  EXPECT_NE(problemOf(listOf(StackGuard(StackGuard::MaxBytes + 1)).plain(), R), nullptr);
}

TEST(GuardTest, ValuesAsTheSourceWritesThem) {
  double X = 0.1;
  uint64_t Bits;
  std::memcpy(&Bits, &X, sizeof(Bits));
  EXPECT_EQ(describeValue(SPECRT_KIND_F64, Bits), "0.10000000000000001");
  EXPECT_EQ(describeValue(SPECRT_KIND_I8, 0xff), "-1");
  EXPECT_EQ(describeValue(SPECRT_KIND_POINTER, 255), "0xff");
}

TEST(GuardTest, ArgumentsWithoutANameAreCalledWhatTheyAre) {
  const uint8_t Kinds[] = {SPECRT_KIND_POINTER, SPECRT_KIND_I32, SPECRT_KIND_POINTER,
                           SPECRT_KIND_F64,     SPECRT_KIND_I64, SPECRT_KIND_I1};
  const char *Names[] = {"", "n", "", "", "", ""};
  specrt_region R{};
  R.num_args = 6;
  R.arg_kinds = Kinds;
  std::string Found;
  for (uint32_t I = 0; I < 7; ++I)
    Found += argumentName(R, I) + ", ";
  EXPECT_EQ(Found, "1st array, size 1, 2nd array, number 1, size 2, flag 1, argument 6, ");
  R.arg_names = Names;
  EXPECT_EQ(argumentName(R, 1), "n");
  EXPECT_EQ(argumentName(R, 4), "size 2");
}

TEST(GuardTest, MemoryIsCalledWhatTheSourceCallsIt) {
  const uint8_t Kinds[] = {SPECRT_KIND_POINTER};
  const char *Names[] = {"this"};
  const specrt_base This{SPECRT_BASE_ARGUMENT, 0, 0}, Rows{SPECRT_BASE_LOADED, 0, 8};
  const specrt_memory_name Memory[] = {{This, 4, "this->nx"}, {This, 8, "this->a"}};
  specrt_region R{};
  R.size = sizeof(R);
  R.num_args = 1;
  R.arg_kinds = Kinds;
  R.arg_names = Names;
  EXPECT_EQ(describe(specrt_cell{This, 4, 4, 1}, R), "the 4 bytes at this + 4");
  EXPECT_EQ(describe(Rows, R), "*(this + 8)");
  EXPECT_EQ(describe(specrt_base{SPECRT_BASE_LOADED, 0, 0}, R), "this[0]") << "a row pointer's row";
  R.memory_names = Memory;
  R.num_memory_names = 2;
  EXPECT_EQ(describe(specrt_cell{This, 4, 4, 1}, R), "this->nx");
  EXPECT_EQ(describe(Rows, R), "this->a");
  GuardList G;
  const specrt_term Four{4, 0, {}};
  appendLoadEqual(G, This, {&Four, 1}, 4, 300);
  EXPECT_EQ(describe(*GuardView(G).begin(), R), "this->nx == 300");
}

TEST(GuardTest, SymbolsAreReadAsTheyWereWritten) {
  EXPECT_EQ(demangled("_ZN4Heat4stepEd"), "Heat::step(double)");
  EXPECT_EQ(demangled("_Z6jacobii.omp_outlined.3"), "jacobi(int) (OpenMP loop)");
  EXPECT_EQ(demangled("_ZN12_GLOBAL__N_15Plate3runEi"), "Plate::run(int)");
  EXPECT_EQ(demangled("main"), "main");
  EXPECT_EQ(demangled("_Zebra"), "_Zebra");
  specrt_region R{};
  R.name = "_Z6jacobii.omp_outlined:7";
  EXPECT_EQ(titleOf(R), "jacobi(int) (OpenMP loop):7") << "of a program of an older libspecrt";
  R.size = sizeof(R);
  R.title = "Heat::step:10, inlined into main";
  EXPECT_EQ(titleOf(R), "Heat::step:10, inlined into main");
  EXPECT_EQ(shortTitleOf(R), "Heat::step:10");
}

} // namespace
} // namespace specrt
