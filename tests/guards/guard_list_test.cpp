//===- tests/guards/guard_list_test.cpp - streams of guards ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/aligned.h"
#include "guards/disjoint.h"
#include "guards/equal.h"
#include "guards/fp_environment.h"
#include "tests/guards/test_guards.h"

#include <algorithm>
#include <cstring>
#include <gmock/gmock.h>
#include <random>

using namespace specrt;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

const uint8_t Kinds[] = {SPECRT_KIND_I64, SPECRT_KIND_F64, SPECRT_KIND_POINTER,
                         SPECRT_KIND_POINTER};
const char *const Names[] = {"n", "x", "A", "B"};

specrt_region region() { return regionWith(Kinds, Names); }

constexpr specrt_base A{SPECRT_BASE_ARGUMENT, 2, 0}, B{SPECRT_BASE_ARGUMENT, 3, 0};
constexpr specrt_base Loaded{SPECRT_BASE_LOADED, 2, 16};

specrt_polynomial bytesOfN() {
  specrt_polynomial P{};
  P.num_terms = 1;
  P.terms[0].coefficient = 8;
  P.terms[0].num_factors = 1;
  return P;
}

RangeView rangeOf(const specrt_base &Base, const specrt_polynomial &End) {
  return {Base, PolynomialView(), End};
}

/// One of each kind.
GuardList oneOfEach() {
  const specrt_polynomial End = bytesOfN();
  GuardList Guards;
  Guards.append(EqualGuard(0, 5));
  Guards.append(InRangeGuard(0, 1, 9));
  Guards.append(AlignedGuard(A, 16));
  appendDisjoint(Guards, rangeOf(A, End), rangeOf(B, End));
  appendLoadEqual(Guards, A, constantPolynomial(8), 4, 7);
  Guards.append(FpEnvironmentGuard(MxcsrControl, 0));
  SequenceTerms Known{.Base = A};
  Known.Dimensions = {{.Count = End, .Stride = 8}};
  Known.Pieces = {{SequenceGuard::AnyCount, 0, 256}};
  appendSequence(Guards, Known);
  return Guards;
}

std::vector<std::string> words(GuardView Guards) {
  std::vector<std::string> All;
  for (const specrt_guard &Guard : Guards)
    All.push_back(describe(Guard, region()));
  return All;
}

TEST(GuardList, KeepsWhatWasAppended) {
  EXPECT_THAT(words(oneOfEach()),
              ElementsAre("n == 5", "1 <= n <= 9", "A is a multiple of 16",
                          "A[0, 8*n) and B[0, 8*n) do not overlap", "the 4 bytes at A + 8 == 7",
                          "floating point rounds to nearest, keeps denormals and does not trap",
                          "elements of 8 bytes at A go up by 256 from 0 (8*n elements)"));
  EXPECT_EQ(oneOfEach().size(), 7u);
  EXPECT_TRUE(GuardList().empty());
  EXPECT_EQ(GuardList().size(), 0u);
}

TEST(GuardList, RecordsAreAsLongAsTheirTerms) {
  GuardList Guards = oneOfEach();
  std::vector<uint32_t> Bytes;
  for (const specrt_guard &Guard : Guards)
    Bytes.push_back(Guard.bytes);
  EXPECT_THAT(Bytes,
              ElementsAre(24u, 32u, 24u, 40u + 2 * sizeof(specrt_term), 32u + sizeof(specrt_term),
                          16u, 112u + sizeof(specrt_term) + sizeof(SequencePiece)));
}

TEST(GuardList, EqualGuardsHaveEqualBytes) {
  specrt_polynomial Noisy;
  std::memset(&Noisy, 0xaa, sizeof(Noisy));
  Noisy.num_terms = 1;
  Noisy.terms[0].coefficient = 8;
  Noisy.terms[0].num_factors = 1;
  Noisy.terms[0].factors[0] = 0;
  GuardList Clean, Other, Longer;
  appendDisjoint(Clean, rangeOf(A, bytesOfN()), rangeOf(B, bytesOfN()));
  appendDisjoint(Other, rangeOf(A, Noisy), rangeOf(B, Noisy));
  EXPECT_EQ(Clean, Other);
  appendDisjoint(Longer, rangeOf(A, Noisy), rangeOf(B, constantPolynomial(8)));
  EXPECT_FALSE(Clean == Longer);
  EXPECT_EQ(GuardView(Clean), GuardView(GuardList(GuardView(Other))));
}

