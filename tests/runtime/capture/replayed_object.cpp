//===- tests/runtime/capture/replayed_object.cpp - versions of the captured region ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once for each FAULT. As real versions, the objects import nothing.
//
//===----------------------------------------------------------------------===//
#include "tests/runtime/written_object.h"

namespace {

enum Fault {
  None,
  OtherOperation,
  EarlyEnd,
  LateEnd,
  OtherOffset,
  ReadsElsewhere,
  WritesInput,
  WritesBeside,
  OtherValueBehind,
  OtherExit,
  NeverEnds,
  Crashes,
  Slow,
  GuardFails
};

int body(int64_t N, double *A, double *B, double *Last) {
  const int64_t End = FAULT == EarlyEnd ? N - 1 : FAULT == LateEnd ? N + 1 : N;
  for (int64_t I = 0; I < End; ++I)
    B[I] = (FAULT == OtherOperation ? 3 : 2) * A[FAULT == OtherOffset ? I ^ 1 : I] + B[I];
  *Last = B[N - 1] + (FAULT == OtherValueBehind);
  if (FAULT == ReadsElsewhere)
    *Last += static_cast<volatile double *>(A)[int64_t{1} << 30];
  if (FAULT == WritesInput)
    A[0] = A[0] + 1;
  if (FAULT == WritesBeside)
    B[-1] = 1;
  if (FAULT == NeverEnds)
    for (volatile int Zero = 0; Zero == 0;) {
    }
  if (FAULT == Crashes)
    __builtin_trap();
  if (FAULT == Slow)
    for (int I = 0; I < 1'000'000; ++I)
      asm volatile("");
  return FAULT == OtherExit ? SPECRT_DONE + 1 : SPECRT_DONE;
}

constexpr InRangeGuard Guard = {
    {InRangeGuard::Kind, sizeof(InRangeGuard)}, 0, 0, 0, FAULT == GuardFails ? 0 : INT64_MAX};

alignas(64) specrt_version_state State;
specrt_object_entry Entry;
specrt_object_body Body;
specrt_version_object Object;

} // namespace

extern "C" __attribute__((visibility("default"))) const specrt_version_object *
specrt_version_object_query() {
  Entry.guards.first = &Guard.Head;
  Entry.guards.bytes = sizeof(Guard);
  Entry.state = &State;
  Body.name = NAME;
  Body.body = reinterpret_cast<void *>(&body);
  Body.entry = &Entry;
  describeBody(Object, Body, "key");
  return &Object;
}
