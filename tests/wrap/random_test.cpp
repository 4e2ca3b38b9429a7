//===- tests/wrap/random_test.cpp - many signatures against direct calls --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions made by random_functions.py and compiled by gcc are called directly and through their
// callables, in all states: watched, sampled, under trial, specialised, with values that meet the
// guards and values that do not. Every bit of every result must agree.
//
//===----------------------------------------------------------------------===//
#include "tests/wrap/plugin.h"

#include <cstring>
#include <gtest/gtest.h>
#include <vector>

namespace {

/// As in random_functions.py.
struct RandomFunction {
  const char *Signature;
  void *Function;
  void (*Call)(void *Function, uint64_t Seed, unsigned char *Out);
};

constexpr size_t MaxResult = 4096;

/// Number of seeds for which both agree, of the seeds from..from+count.
void compare(const RandomFunction &F, void *Callable, uint64_t Seed) {
  unsigned char Expected[MaxResult] = {}, Found[MaxResult] = {};
  F.Call(F.Function, Seed, Expected);
  F.Call(Callable, Seed, Found);
  ASSERT_EQ(std::memcmp(Expected, Found, MaxResult), 0) << F.Signature << " with seed " << Seed;
}

void compareInAllStates(const RandomFunction &F, void *Callable) {
  for (int Round = 0; Round < 60; ++Round)
    ASSERT_NO_FATAL_FAILURE(compare(F, Callable, 1)) << "call " << Round;
  // Other values: misses, and other plans.
  for (uint64_t Seed = 2; Seed < 20; ++Seed)
    ASSERT_NO_FATAL_FAILURE(compare(F, Callable, Seed));
  for (int Round = 0; Round < 20; ++Round)
    ASSERT_NO_FATAL_FAILURE(compare(F, Callable, 1)) << "later call " << Round;
}

TEST(RandomSignatures, GiveTheSameBitsAsDirectCalls) {
  Plugin Random("random");
  auto *F = static_cast<const RandomFunction *>(Random.symbol("random_functions"));
  unsigned Functions = 0, Compiled = 0;
  uint64_t Hits = 0;
  for (; F->Signature; ++F, ++Functions) {
    void *Callable =
        specrt_wrap(F->Function, F->Signature, Random.Bitcode.data(), Random.Bitcode.size());
    ASSERT_NE(Callable, nullptr) << wrapError();
    ASSERT_EQ(verify(Callable), SPECRT_WRAP_OK) << F->Signature << ": " << wrapError();
    ASSERT_NO_FATAL_FAILURE(compareInAllStates(*F, Callable));
    std::string Name = F->Signature;
    Name = Name.substr(0, Name.rfind('('));
    specrt_region_info Info = regionNamed("random_" + std::to_string(Functions));
    EXPECT_NE(Info.state, unsigned(SPECRT_STATE_BLOCKED)) << F->Signature << ": " << Info.reason;
    Compiled += Info.compiles > 0;
    Hits += Info.hits;
    EXPECT_EQ(specrt_unwrap(Callable), SPECRT_WRAP_OK);
  }
  EXPECT_EQ(Functions, 96u);
  // Those without arguments have nothing to be specialised on.
  EXPECT_GT(Compiled, 80u);
  EXPECT_GT(Hits, 0u);
}

} // namespace
