//===- tests/arch/region_calls_test.cpp - calls of any signature ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of libspecrt that these calls lead to are played here.
//
//===----------------------------------------------------------------------===//
#include "arch/x86_64/region_calls.h"

#include <gtest/gtest.h>
#include <stdexcept>
#include <vector>

namespace specrt {
namespace {

constexpr uint8_t I1 = SPECRT_KIND_I1, I8 = SPECRT_KIND_I8, I16 = SPECRT_KIND_I16,
                  I32 = SPECRT_KIND_I32, I64 = SPECRT_KIND_I64, F32 = SPECRT_KIND_F32,
                  F64 = SPECRT_KIND_F64, Ptr = SPECRT_KIND_POINTER;

/// More integers and more floating-point numbers than registers, in turn; an odd number on the
/// stack.
using Target = int32_t(bool, double, int8_t, float, int16_t, double, int32_t, float, int64_t,
                       double, void *, float, int64_t, double, int32_t, float, double, int8_t,
                       float);
const uint8_t Kinds[] = {I1,  F64, I8,  F32, I16, F64, I32, F32, I64, F64,
                         Ptr, F32, I64, F64, I32, F32, F64, I8,  F32};
constexpr size_t NumArgs = sizeof(Kinds);

/// What happened, and what is to happen.
struct Played {
  std::vector<uint64_t> Packed;
  void *Code = nullptr;
  uint64_t Iteration = 0;
  int Left = 0;
  bool Throws = false;
} Now;

std::vector<uint64_t> packed(const specrt_region &Region, ArgumentReader &From) {
  std::vector<uint64_t> Words;
  for (uint32_t I = 0; I < Region.num_args; ++I)
    Words.push_back(From.next(Region.arg_kinds[I]));
  return Words;
}

int32_t body(bool A, double B, int8_t C, float D, int16_t E, double F, int32_t G, float H,
             int64_t I, double J, void *K, float L, int64_t M, double N, int32_t O, float P,
             double Q, int8_t R, float S) {
  if (Now.Throws)
    throw std::runtime_error("left");
  const bool IsAligned = reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) % 16 == 0;
  const bool AreRight = A && B == 1.5 && C == -2 && D == 2.5f && E == -3 && F == 3.5 && G == -4 &&
                        H == 4.5f && I == -5 && J == 5.5 && K == &Now && L == 6.5f && M == -7 &&
                        N == 7.5 && O == -8 && P == 8.5f && Q == 9.5 && R == -10 && S == 10.5f;
  return IsAligned && AreRight ? 7 : -1;
}

/// As a stub calls what its slot holds.
int32_t call(specrt_record &Record, void (*Callee)()) {
  return __builtin_call_with_static_chain(
      reinterpret_cast<Target *>(Callee)(true, 1.5, -2, 2.5f, -3, 3.5, -4, 4.5f, -5, 5.5, &Now,
                                         6.5f, -7, 7.5, -8, 8.5f, 9.5, -10, 10.5f),
      &Record);
}

class RegionCalls : public testing::Test {
protected:
  void SetUp() override {
    Region.num_args = NumArgs;
    Region.arg_kinds = Kinds;
    Record.region = &Region;
    Now = {};
  }
  specrt_region Region{};
  specrt_record Record{};
};

TEST_F(RegionCalls, ArgumentsArePackedAsTheAbiSays) {
  EXPECT_EQ(call(Record, regionThunk), -42) << "the nest runs in place, and has a token";
  const std::vector<uint64_t> Expected = {1,
                                          0x3ff8000000000000,
                                          0xfe,
                                          0x40200000,
                                          0xfffd,
                                          0x400c000000000000,
                                          0xfffffffc,
                                          0x40900000,
                                          ~uint64_t{4},
                                          0x4016000000000000,
                                          reinterpret_cast<uint64_t>(&Now),
                                          0x40d00000,
                                          ~uint64_t{6},
                                          0x401e000000000000,
                                          0xfffffff8,
                                          0x41080000,
                                          0x4023000000000000,
                                          0xf6,
                                          0x41280000};
  EXPECT_EQ(Now.Packed, Expected);
  EXPECT_EQ(Now.Left, 0);
}

TEST_F(RegionCalls, ATargetGetsWhatTheThunkGot) {
  Now.Code = reinterpret_cast<void *>(&body);
  EXPECT_EQ(call(Record, regionThunk), 7);
  EXPECT_EQ(Now.Left, 1);
}

TEST_F(RegionCalls, AnExceptionPassesThroughTheThunk) {
  Now.Code = reinterpret_cast<void *>(&body);
  Now.Throws = true;
  EXPECT_THROW(call(Record, regionThunk), std::runtime_error);
  EXPECT_EQ(Now.Left, 0);
}

TEST_F(RegionCalls, CallsPassByAsOftenAsTheRecordSays) {
  Record.pass_by = 2;
  EXPECT_EQ(call(Record, regionThunk), SPECRT_UNDONE);
  EXPECT_EQ(call(Record, regionThunk), SPECRT_UNDONE);
  EXPECT_TRUE(Now.Packed.empty());
  EXPECT_EQ(call(Record, regionThunk), -42);
}

TEST_F(RegionCalls, WithoutARegionTheNestRuns) {
  Record.region = nullptr;
  EXPECT_EQ(call(Record, regionThunk), SPECRT_UNDONE);
  EXPECT_TRUE(Now.Packed.empty());
}

struct Found {
  void *Code;
  int32_t Token;
};

TEST_F(RegionCalls, APollGetsTheIterationBehindTheArguments) {
  Region.num_args = 7; // the iteration is the first integer on the stack
  static const uint8_t Some[] = {I64, I64, I64, F64, I64, I64, I64};
  Region.arg_kinds = Some;
  Now.Code = &Now;
  using Poll = Found(int64_t, int64_t, int64_t, double, int64_t, int64_t, int64_t, int64_t);
  const Found Made = __builtin_call_with_static_chain(
      reinterpret_cast<Poll *>(&specrt_poll_nest)(1, 2, 3, 0.0, 4, 5, 6, 99), &Record);
  EXPECT_EQ(Now.Packed, (std::vector<uint64_t>{1, 2, 3, 0, 4, 5, 6}));
  EXPECT_EQ(Now.Iteration, 99u);
  EXPECT_EQ(Made.Code, &Now);
  EXPECT_EQ(Made.Token, -43);
  Record.region = nullptr;
  EXPECT_EQ(__builtin_call_with_static_chain(
                reinterpret_cast<Poll *>(&specrt_poll_nest)(1, 2, 3, 0.0, 4, 5, 6, 99), &Record)
                .Code,
            nullptr);
}

} // namespace
} // namespace specrt

using namespace specrt;

CodeAndNumber enterFromThunk(specrt_record *Record, const SavedArguments *Saved,
                             const uint64_t *Stack, uint64_t *Packed, specrt_call *Call) {
  ArgumentReader From(*Saved, Stack);
  Now.Packed = packed(*Record->region, From);
  std::copy(Now.Packed.begin(), Now.Packed.end(), Packed);
  Call->words[0] = static_cast<uint32_t>(-42);
  Call->words[7] = 1;
  return {Now.Code, From.numOnStack()};
}

void leaveFromThunk(specrt_record *, specrt_call *Call) {
  Now.Left += Call->words[7] == 1 && Now.Packed.size() == NumArgs;
}

CodeAndNumber pollFromNest(specrt_record *Record, const SavedArguments *Saved,
                           const uint64_t *Stack, uint64_t *Packed) {
  ArgumentReader From(*Saved, Stack);
  Now.Packed = packed(*Record->region, From);
  std::copy(Now.Packed.begin(), Now.Packed.end(), Packed);
  Now.Iteration = From.next(SPECRT_KIND_I64);
  return {Now.Code, static_cast<uint32_t>(-43)};
}
