//===- tests/guards/sequence_test.cpp - elements that follow a pattern ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/guards/test_guards.h"
#include "tests/runtime/foreign_pages.h"

#include <chrono>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace specrt {
namespace {

const uint8_t Kinds[] = {SPECRT_KIND_I64, SPECRT_KIND_POINTER};
const char *const Names[] = {"n", "A"};
constexpr specrt_base A{SPECRT_BASE_ARGUMENT, 1, 0}, InA{SPECRT_BASE_LOADED, 1, 8};

specrt_region region() { return regionWith(Kinds, Names); }

specrt_polynomial n() {
  specrt_polynomial P{};
  P.num_terms = 1;
  P.terms[0].coefficient = 1;
  P.terms[0].num_factors = 1;
  return P;
}

GuardList listOf(const SequenceTerms &S) {
  GuardList List;
  appendSequence(List, S);
  return List;
}

bool holdsFor(const SequenceTerms &S, const void *Memory, int64_t N = 0) {
  const uint64_t Packed[] = {static_cast<uint64_t>(N), reinterpret_cast<uint64_t>(Memory)};
  return allHold(listOf(S), region(), Packed);
}

TEST(Sequence, ElementsThatGoUpByTheSame) {
  std::vector<int64_t> Elements;
  for (int I = 0; I < 100; ++I)
    Elements.push_back(7 + 40 * I);
  const specrt_polynomial Count = n();
  SequenceTerms S{.Base = A};
  S.Dimensions = {{.Count = Count, .Stride = 8}};
  S.Pieces = {{SequenceGuard::AnyCount, 7, 40}};
  EXPECT_EQ(describe(*listOf(S).begin(), region()),
            "elements of 8 bytes at A go up by 40 from 7 (n elements)");
  EXPECT_TRUE(holdsFor(S, Elements.data(), 100));
  EXPECT_TRUE(holdsFor(S, nullptr, 0)) << "nothing is read";
  for (size_t Changed : {0u, 1u, 50u, 99u}) {
    std::vector<int64_t> Others = Elements;
    ++Others[Changed];
    EXPECT_FALSE(holdsFor(S, Others.data(), 100)) << Changed;
    EXPECT_EQ(holdsFor(S, Others.data(), 50), Changed >= 50)
        << "elements behind the end do not count";
  }
}

template <typename T> void checkPieces() {
  // 3 4 5 ... | -7 -7 ... | 100 98 96 ..., with what lies before and behind.
  std::vector<T> Memory = {9};
  for (int I = 0; I < 1500; ++I)
    Memory.push_back(static_cast<T>(3 + I));
  for (int I = 0; I < 2; ++I)
    Memory.push_back(static_cast<T>(-7));
  for (int I = 0; I < 700; ++I)
    Memory.push_back(static_cast<T>(100 - 2 * I));
  Memory.push_back(9);
  const specrt_polynomial Count = n(), Begin = constantPolynomial(sizeof(T));
  SequenceTerms S{.Base = A, .Begin = Begin, .Width = sizeof(T)};
  S.Dimensions = {{.Count = Count, .Stride = sizeof(T)}};
  S.Pieces = {{1500, 3, 1}, {2, -7, 0}, {700, 100, -2}};
  EXPECT_TRUE(holdsFor(S, Memory.data(), 2202));
  EXPECT_TRUE(holdsFor(S, Memory.data(), 1500));
  EXPECT_FALSE(holdsFor(S, Memory.data(), 2203)) << "no piece knows of the last one";
  for (size_t Changed : {1u, 2u, 1024u, 1025u, 1026u, 1500u, 1501u, 1502u, 1503u, 2202u}) {
    Memory[Changed] ^= 1;
    EXPECT_FALSE(holdsFor(S, Memory.data(), 2202)) << Changed;
    EXPECT_EQ(holdsFor(S, Memory.data(), 1500), Changed > 1500) << Changed;
    Memory[Changed] ^= 1;
  }
}

TEST(Sequence, PiecesOneBehindTheOther) {
  checkPieces<uint8_t>();
  checkPieces<uint16_t>();
  checkPieces<uint32_t>();
  checkPieces<uint64_t>();
}

template <typename T> void checkEveryElement() {
  const specrt_polynomial Count = n();
  SequenceTerms S{.Base = A, .Width = sizeof(T)};
  S.Dimensions = {{.Count = Count, .Stride = sizeof(T)}};
  S.Pieces = {{SequenceGuard::AnyCount, -40, 7}};
  std::vector<T> Memory;
  for (int64_t Size = 1; Size < 150; ++Size) {
    Memory.push_back(static_cast<T>(-40 + 7 * (Size - 1)));
    EXPECT_TRUE(holdsFor(S, Memory.data(), Size)) << Size;
    for (T &Element : Memory) {
      const T Right = Element;
      Element = static_cast<T>(Right + (T{1} << (8 * sizeof(T) - 1)));
      EXPECT_FALSE(holdsFor(S, Memory.data(), Size)) << Size << " " << &Element - Memory.data();
      Element = Right;
    }
  }
}

TEST(Sequence, AgreesWithEveryElementSideBySide) {
  checkEveryElement<uint8_t>();
  checkEveryElement<uint16_t>();
  checkEveryElement<uint32_t>();
  checkEveryElement<uint64_t>();
}

TEST(Sequence, AgreesWithEveryElementInSeveralDimensions) {
  std::mt19937 Random(3);
  unsigned NumHeld = 0;
  for (int Round = 0; Round < 3000; ++Round) {
    const unsigned Number = 1 + Random() % 4;
    SequenceTerms S{.Base = A, .Width = 1u << Random() % 4};
    std::vector<specrt_polynomial> Counts;
    std::vector<int64_t> Sizes;
    int64_t Bytes = S.Width;
    for (unsigned D = 0; D < Number; ++D) {
      Sizes.push_back(1 + Random() % 4);
      Counts.push_back(constantPolynomial(Sizes.back()));
    }
    S.Dimensions.resize(Number);
    for (unsigned D = Number; D-- > 0;) {
      S.Dimensions[D] = {.Count = Counts[D], .Stride = Bytes, .Step = int64_t(Random() % 5)};
      Bytes *= Sizes[D] + Random() % 2;
    }
    S.Pieces = {{SequenceGuard::AnyCount, 5, S.Dimensions.back().Step}};
    std::vector<unsigned char> Memory(static_cast<size_t>(Bytes), 0xee);
    std::vector<int64_t> At(Number, 0);
    std::vector<int64_t> Places;
    while (At[0] < Sizes[0]) {
      int64_t Place = 0;
      uint64_t Value = 5;
      for (unsigned D = 0; D < Number; ++D) {
        Place += At[D] * S.Dimensions[D].Stride;
        Value += static_cast<uint64_t>(At[D] * S.Dimensions[D].Step);
      }
      std::memcpy(&Memory[Place], &Value, S.Width);
      Places.push_back(Place);
      for (unsigned D = Number; D-- > 0;) {
        if (++At[D] < Sizes[D] || D == 0)
          break;
        At[D] = 0;
      }
    }
    ASSERT_TRUE(holdsFor(S, Memory.data()));
    const size_t Byte = Random() % Memory.size();
    Memory[Byte] ^= 4;
    const bool Counts4 = std::any_of(Places.begin(), Places.end(), [&](int64_t Place) {
      return Byte >= size_t(Place) && Byte < size_t(Place) + S.Width;
    });
    ASSERT_EQ(holdsFor(S, Memory.data()), !Counts4);
    NumHeld += !Counts4;
  }
  EXPECT_GT(NumHeld, 50u);
}

TEST(Sequence, ReadsBehindALoadedPointerWhenItMayBeThere) {
  int64_t Values[] = {1, 2, 3};
  void *Object[] = {nullptr, Values};
  const specrt_polynomial Count = constantPolynomial(3);
  SequenceTerms S{.Base = InA};
  S.Dimensions = {{.Count = Count, .Stride = 8}};
  S.Pieces = {{3, 1, 1}};
  EXPECT_TRUE(holdsFor(S, Object));
  EXPECT_EQ(as<SequenceGuard>(*listOf(S).begin())->presumes(), Presumes::MemoryContent);
  S.Base = A;
  EXPECT_EQ(as<SequenceGuard>(*listOf(S).begin())->presumes(), Presumes::Arguments);
  EXPECT_EQ(describe(*listOf(S).begin(), region()),
            "elements of 8 bytes at A go up by 1 from 1 (3 elements)");
}

TEST(Sequence, DamagedRecordsAreNoticedAndDoNotHold) {
  const specrt_polynomial Count = constantPolynomial(1);
  SequenceTerms S{.Base = A};
  S.Dimensions = {{.Count = Count, .Stride = 8}};
  S.Pieces = {{1, 7, 0}};
  const uint64_t Value = 7;
  const uint64_t Packed[] = {0, reinterpret_cast<uint64_t>(&Value)};
  const GuardList Whole = listOf(S);
  ASSERT_EQ(problemOf(Whole.plain(), region()), nullptr);
  auto IsNoticed = [&](auto Damage) {
    GuardList Copy(Whole);
    auto &Guard = const_cast<SequenceGuard &>(static_cast<const SequenceGuard &>(*Copy.begin()));
    Damage(Guard);
    return problemOf(Copy.plain(), region()) && !allHold(Copy, region(), Packed);
  };
  EXPECT_TRUE(IsNoticed([](SequenceGuard &G) { G.Width = 3; }));
  EXPECT_TRUE(IsNoticed([](SequenceGuard &G) { G.NumDimensions = 0; }));
  EXPECT_TRUE(IsNoticed([](SequenceGuard &G) { G.NumDimensions = 5; }));
  EXPECT_TRUE(IsNoticed([](SequenceGuard &G) { G.NumPieces = 0; }));
  EXPECT_TRUE(IsNoticed([](SequenceGuard &G) { G.NumPieces = 65; }));
  EXPECT_TRUE(IsNoticed([](SequenceGuard &G) { G.Base.index = 2; }));
  EXPECT_TRUE(
      IsNoticed([](SequenceGuard &G) { const_cast<SequencePiece *>(G.pieces())->Count = 0; }));
  EXPECT_TRUE(IsNoticed([](SequenceGuard &G) { G.NumBegin = SPECRT_UNKNOWN; }));
}

TEST(Sequence, CostsWhatItReads) {
  const specrt_polynomial Few = constantPolynomial(10), Many = constantPolynomial(1'000'000);
  SequenceTerms S{.Base = A};
  S.Dimensions = {{.Count = Few, .Stride = 8}};
  S.Pieces = {{SequenceGuard::AnyCount, 0, 1}};
  const double Cheap = costNs(listOf(S));
  S.Dimensions[0].Count = Many;
  EXPECT_GT(costNs(listOf(S)), 1000 * Cheap);
}

/// Rows are pages of their own, and what lies between them is not read.
TEST(Sequence, OfRowsWithOthersPagesBetween) {
  constexpr size_t Page = 4096, Rows = 6, Bytes = 2 * Rows * Page;
  constexpr int64_t Columns = Page / 4;
  for (const Foreign Kind :
       {Foreign::BeyondItsFile, Foreign::Protected, Foreign::FilledByAHandler}) {
    const ForeignPages Of(Kind);
    if (!Of.arePossible())
      continue;
    auto *Memory = static_cast<std::byte *>(
        mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    const auto Element = [&](size_t Row, int64_t Column) -> int & {
      return reinterpret_cast<int *>(Memory + 2 * Row * Page)[Column];
    };
    for (size_t Row = 0; Row < Rows; ++Row) {
      for (int Column = 0; Column < Columns; ++Column)
        Element(Row, Column) = static_cast<int>(Row) * 10 + Column;
      Of.put(Memory + (2 * Row + 1) * Page, Page);
    }
    const specrt_polynomial Count = n(), InRow = constantPolynomial(Columns);
    SequenceTerms S{.Base = A, .Width = 4};
    S.Dimensions = {{.Count = Count, .Stride = 2 * Page, .Step = 10},
                    {.Count = InRow, .Stride = 4}};
    S.Pieces = {{SequenceGuard::AnyCount, 0, 1}};
    EXPECT_TRUE(holdsFor(S, Memory, Rows)) << nameOf(Kind);
    Element(Rows - 1, Columns - 1) = -1;
    EXPECT_FALSE(holdsFor(S, Memory, Rows)) << nameOf(Kind);
    EXPECT_EQ(Of.numRead(), 0U) << nameOf(Kind);
    munmap(Memory, Bytes);
  }
}

} // namespace
} // namespace specrt
