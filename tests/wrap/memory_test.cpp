//===- tests/wrap/memory_test.cpp - memory that wrapped functions read ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/wrap/plugin.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

namespace {

struct Job {
  long N, Gone;
  double Values[64];
};

Job *newJob() {
  void *Page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return new (Page) Job{64, true, {1, 2, 3}};
}

// Sampled calls look at sizes in memory when they return.
TEST(WrappedMemory, MayBeUnmappedByTheFunction) {
  Plugin Kernels("kernels");
  auto *Wrapped = Kernels.wrap<double(Job *)>("finish", "f64 finish(ptr)");
  ASSERT_EQ(verify(Wrapped), SPECRT_WRAP_OK) << wrapError();
  for (int I = 0; I < 100; ++I)
    ASSERT_EQ(Wrapped(newJob()), 6);
  EXPECT_GT(regionNamed("finish").calls, 0u);
  EXPECT_EQ(unwrap(Wrapped), SPECRT_WRAP_OK);
}

} // namespace
