//===- tests/cache/stored_object.cpp - a version as the jit would link it -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One body with one guard: the first argument equals 5. FORMAT and ARGUMENT make it one of another
// libspecrt, or one for another region. FOREIGN_CODE makes it one that runs code when it is opened.
//
//===----------------------------------------------------------------------===//
#include "specrt/abi.h"
#include "specrt/version_object.h"
#include <cstdlib>

namespace {

#ifdef FOREIGN_CODE
__attribute__((constructor)) void run() { setenv("SPECRT_TEST_FOREIGN_CODE_RAN", "1", 1); }
#endif

/// guards/equal.h, as bytes.
struct alignas(8) {
  specrt_guard Head = {1, 24};
  uint32_t Argument = ARGUMENT, Reserved = 0;
  uint64_t Value = 5;
} constexpr Guard;

void body() {}

specrt_version_state State;
void *address() { return reinterpret_cast<void *>(&body); }

} // namespace

extern "C" __attribute__((visibility("default"))) const specrt_version_object *
specrt_version_object_query() {
  static const specrt_object_entry Entry = {
      {&Guard.Head, sizeof(Guard)}, address(), address(), &State};
  static const specrt_object_body Body = {"constants", address(), &Entry, nullptr,
                                          0,           0,         1.0,    nullptr};
  static const specrt_version_object Object = [] {
    specrt_version_object O{};
    O.format = FORMAT;
    O.size = sizeof(O);
    O.abi_version = SPECRT_ABI_VERSION;
    O.key = "key";
    O.region = O.file = "";
    O.bodies = &Body;
    O.num_bodies = 1;
    return O;
  }();
  return &Object;
}
