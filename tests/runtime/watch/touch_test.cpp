//===- tests/runtime/watch/touch_test.cpp - specrt_touch as programs call it ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specrt/specrt.hpp"

#include <cerrno>
#include <gtest/gtest.h>
#include <thread>

namespace {

TEST(Touch, TakesAnyRange) {
  errno = 77;
  specrt_touch(nullptr, 0);
  specrt_touch(nullptr, ~size_t{0});
  specrt_touch_end(nullptr, ~size_t{0});
  specrt_touch(reinterpret_cast<const void *>(~uintptr_t{9}), 100);
  specrt_touch_end(reinterpret_cast<const void *>(~uintptr_t{9}), 100);
  specrt_touch_end(&errno, sizeof(errno));
  EXPECT_EQ(errno, 77);
}

TEST(Touch, OfManyThreads) {
  std::vector<std::thread> Threads;
  std::vector<int> Numbers(8000);
  for (size_t T = 0; T < 8; ++T)
    Threads.emplace_back([&, T] {
      const specrt::Touched Own(Numbers.data() + T * 1000, 1000);
      for (size_t I = 0; I < 1000; ++I) {
        Numbers[T * 1000 + I] = static_cast<int>(I);
        I % 2 ? Own.changed() : specrt::touch(&Numbers[T * 1000 + I], 1);
      }
    });
  for (std::thread &T : Threads)
    T.join();
}

} // namespace
