//===- tests/jit/guard_code_test.cpp - machine code and meaning agree -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/words.h"
#include "jit/code/engine.h"
#include "specializer/module/region_module.h"
#include "tests/guards/test_guards.h"
#include "tests/jit/entry_in_memory.h"
#include "tests/specializer/test_region.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "gtest/gtest.h"
#include <cerrno>
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
unsigned NumCalls; ///< of specrt_version_state::holds

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
    State.sample_mask = State.miss_mask = ~uint64_t{0};
    State.region = &R->region();
    State.holds = [](const specrt_guard *Guard, const specrt_region *Region,
                     const uint64_t *Packed) -> uint32_t {
      ++NumCalls;
      return holds(*Guard, *Region, Packed);
    };
  }
  ~GuardCode() override {
    if (Code.Library)
      llvm::cantFail(engine().unload(Code));
  }

  /// ByCalls: no guard gets code of its own.
  Signature *build(GuardView Guards, bool ByCalls = false) {
    if (Code.Library)
      llvm::cantFail(engine().unload(Code));
    auto Context = createQuietContext();
    auto M = llvm::cantFail(buildEntry(R->region(), Guards, false, &State, *Context, ByCalls));
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
    Range.base.kind = below(4);
    Range.base.index = Range.base.kind == SPECRT_BASE_ARGUMENT ? below(7)
                       : Range.base.kind == SPECRT_BASE_LOADED ? 4 + below(2)
                                                               : 0;
    Range.base.offset = Range.base.kind >= SPECRT_BASE_LOADED ? 8 * below(4) : 0;
    Range.begin = polynomial();
    Range.end = polynomial();
    return Range;
  }

  specrt_base readableBase() {
    if (below(2))
      return {SPECRT_BASE_SYMBOL, 0, 0};
    return {SPECRT_BASE_ARGUMENT, uint16_t(4 + below(2)), 0};
  }

  GuardList guard() {
    switch (below(3) ? 3 : below(8)) {
    case 7:
      return listOf(SameGuard(below(7), below(7)));
    case 0:
      return listOf(EqualGuard(below(7), below(3)));
    case 1:
      return listOf(InRangeGuard(below(7), number(), number()));
    case 2:
      return listOf(AlignedGuard(range().base, uint64_t{1} << below(7)));
    case 3: {
      const specrt_range A = range(), B = range();
      return disjoint(viewOf(A), viewOf(B));
    }
    case 4: {
      unsigned Width = 1 << below(4);
      return loadEqual(readableBase(), below(24), Width, below(3));
    }
    case 5:
      return sequence();
    default:
      return listOf(FpEnvironmentGuard(below(2) ? MxcsrControl : Engine(),
                                       below(2) ? X87Control & Engine() : 0));
    }
  }

  GuardList sequence() {
    const specrt_polynomial Count = constantPolynomial(1 + below(2));
    SequenceTerms S{.Base = readableBase(), .Width = 1u << below(4)};
    S.Dimensions.assign(1 + below(2), {.Count = Count, .Stride = 8, .Step = below(2)});
    S.Pieces.push_back({1, below(2), 0});
    S.Pieces.push_back({SequenceGuard::AnyCount, below(3), below(2)});
    GuardList List;
    appendSequence(List, S);
    return List;
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
    __builtin_ia32_ldmxcsr(MxcsrDefault | Modes[Source.below(7)]);
    uint16_t Other = X87Default ^ Changes[Source.below(5)];
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

/// What an entry does is what holds() says, for every kind of guard.
class GuardMeaning : public GuardCode, public testing::WithParamInterface<bool> {};

TEST_P(GuardMeaning, AgreesWithTheReferenceOnRandomGuards) {
  const bool ByCalls = GetParam();
  Random Source(20240607);
  int64_t Memory[64];
  unsigned NumHeld = 0;
  unsigned NumCalled = 0; // of kinds without code of their own
  NumCalls = 0;
  for (unsigned Round = 0; Round < 250; ++Round) {
    const GuardList Guard = Source.guard();
    NumCalled += as<SequenceGuard>(*Guard.begin()) != nullptr;
    Signature *Entry = build(Guard, ByCalls);
    for (unsigned Call = 0; Call < 60; ++Call) {
      for (int64_t &Word : Memory)
        Word = Source.below(2) ? Source.number() : packed(Memory + Source.below(64));
      for (int64_t &Word : Global)
        Word = Source.below(3);
      Arguments A = Source.arguments(Memory);
      RandomModes Modes(Source);
      bool Expected = allHold(Guard, R->region(), A.pack().data());
      NumHeld += Expected;
      ASSERT_EQ(passes(Entry, A), Expected)
          << describe(*Guard.begin(), R->region()) << " round " << Round;
    }
  }
  EXPECT_GT(NumHeld, 1000u) << "the test must see guards that hold";
  EXPECT_GT(NumCalled, 0u);
  EXPECT_EQ(NumCalls, 60 * (ByCalls ? 250 : NumCalled));
}

INSTANTIATE_TEST_SUITE_P(, GuardMeaning, testing::Bool(), [](const auto &Info) {
  return std::string(Info.param ? "ByCalls" : "Inline");
});

TEST_F(GuardCode, CallsSeeTheArgumentsAndLeaveThem) {
  static Arguments Seen;
  Signature *Body = [](int32_t I, int64_t L, int8_t C, bool B, void *P, void *Q, double D) {
    Seen = {I, L, C, B, packed(P), packed(Q), D};
    Last = Went::Body;
  };
  State.body = reinterpret_cast<void *>(Body);
  Arguments A{-1, -2, -3, true, 0x1000, 0x2000, 0.5};
  const std::vector<uint64_t> Packed = A.pack();
  GuardList Guards;
  for (unsigned I = 0; I < Packed.size(); ++I)
    Guards.append(EqualGuard(I, Packed[I]));
  NumCalls = 0;
  EXPECT_TRUE(passes(build(Guards, /*ByCalls=*/true), A));
  EXPECT_EQ(Seen.pack(), Packed);
  EXPECT_EQ(NumCalls, Packed.size());
}

specrt_polynomial eightTimesArgument(unsigned Argument) {
  specrt_polynomial P{};
  P.num_terms = 1;
  P.terms[0].coefficient = 8;
  P.terms[0].num_factors = 1;
  P.terms[0].factors[0] = Argument;
  return P;
}

/// Of the two pointers, with this end.
GuardList apart(const specrt_polynomial &End,
                const specrt_base &First = {SPECRT_BASE_ARGUMENT, 4, 0}) {
  return disjoint({First, {}, End}, {{SPECRT_BASE_ARGUMENT, 5, 0}, {}, End});
}

TEST_F(GuardCode, PointersBehindPointersAreFollowed) {
  alignas(64) int64_t Data[8];
  int64_t Middle[2] = {0, int64_t(packed(&Data[1]))};
  int64_t Outer[3] = {0, 0, int64_t(packed(Middle))};
  Global[3] = int64_t(packed(Middle));
  Arguments A;
  A.P = packed(Outer);
  for (const specrt_base &Holder :
       {specrt_base{SPECRT_BASE_LOADED, 4, 16}, specrt_base{SPECRT_BASE_SYMBOL_LOADED, 0, 24}}) {
    const std::optional<specrt_base> Base = loadedFrom(Holder, 8);
    ASSERT_TRUE(Base);
    for (uint32_t Alignment : {8u, 16u}) {
      const GuardList Guards = listOf(AlignedGuard(*Base, Alignment));
      EXPECT_EQ(allHold(Guards, R->region(), A.pack().data()), Alignment == 8);
      EXPECT_EQ(passes(build(Guards), A), Alignment == 8) << describe(*Base, R->region());
    }
  }
}

TEST_F(GuardCode, HalvesOfOneBufferAreDisjoint) {
  Signature *Entry = build(apart(eightTimesArgument(1)));
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

TEST_F(GuardCode, RangesBesideErrno) {
  Signature *Entry =
      build(disjoint({{SPECRT_BASE_ARGUMENT, 4, 0}, {}, eightTimesArgument(1)},
                     {{SPECRT_BASE_ERRNO, 0, 0}, {}, constantPolynomial(sizeof(errno))}));
  Arguments A;
  A.L = 2;
  A.P = packed(&errno);
  EXPECT_FALSE(passes(Entry, A));
  A.P -= 16;
  EXPECT_TRUE(passes(Entry, A));
  A.P += 1;
  EXPECT_FALSE(passes(Entry, A));
}

TEST_F(GuardCode, SizeThatOverflowsDoesNotPass) {
  Signature *Entry = build(apart(eightTimesArgument(1)));
  Arguments A;
  A.P = 0x1000;
  A.Q = 0x100000;
  A.L = (INT64_MAX / 8) + 1;
  EXPECT_FALSE(passes(Entry, A));
}

TEST_F(GuardCode, EmptyRangeDoesNotReadItsBase) {
  Signature *Entry = build(apart(eightTimesArgument(1), {SPECRT_BASE_LOADED, 4, 16}));
  Arguments A;
  A.P = 0; // reading address 16 would fault
  A.L = 0;
  EXPECT_TRUE(passes(Entry, A));
}

TEST_F(GuardCode, WhatSeveralGuardsLookAtIsLoadedOnce) {
  constexpr specrt_base Row{SPECRT_BASE_LOADED, 4, 16}, Q{SPECRT_BASE_ARGUMENT, 5, 0};
  const specrt_polynomial Known = constantPolynomial(8), Open = eightTimesArgument(1);
  auto NumLoads = [&](const GuardList &Guards) {
    auto Context = createQuietContext();
    auto M = llvm::cantFail(buildEntry(R->region(), Guards, false, &State, *Context));
    unsigned Number = 0;
    for (llvm::Instruction &I : llvm::instructions(*M->getFunction(EntryName)))
      if (auto *Load = llvm::dyn_cast<llvm::LoadInst>(&I))
        Number += !Load->isAtomic();
    return Number;
  };
  GuardList Guards = loadEqual({SPECRT_BASE_ARGUMENT, 4, 0}, 16, 8, 0);
  appendDisjoint(Guards, {Row, {}, Known}, {Q, {}, Known});
  Guards.append(AlignedGuard(Row, 16));
  EXPECT_EQ(NumLoads(Guards), 1u);
  // Where a range may be empty its base is not read for those who come after.
  GuardList Behind = disjoint({Row, {}, Open}, {Q, {}, Open});
  Behind.append(AlignedGuard(Row, 16));
  EXPECT_EQ(NumLoads(Behind), 2u);
}

TEST_F(GuardCode, AllGuardsMustHold) {
  Signature *Entry = build(listOf(EqualGuard(1, 7), EqualGuard(0, uint32_t(-3))));
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
  Signature *Entry = build(listOf(FpEnvironmentGuard(MxcsrControl, 0)));
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

TEST_F(GuardCode, GuardsWithAProblemAreRefused) {
  auto Context = createQuietContext();
  auto Problem = [&](GuardView Guards) {
    auto M = buildEntry(R->region(), Guards, false, &State, *Context);
    return M ? std::string() : llvm::toString(M.takeError());
  };
  EXPECT_EQ(Problem(specrt_guard{99, sizeof(specrt_guard)}), "a guard is of an unknown kind");
  EXPECT_NE(Problem(listOf(EqualGuard(7, 0))), "");
  specrt_polynomial Unknown{};
  Unknown.num_terms = SPECRT_UNKNOWN;
  EXPECT_NE(Problem(apart(Unknown)), "");
  EXPECT_EQ(Problem(listOf(EqualGuard(6, 0))), "");
}

} // namespace
