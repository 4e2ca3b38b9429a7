//===- tests/fuzz/readers/guard_list.cpp - guards in stored versions ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/memory/rows.h"
#include "guards/stack.h"
#include "tests/fuzz/readers/reader.h"
#include "tests/guards/test_guards.h"

#include <cstring>

using namespace specrt;

namespace {

constexpr uint8_t Kinds[] = {SPECRT_KIND_POINTER, SPECRT_KIND_POINTER, SPECRT_KIND_I64,
                             SPECRT_KIND_I32, SPECRT_KIND_F64};
constexpr const char *Names[] = {"A", "B", "n", "m", "x"};

std::string bytesOf(const GuardList &Guards) {
  return {reinterpret_cast<const char *>(Guards.plain().first), Guards.plain().bytes};
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  std::vector<uint64_t> Words(Size / sizeof(uint64_t));
  if (!Words.empty())
    std::memcpy(Words.data(), Data, Words.size() * sizeof(uint64_t));
  const specrt_guards Read = {reinterpret_cast<const specrt_guard *>(Words.data()),
                              Words.size() * sizeof(uint64_t)};
  const specrt_region Region = regionWith(Kinds, Names);
  if (problemOf(Read, Region))
    return 0;
  const uint64_t Packed[] = {4096, 8192, 100, 7, 0};
  for (const specrt_guard &Guard : GuardView(Read)) {
    describe(Guard, Region);
    const GuardKind *Kind = findGuardKind(Guard.kind);
    demand(Kind && Kind->costNs(Guard) >= 0, "guards have a kind and a cost");
    if (Kind->presumes(Guard) == Presumes::Nothing) // others read the memory of a program
      holds(Guard, Region, Packed);
  }
  const GuardList Ordered = inOrder(Read);
  demand(problemOf(Ordered.plain(), Region) == nullptr, "an order changes no guard");
  labelOfPinned(Region, Read);
  costNs(Read);
  return 0;
}

std::vector<std::string> seeds() {
  const specrt_polynomial Bytes = {.num_terms = 1, .terms = {{8, 1, {2}}}};
  const specrt_base A = {SPECRT_BASE_ARGUMENT, 0, 0}, B = {SPECRT_BASE_LOADED, 1, 16};
  const RangeView OfA = {A, {}, Bytes}, OfB = {B, {}, Bytes};
  GuardList All = listOf(EqualGuard(2, 100), InRangeGuard(3, 0, 10), AlignedGuard(A, 32),
                         FpEnvironmentGuard(0x1f80, 0x37f), StackGuard(64 * 1024));
  appendDisjoint(All, OfA, OfB);
  appendLoadEqual(All, A, constantPolynomial(8), 4, 7);
  SequenceTerms S{.Base = A};
  S.Dimensions = {{.Count = Bytes, .Stride = 8, .Step = 1}};
  S.Pieces = {{SequenceGuard::AnyCount, 3, 1}};
  appendSequence(All, S);
  GuardList Rows;
  const RowRanges Ranges[] = {{A, true, {{0, 4, 8}}, {}, Bytes}, {B, false, {}, {}, Bytes}};
  appendRows(Rows, Ranges);
  // A number of words whose bytes wrapped around to those that are there.
  std::string Wrapping = bytesOf(Rows).substr(0, sizeof(RowsGuard));
  const uint32_t Head[] = {static_cast<uint32_t>(GuardKindId::Rows), sizeof(RowsGuard), 2,
                           1U << 29};
  std::memcpy(Wrapping.data(), Head, sizeof(Head));
  return {bytesOf(All), bytesOf(Rows), Wrapping};
}
