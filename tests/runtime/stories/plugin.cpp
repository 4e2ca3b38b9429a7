//===- tests/runtime/stories/plugin.cpp - an instrumented library for dlopen ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/runtime/stories/test_region.h"

namespace {

using Plugged = TestRegion<100>;

int64_t original(int64_t N, int64_t Work, int64_t *Data) {
  for (int64_t I = 0; I < Work * 100; ++I)
    __atomic_store_n(Data, I, __ATOMIC_RELAXED);
  return N * 3 + 1;
}

specrt_region *Regions[1];

[[gnu::constructor]] void registerImage() {
  Regions[0] = Plugged::make("plugged:7", original);
  specrt_register(Regions, Regions + 1);
}
[[gnu::destructor]] void unregisterImage() { specrt_unregister(Regions, Regions + 1); }

} // namespace

extern "C" __attribute__((visibility("default"))) int64_t plugin_call(int64_t N, int64_t Work,
                                                                      int64_t *Data) {
  return Plugged::call(N, Work, Data);
}
