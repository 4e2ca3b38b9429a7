//===- tests/jit/guard_code_test.cpp - machine code and meaning agree -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/engine.h"
#include "jit/guard_code.h"
#include "profiler/guard_words.h"
#include "runtime/guards.h"
#include "specializer/region_module.h"
#include "tests/specializer/test_region.h"
#include "gtest/gtest.h"
#include <random>

using namespace specrt;

namespace {

/// i32, i64, i8, i1, two pointers, double.
const std::vector<uint8_t> Kinds = {SPECRT_KIND_I32, SPECRT_KIND_I64,     SPECRT_KIND_I8,
                                    SPECRT_KIND_I1,  SPECRT_KIND_POINTER, SPECRT_KIND_POINTER,
                                    SPECRT_KIND_F64};
using Signature = void(int32_t, int64_t, int8_t, bool, void *, void *, double);

enum class Went { Nowhere, Body, Next } Last;
void body(int32_t, int64_t, int8_t, bool, void *, void *, double) { Last = Went::Body; }
void next(int32_t, int64_t, int8_t, bool, void *, void *, double) { Last = Went::Next; }

Engine &engine() {
  static Engine &E = *llvm::cantFail(Engine::create()).release();
  return E;
}

int64_t Global[8];

struct Arguments {
  int32_t I = 0;
  int64_t L = 0;
  int8_t C = 0;
  bool B = false;
  uint64_t P = 0, Q = 0;
  double D = 0;

  std::vector<uint64_t> pack() const {
    return {uint32_t(I), uint64_t(L), uint8_t(C), uint64_t(B), P, Q, packed(D)};
  }
};

class GuardCode : public testing::Test {
protected:
  GuardCode() : R(TestRegion::fromKinds(Kinds)) {
    Symbol = {"global", Global};
    R->region().symbols = &Symbol;
    R->region().num_symbols = 1;
    State.body = reinterpret_cast<void *>(&body);
    State.next = reinterpret_cast<void *>(&next);
    State.sample_mask = ~uint64_t{0};
  }
  ~GuardCode() override {
    if (Code.Library)
      llvm::cantFail(engine().unload(Code));
  }

  Signature *build(llvm::ArrayRef<specrt_guard> Guards) {
    if (Code.Library)
      llvm::cantFail(engine().unload(Code));
    auto Context = createQuietContext();
    auto M = llvm::cantFail(buildEntry(R->region(), Guards, false, &State, *Context));
    Code = llvm::cantFail(engine().load(llvm::cantFail(engine().compile(*M)), EntryName, {}));
    return reinterpret_cast<Signature *>(Code.Entry);
  }

  bool passes(Signature *Entry, const Arguments &A) {
    Last = Went::Nowhere;
    Entry(A.I, A.L, A.C, A.B, reinterpret_cast<void *>(A.P), reinterpret_cast<void *>(A.Q), A.D);
    EXPECT_NE(Last, Went::Nowhere);
    return Last == Went::Body;
  }

  std::unique_ptr<TestRegion> R;
  specrt_symbol Symbol;
  specrt_version_state State{};
  LoadedCode Code;
};

/// Values near the places where arithmetic changes its mind.
class Random {
public:
  explicit Random(unsigned Seed) : Engine(Seed) {}
  unsigned below(unsigned N) { return Engine() % N; }
  int64_t number() {
    switch (below(8)) {
    case 0:
      return INT64_MAX - below(3);
    case 1:
      return INT64_MIN + below(3);
    case 2:
      return int64_t(Engine());
    case 3:
      return int64_t{1} << below(63);
    default:
      return int64_t(below(41)) - 20;
    }
  }

  /// Polynomials are over integers (specrt/guard.h).
  unsigned integerArgument() {
    while (true)
      if (unsigned A = below(5); Kinds[A] >= SPECRT_KIND_I1 && Kinds[A] <= SPECRT_KIND_I64)
        return A;
  }

  specrt_polynomial polynomial() {
    specrt_polynomial P{};
    P.num_terms = below(4);
    for (unsigned T = 0; T < P.num_terms; ++T) {
      P.terms[T].coefficient = below(4) ? int64_t(below(17)) - 8 : number();
      P.terms[T].num_factors = below(3);
      for (unsigned I = 0; I < P.terms[T].num_factors; ++I)
        P.terms[T].factors[I] = integerArgument() | (below(3) ? 0 : SPECRT_FACTOR_UNSIGNED);
    }
    return P;
  }