TEST(GuardList, WhatPresumesMoreComesLater) {
  const specrt_polynomial End = bytesOfN();
  GuardList Guards;
  appendDisjoint(Guards, rangeOf(Loaded, End), rangeOf(B, End));
  appendLoadEqual(Guards, A, constantPolynomial(8), 4, 7);
  appendLoadEqual(Guards, A, constantPolynomial(0), 4, 6);
  Guards.append(AlignedGuard(Loaded, 16));
  appendDisjoint(Guards, rangeOf(A, End), rangeOf(B, End));
  Guards.append(InRangeGuard(0, 1, 9));
  Guards.append(EqualGuard(0, 5));
  EXPECT_THAT(
      words(inOrder(Guards)),
      ElementsAre("n == 5", "1 <= n <= 9", "A[0, 8*n) and B[0, 8*n) do not overlap",
                  // In the order in which they were found: the second may presume the first.
                  "the 4 bytes at A + 8 == 7", "the 4 bytes at A + 0 == 6",
                  "*(A + 16)[0, 8*n) and B[0, 8*n) do not overlap",
                  "*(A + 16) is a multiple of 16"));
}

TEST(GuardList, AGuardIsCheckedOnce) {
  GuardList Guards = oneOfEach();
  for (const specrt_guard &Guard : oneOfEach())
    Guards.append(Guard);
  EXPECT_EQ(inOrder(Guards).size(), 7u);
}

TEST(GuardList, ARecordIsOfItsKindAlone) {
  for (const specrt_guard &Guard : oneOfEach()) {
    const void *Known[] = {as<EqualGuard>(Guard),     as<InRangeGuard>(Guard),
                           as<AlignedGuard>(Guard),   as<DisjointGuard>(Guard),
                           as<LoadEqualGuard>(Guard), as<FpEnvironmentGuard>(Guard),
                           as<SequenceGuard>(Guard)};
    for (uint32_t I = 0; I < std::size(Known); ++I)
      EXPECT_EQ(Known[I], Guard.kind == I + 1 ? &Guard : nullptr) << describe(Guard, region());
  }
  specrt_guard Unknown{99, sizeof(specrt_guard)};
  EXPECT_EQ(as<EqualGuard>(Unknown), nullptr);
}

TEST(GuardList, EveryKindCostsSomething) {
  double Sum = 0;
  for (const specrt_guard &Guard : oneOfEach()) {
    EXPECT_GT(costNs(GuardView(Guard)), 0) << describe(Guard, region());
    Sum += costNs(GuardView(Guard));
  }
  EXPECT_DOUBLE_EQ(costNs(oneOfEach()), Sum);
  // What is loaded costs more than what is at hand.
  EXPECT_GT(costNs(listOf(AlignedGuard(Loaded, 16))), costNs(listOf(AlignedGuard(A, 16))));
}

TEST(GuardList, PinnedArgumentsAreNamed) {
  EXPECT_EQ(labelOfPinned(region(), oneOfEach()), "n=5");
  EXPECT_EQ(labelOfPinned(region(), GuardView()), "");
}

/// The words of a list, to be damaged.
class Stream {
public:
  explicit Stream(const GuardList &Guards)
      : Words(reinterpret_cast<const uint64_t *>(Guards.plain().first),
              reinterpret_cast<const uint64_t *>(Guards.plain().first) + Guards.plain().bytes / 8) {
  }
  uint32_t &half(size_t I) { return reinterpret_cast<uint32_t *>(Words.data())[I]; }
  size_t halves() const { return Words.size() * 2; }
  std::string problem(uint64_t Bytes) const {
    const char *Problem = problemOf(
        specrt_guards{reinterpret_cast<const specrt_guard *>(Words.data()), Bytes}, region());
    return Problem ? Problem : "";
  }
  std::string problem() const { return problem(Words.size() * 8); }

  std::vector<uint64_t> Words;
};

template <typename Record> Stream streamOf(const Record &Guard) { return Stream(listOf(Guard)); }

TEST(GuardStream, WhatIsCompleteHasNoProblem) {
  EXPECT_EQ(Stream(oneOfEach()).problem(), "");
  EXPECT_EQ(Stream(GuardList()).problem(), "");
}

TEST(GuardStream, EveryCutIsNoticed) {
  Stream All(oneOfEach());
  std::vector<uint64_t> Ends = {0};
  for (const specrt_guard &Guard : oneOfEach())
    Ends.push_back(Ends.back() + Guard.bytes);
  for (uint64_t Bytes = 0; Bytes < All.Words.size() * 8; ++Bytes) {
    // Behind the end of what is said to be there nothing may be read.
    Stream Part = All;
    Part.Words.resize((Bytes + 7) / 8);
    Part.Words.shrink_to_fit();
    bool AtEnd = std::find(Ends.begin(), Ends.end(), Bytes) != Ends.end();
    EXPECT_EQ(Part.problem(Bytes), AtEnd ? "" : "is incomplete") << Bytes;
  }
}

TEST(GuardStream, ACutHeadIsNotReadAsOne) {
  // What stands behind the end could pass for the length of a record.
  for (uint32_t Behind : {0u, 1u, 4u, 24u})
    for (uint64_t Bytes = 1; Bytes < sizeof(specrt_guard); ++Bytes) {
      Stream S = streamOf(EqualGuard(0, 5));
      S.half(1) = Behind;
      EXPECT_EQ(S.problem(Bytes), "is incomplete") << Bytes << " of a head, then " << Behind;
    }
}

