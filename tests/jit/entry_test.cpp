//===- tests/jit/entry_test.cpp - chains, counters, sampling --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/code/engine.h"
#include "specializer/module/region_module.h"
#include "tests/guards/test_guards.h"
#include "tests/jit/entry_in_memory.h"
#include "tests/specializer/test_region.h"
#include "gtest/gtest.h"
#include <chrono>

using namespace specrt;

namespace {

using Signature = int64_t(int64_t, double *, double *);

int64_t first(int64_t N, double *, double *) { return 100 + N; }
int64_t original(int64_t N, double *, double *) { return 300 + N; }
int64_t sampler(int64_t N, double *, double *) { return 400 + N; }

specrt_version_state *Observed = nullptr;
uint64_t totalInside(const specrt_version_state &S) {
  uint64_t Sum = 0;
  for (const specrt_version_shard &Shard : S.shards)
    Sum += Shard.inside;
  return Sum;
}
int64_t observer(int64_t N, double *, double *) { return totalInside(*Observed) * 1000 + N; }

template <uint64_t specrt_version_shard::*Counter> uint64_t total(const specrt_version_state &S) {
  uint64_t Sum = 0;
  for (const specrt_version_shard &Shard : S.shards)
    Sum += Shard.*Counter;
  return Sum;
}

template <typename F> void *address(F *Function) { return reinterpret_cast<void *>(Function); }

Engine &engine() {
  static Engine &E = *llvm::cantFail(Engine::create()).release();
  return E;
}

class Entry : public testing::Test {
protected:
  Entry()
      : R(TestRegion::fromKinds({SPECRT_KIND_I64, SPECRT_KIND_POINTER, SPECRT_KIND_POINTER},
                                SPECRT_KIND_I64)) {}

  static specrt_version_state state(void *Body, void *Next) {
    specrt_version_state S{};
    S.body = Body;
    S.next = Next;
    S.sampler = address(&sampler);
    S.sample_mask = S.miss_mask = ~uint64_t{0};
    return S;
  }

  GuardList equals(uint64_t N) { return listOf(EqualGuard(0, N)); }

  Signature *build(GuardView Guards, specrt_version_state &S, bool Exact = false) {
    auto Context = createQuietContext();
    auto M = llvm::cantFail(buildEntry(R->region(), Guards, Exact, &S, *Context));
    auto Code = llvm::cantFail(engine().load(llvm::cantFail(engine().compile(*M)), EntryName, {}));
    return reinterpret_cast<Signature *>(Code.Entry);
  }