  specrt_range range() {
    specrt_range Range{};
    Range.base.kind = below(3);
    Range.base.index = Range.base.kind == SPECRT_BASE_SYMBOL     ? 0
                       : Range.base.kind == SPECRT_BASE_ARGUMENT ? below(7)
                                                                 : 4 + below(2);
    Range.base.offset = Range.base.kind == SPECRT_BASE_LOADED ? 8 * below(4) : 0;
    Range.begin = polynomial();
    Range.end = polynomial();
    return Range;
  }

  specrt_guard guard() {
    specrt_guard G{};
    G.kind = below(3) ? SPECRT_GUARD_DISJOINT : 1 + below(6);
    G.arg = below(7);
    G.value = G.kind == SPECRT_GUARD_ALIGNED ? uint64_t{1} << below(7) : below(3);
    G.low = number();
    G.high = number();
    if (G.kind == SPECRT_GUARD_FP_ENVIRONMENT) {
      G.value = below(2) ? SPECRT_MXCSR_CONTROL : Engine();
      G.low = below(2) ? SPECRT_X87_CONTROL & Engine() : 0;
    }
    G.a = range();
    G.b = range();
    G.width = 1 << below(4);
    if (G.kind == SPECRT_GUARD_LOAD_EQUAL) {
      G.a.begin = {};
      G.a.begin.num_terms = 1;
      G.a.begin.terms[0].coefficient = below(24);
      G.a.base.kind = below(2) ? SPECRT_BASE_ARGUMENT : SPECRT_BASE_SYMBOL;
      G.a.base.index = G.a.base.kind == SPECRT_BASE_SYMBOL ? 0 : 4 + below(2);
    }
    return G;
  }