TEST(GuardStream, LengthsThatDoNotFitAreRefused) {
  for (uint32_t Bytes : {0u, 4u, 8u, 16u, 20u, 32u, 0xfffffff8u}) {
    Stream S = streamOf(EqualGuard(0, 5));
    S.Words.push_back(0);
    S.half(1) = Bytes;
    EXPECT_NE(S.problem(), "") << Bytes;
  }
  // A record that counts more terms than it has.
  const specrt_polynomial End = bytesOfN();
  GuardList Guards = disjoint(rangeOf(A, End), rangeOf(B, End));
  for (unsigned Count = 6; Count < 10; ++Count) {
    Stream S(Guards);
    ++S.half(Count);
    EXPECT_THAT(S.problem(), HasSubstr("length"));
    S.half(Count) = SPECRT_UNKNOWN;
    EXPECT_NE(S.problem(), "");
  }
}

TEST(GuardStream, WhatTheRegionDoesNotHaveIsRefused) {
  EXPECT_THAT(streamOf(EqualGuard(4, 5)).problem(), HasSubstr("argument"));
  EXPECT_THAT(streamOf(InRangeGuard(4, 0, 5)).problem(), HasSubstr("argument"));
  EXPECT_THAT(streamOf(AlignedGuard(A, 0)).problem(), HasSubstr("alignment"));
  EXPECT_THAT(streamOf(AlignedGuard({SPECRT_BASE_SYMBOL, 0, 0}, 8)).problem(), HasSubstr("base"));
  EXPECT_THAT(streamOf(AlignedGuard({9, 0, 0}, 8)).problem(), HasSubstr("base"));
  // Only ranges are compared with errno.
  const specrt_base Errno{SPECRT_BASE_ERRNO, 0, 0};
  EXPECT_THAT(streamOf(AlignedGuard(Errno, 1)).problem(), HasSubstr("base"));
  EXPECT_FALSE(allHold(listOf(AlignedGuard(Errno, 1)), region(), nullptr));
  EXPECT_THAT(Stream(loadEqual(Errno, 0, 4, 0)).problem(), HasSubstr("base"));
  specrt_polynomial OfDouble = bytesOfN();
  OfDouble.terms[0].factors[0] = 1;
  EXPECT_THAT(Stream(disjoint(rangeOf(A, OfDouble), rangeOf(B, bytesOfN()))).problem(),
              HasSubstr("not an integer"));
  specrt_polynomial Unknown{};
  Unknown.num_terms = SPECRT_UNKNOWN;
  EXPECT_THAT(Stream(disjoint(rangeOf(A, Unknown), rangeOf(B, bytesOfN()))).problem(),
              HasSubstr("unknown bound"));
  EXPECT_THAT(Stream(loadEqual(A, 0, 3, 7)).problem(), HasSubstr("1, 2, 4 or 8"));
  EXPECT_THAT(Stream(loadEqual(A, 0, 1, 256)).problem(), HasSubstr("too wide"));
  Stream Fp = streamOf(FpEnvironmentGuard(MxcsrControl, 0));
  Fp.half(2) = ~0u;
  EXPECT_THAT(Fp.problem(), HasSubstr("control nothing"));
  Stream Other = streamOf(EqualGuard(0, 5));
  Other.half(0) = 99;
  EXPECT_THAT(Other.problem(), HasSubstr("unknown kind"));
  const auto &Guard = reinterpret_cast<const specrt_guard &>(Other.Words[0]);
  EXPECT_EQ(describe(Guard, region()), "a guard of unknown kind 99");
  EXPECT_FALSE(holds(Guard, region(), nullptr));
}

TEST(GuardStream, DamagedRecordsWithoutProblemCanBeEvaluated) {
  std::mt19937 Random(7);
  int64_t Memory[8] = {};
  const uint64_t Packed[] = {5, 0, reinterpret_cast<uint64_t>(Memory),
                             reinterpret_cast<uint64_t>(Memory)};
  unsigned Refused = 0;
  for (int Round = 0; Round < 20000; ++Round) {
    Stream S(oneOfEach());
    S.half(Random() % S.halves()) = Random() % 3 ? Random() % 40 : static_cast<uint32_t>(Random());
    if (!S.problem().empty()) {
      ++Refused;
      continue;
    }
    specrt_guards Guards{reinterpret_cast<const specrt_guard *>(S.Words.data()),
                         S.Words.size() * 8};
    words(Guards);
    costNs(Guards);
    inOrder(Guards);
    // What reads memory may point anywhere now.
    for (const specrt_guard &Guard : GuardView(Guards))
      if (findGuardKind(Guard.kind)->presumes(Guard) == Presumes::Nothing)
        holds(Guard, region(), Packed);
  }
  EXPECT_GT(Refused, 1000u);
}

} // namespace
