//===- tests/wrap/closing_test.cpp - wrapped functions of libraries that are closed ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/wrap/kernels.h"
#include "tests/wrap/plugin.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace {
using Decay = double(double *, long);
/// What the library silent tells.
Decay *SilentDecay;
std::atomic<int> SilentClosings;
std::thread::id SilentClosedBy;
} // namespace

extern "C" __attribute__((visibility("default"))) void silent_opened(void *Function) {
  SilentDecay = reinterpret_cast<Decay *>(Function);
}
extern "C" __attribute__((visibility("default"))) void silent_closed() {
  SilentClosedBy = std::this_thread::get_id();
  ++SilentClosings;
}

namespace {

/// The callable of the library silent, which is opened by this.
Decay *wrapDecay(const Plugin &Silent) {
  void *Callable = specrt_wrap(reinterpret_cast<void *>(SilentDecay), "f64 decay(ptr, i64)",
                               Silent.Bitcode.data(), Silent.Bitcode.size());
  EXPECT_NE(Callable, nullptr) << wrapError();
  return reinterpret_cast<Decay *>(Callable);
}

TEST(Wrapped, WhatALibraryWithoutExportsImportsIsFound) {
  Plugin Silent("silent");
  Decay *Wrapped = wrapDecay(Silent);
  ASSERT_EQ(verify(Wrapped), SPECRT_WRAP_OK) << wrapError();
  for (int I = 0; I < 100; ++I) {
    std::vector<double> A = numbers(300, 0.5), B = A;
    ASSERT_EQ(SilentDecay(A.data(), 300), Wrapped(B.data(), 300));
    ASSERT_EQ(A, B);
  }
  EXPECT_GT(regionNamed("decay").compiles, 0u);
  unwrap(Wrapped);
}

TEST(Wrapped, APluginMayBeClosedAfterUnwrap) {
  for (int I = 0; I < 3; ++I) {
    SilentClosings = 0;
    Plugin Silent("silent");
    Decay *Wrapped = wrapDecay(Silent);
    for (int J = 0; J < 50; ++J) {
      std::vector<double> A = numbers(300, 0.5);
      ASSERT_GT(Wrapped(A.data(), 300), 0);
    }
    EXPECT_GT(regionNamed("decay").compiles, 0u);
    Silent.close();
    EXPECT_EQ(SilentClosings, 0);
    EXPECT_EQ(unwrap(Wrapped), SPECRT_WRAP_OK);
    EXPECT_EQ(SilentClosings, 1);
    EXPECT_EQ(SilentClosedBy, std::this_thread::get_id());
    specrt_wait_idle(10000);
  }
}

TEST(Wrapped, UnwrappingWhileItIsReadClosesThePluginOnTheCallersThread) {
  for (int I = 0; I < 20; ++I) {
    SilentClosings = 0;
    Plugin Silent("silent");
    Decay *Wrapped = wrapDecay(Silent);
    Silent.close();
    // No time to read anything, not even where calls wait for the compiler.
    EXPECT_EQ(specrt_wrap_verify(reinterpret_cast<void *>(Wrapped), 0), SPECRT_WRAP_TIMEOUT);
    std::this_thread::sleep_for(std::chrono::microseconds(I * 100));
    EXPECT_EQ(unwrap(Wrapped), SPECRT_WRAP_OK);
    EXPECT_EQ(specrt_wait_idle(60000), 1);
    EXPECT_EQ(SilentClosings, 1);
    EXPECT_EQ(SilentClosedBy, std::this_thread::get_id());
  }
}

TEST(Wrapped, APluginStaysLoadedWhileItIsWrapped) {
  SilentClosings = 0;
  Plugin Silent("silent");
  Decay *Wrapped = wrapDecay(Silent);
  Silent.close();
  for (int J = 0; J < 50; ++J) {
    std::vector<double> A = numbers(300, 0.5);
    ASSERT_GT(Wrapped(A.data(), 300), 0);
  }
  EXPECT_EQ(SilentClosings, 0);
  EXPECT_EQ(unwrap(Wrapped), SPECRT_WRAP_OK);
}

} // namespace