  std::unique_ptr<TestRegion> R;
};

TEST_F(Entry, RunsTheBodyOrTheNextAndCounts) {
  specrt_version_state S = state(address(&first), address(&original));
  Signature *F = build(equals(5), S);
  EXPECT_EQ(F(5, nullptr, nullptr), 105);
  EXPECT_EQ(F(5, nullptr, nullptr), 105);
  EXPECT_EQ(F(6, nullptr, nullptr), 306);
  EXPECT_EQ(total<&specrt_version_shard::hits>(S), 2u);
  EXPECT_EQ(total<&specrt_version_shard::misses>(S), 1u);
}

TEST_F(Entry, ChainsReachTheVersionThatFits) {
  specrt_version_state Last = state(address(&first), address(&original));
  Signature *FLast = build(equals(2), Last);
  specrt_version_state Head = state(address(&first), address(FLast));
  Signature *F = build(equals(1), Head);
  EXPECT_EQ(F(1, nullptr, nullptr), 101);
  EXPECT_EQ(F(2, nullptr, nullptr), 102);
  EXPECT_EQ(F(3, nullptr, nullptr), 303);
  EXPECT_EQ(total<&specrt_version_shard::hits>(Last), 1u);
}

TEST_F(Entry, EveryFourthHitAndMissIsSampled) {
  specrt_version_state S = state(address(&first), address(&original));
  S.sample_mask = S.miss_mask = 3;
  Signature *F = build(equals(5), S);
  for (int Call = 1; Call <= 12; ++Call) {
    EXPECT_EQ(F(5, nullptr, nullptr), Call % 4 == 0 ? 405 : 105);
    EXPECT_EQ(F(6, nullptr, nullptr), Call % 4 == 0 ? 406 : 306);
    EXPECT_EQ(S.sampled, 2u * (Call / 4)) << "known before the sampler runs";
  }
}

TEST_F(Entry, MissesThatALaterVersionMayTakeAreNotSampled) {
  specrt_version_state Last = state(address(&first), address(&original));
  Last.sample_mask = Last.miss_mask = 1;
  Signature *FLast = build(equals(2), Last);
  specrt_version_state Head = state(address(&first), address(FLast));
  Head.sample_mask = 1;
  Signature *F = build(equals(1), Head);
  // Sizes that alternate: each version takes its own, and of both every second call is sampled.
  for (int Call = 1; Call <= 8; ++Call) {
    EXPECT_EQ(F(1, nullptr, nullptr), Call % 2 == 0 ? 401 : 101);
    EXPECT_EQ(F(2, nullptr, nullptr), Call % 2 == 0 ? 402 : 102);
    EXPECT_EQ(F(3, nullptr, nullptr), Call % 2 == 0 ? 403 : 303);
  }
  EXPECT_EQ(total<&specrt_version_shard::misses>(Head), 16u);
  EXPECT_EQ(total<&specrt_version_shard::hits>(Last), 8u);
  EXPECT_EQ(total<&specrt_version_shard::misses>(Last), 8u);
  EXPECT_EQ(Head.sampled, 4u);
}

TEST_F(Entry, WithdrawnBodyGoesToTheNext) {
  for (bool Exact : {false, true}) {
    specrt_version_state S = state(nullptr, address(&original));
    EXPECT_EQ(build(equals(5), S, Exact)(5, nullptr, nullptr), 305);
    EXPECT_EQ(totalInside(S), 0u);
    EXPECT_EQ(total<&specrt_version_shard::hits>(S), 0u);
    EXPECT_EQ(total<&specrt_version_shard::misses>(S), 1u);
  }
}

TEST_F(Entry, ExactEntriesCountWhoIsInside) {
  specrt_version_state S = state(address(&observer), address(&original));
  Observed = &S;
  Signature *F = build(equals(5), S, /*Exact=*/true);
  EXPECT_EQ(F(5, nullptr, nullptr), 1005) << "one call is inside while the body runs";
  EXPECT_EQ(totalInside(S), 0u);
}

TEST_F(Entry, ManyArgumentsAndNarrowOnesArriveUnchanged) {
  using Wide = void(int8_t, bool, int16_t, int32_t, int64_t, float, double, void *, int64_t,
                    int64_t, int64_t, int8_t, double *);
  static bool Arrived;
  Wide *Body = [](int8_t A, bool B, int16_t C, int32_t D, int64_t E, float F, double G, void *H,
                  int64_t I, int64_t J, int64_t K, int8_t L, double *M) {
    Arrived = A == -1 && B && C == -2 && D == -3 && E == -4 && F == 1.5f && G == 2.5 &&
              H == &Arrived && I == 5 && J == 6 && K == 7 && L == -8 && M == nullptr;
  };
  auto Region = TestRegion::fromKinds(
      {SPECRT_KIND_I8, SPECRT_KIND_I1, SPECRT_KIND_I16, SPECRT_KIND_I32, SPECRT_KIND_I64,
       SPECRT_KIND_F32, SPECRT_KIND_F64, SPECRT_KIND_POINTER, SPECRT_KIND_I64, SPECRT_KIND_I64,
       SPECRT_KIND_I64, SPECRT_KIND_I8, SPECRT_KIND_POINTER});
  for (bool Exact : {false, true}) {
    specrt_version_state S = state(address(Body), nullptr);
    auto Context = createQuietContext();
    auto M = llvm::cantFail(buildEntry(Region->region(), GuardView(), Exact, &S, *Context));
    auto Code = llvm::cantFail(engine().load(llvm::cantFail(engine().compile(*M)), EntryName, {}));
    Arrived = false;
    reinterpret_cast<Wide *>(Code.Entry)(-1, true, -2, -3, -4, 1.5f, 2.5, &Arrived, 5, 6, 7, -8,
                                         nullptr);
    EXPECT_TRUE(Arrived) << "exact " << Exact;
  }
}

} // namespace