  Arguments arguments(int64_t *Memory) {
    Arguments A;
    A.I = int32_t(number());
    A.L = number();
    A.C = int8_t(number());
    A.B = below(2);
    // Readable: guards on memory presume it.
    A.P = packed(Memory + below(16));
    A.Q = packed(Memory + below(16));
    A.D = below(2) ? 1.5 : 0.0;
    return A;
  }

private:
  std::mt19937_64 Engine;
};

/// Modes that a program may set, with exceptions masked: the tests compute under them.
class RandomModes {
public:
  explicit RandomModes(Random &Source) : Mxcsr(__builtin_ia32_stmxcsr()) {
    asm volatile("fnstcw %0" : "=m"(X87));
    const uint32_t Modes[] = {0, 0x3f, 0x40, 0x2000, 0x6000, 0x8000, 0x8040};
    const uint16_t Changes[] = {0, 0, 0x100, 0x400, 0xc00};
    __builtin_ia32_ldmxcsr(SPECRT_MXCSR_DEFAULT | Modes[Source.below(7)]);
    uint16_t Other = SPECRT_X87_DEFAULT ^ Changes[Source.below(5)];
    asm volatile("fldcw %0" ::"m"(Other));
  }
  ~RandomModes() {
    __builtin_ia32_ldmxcsr(Mxcsr);
    asm volatile("fldcw %0" ::"m"(X87));
  }

private:
  uint32_t Mxcsr;
  uint16_t X87;
};

TEST_F(GuardCode, AgreesWithTheReferenceOnRandomGuards) {
  Random Source(20240607);
  int64_t Memory[64];
  unsigned NumHeld = 0;
  for (unsigned Round = 0; Round < 250; ++Round) {
    specrt_guard Guard = Source.guard();
    Signature *Entry = build(Guard);
    for (unsigned Call = 0; Call < 60; ++Call) {
      for (int64_t &Word : Memory)
        Word = Source.below(2) ? Source.number() : packed(Memory + Source.below(64));
      for (int64_t &Word : Global)
        Word = Source.below(3);
      Arguments A = Source.arguments(Memory);
      RandomModes Modes(Source);
      bool Expected = holds(Guard, R->region(), A.pack().data());
      NumHeld += Expected;
      ASSERT_EQ(passes(Entry, A), Expected) << describe(Guard, R->region()) << " round " << Round;
    }
  }
  EXPECT_GT(NumHeld, 1000u) << "the test must see guards that hold";
}

specrt_guard disjoint(specrt_polynomial End) {
  specrt_guard G{};
  G.kind = SPECRT_GUARD_DISJOINT;
  G.a.base = {SPECRT_BASE_ARGUMENT, 4, 0};
  G.b.base = {SPECRT_BASE_ARGUMENT, 5, 0};
  G.a.end = G.b.end = End;
  return G;
}

specrt_polynomial eightTimesArgument(unsigned Argument) {
  specrt_polynomial P{};
  P.num_terms = 1;
  P.terms[0].coefficient = 8;
  P.terms[0].num_factors = 1;
  P.terms[0].factors[0] = Argument;
  return P;
}

TEST_F(GuardCode, HalvesOfOneBufferAreDisjoint) {
  Signature *Entry = build(disjoint(eightTimesArgument(1)));
  Arguments A;
  A.L = 10;
  A.P = 0x1000;
  A.Q = 0x1000 + 80;
  EXPECT_TRUE(passes(Entry, A));
  A.Q -= 1;
  EXPECT_FALSE(passes(Entry, A));
  A.Q = 0x1000 - 80;
  EXPECT_TRUE(passes(Entry, A));
  A.L = 11;
  EXPECT_FALSE(passes(Entry, A));
}

TEST_F(GuardCode, SizeThatOverflowsDoesNotPass) {
  Signature *Entry = build(disjoint(eightTimesArgument(1)));
  Arguments A;
  A.P = 0x1000;
  A.Q = 0x100000;
  A.L = (INT64_MAX / 8) + 1;
  EXPECT_FALSE(passes(Entry, A));
}

TEST_F(GuardCode, EmptyRangeDoesNotReadItsBase) {
  specrt_guard G = disjoint(eightTimesArgument(1));
  G.a.base = {SPECRT_BASE_LOADED, 4, 16};
  Signature *Entry = build(G);
  Arguments A;
  A.P = 0; // reading address 16 would fault
  A.L = 0;
  EXPECT_TRUE(passes(Entry, A));
}

TEST_F(GuardCode, AllGuardsMustHold) {
  specrt_guard First{}, Second{};
  First.kind = Second.kind = SPECRT_GUARD_EQUAL;
  First.arg = 1;
  First.value = 7;
  Second.arg = 0;
  Second.value = uint32_t(-3);
  Signature *Entry = build({First, Second});
  Arguments A;
  A.L = 7;
  A.I = -3;
  EXPECT_TRUE(passes(Entry, A));
  A.I = 3;
  EXPECT_FALSE(passes(Entry, A));
  A.I = -3;
  A.L = 8;
  EXPECT_FALSE(passes(Entry, A));
}

TEST_F(GuardCode, FlagsAreNotModes) {
  specrt_guard G{};
  G.kind = SPECRT_GUARD_FP_ENVIRONMENT;
  G.value = SPECRT_MXCSR_CONTROL;
  Signature *Entry = build(G);
  uint32_t Before = __builtin_ia32_stmxcsr();
  auto PassesWith = [&](uint32_t Mxcsr) {
    __builtin_ia32_ldmxcsr(Mxcsr);
    bool Passed = passes(Entry, {});
    __builtin_ia32_ldmxcsr(Before);
    return Passed;
  };
  EXPECT_TRUE(PassesWith(0x1f80));
  EXPECT_TRUE(PassesWith(0x1fbf)) << "exceptions have happened";
  EXPECT_FALSE(PassesWith(0x9f80)) << "results are flushed";
  EXPECT_FALSE(PassesWith(0x1fc0)) << "operands are flushed";
  EXPECT_FALSE(PassesWith(0x3f80)) << "rounds down";
  EXPECT_FALSE(PassesWith(0x1d80)) << "a division by zero traps";
}

TEST_F(GuardCode, UnknownGuardsAreRefused) {
  auto Context = createQuietContext();
  auto Refused = [&](specrt_guard G) {
    auto M = buildEntry(R->region(), G, false, &State, *Context);
    if (M)
      return false;
    llvm::consumeError(M.takeError());
    return true;
  };
  specrt_guard G{};
  G.kind = 99;
  EXPECT_TRUE(Refused(G));
  G.kind = SPECRT_GUARD_EQUAL;
  G.arg = 7;
  EXPECT_TRUE(Refused(G));
  specrt_polynomial Unknown{};
  Unknown.num_terms = SPECRT_UNKNOWN;
  EXPECT_TRUE(Refused(disjoint(Unknown)));
}

} // namespace
