//===- runtime/api/region_calls.cpp - calls of regions, with packed arguments ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arch/x86_64/region_calls.h"

using namespace specrt;

static void pack(const specrt_region &Region, ArgumentReader &From, uint64_t *Packed) {
  for (uint32_t I = 0; I < Region.num_args; ++I)
    Packed[I] = From.next(Region.arg_kinds[I]);
}

CodeAndNumber enterFromThunk(specrt_record *Record, const SavedArguments *Saved,
                             const uint64_t *Stack, uint64_t *Packed, specrt_call *Call) {
  ArgumentReader From(*Saved, Stack);
  pack(*Record->region, From, Packed);
  void *Code = specrt_enter(Record->region, Packed, Call);
  return {Code, From.numOnStack()};
}

void leaveFromThunk(specrt_record *Record, specrt_call *Call) {
  specrt_leave(Record->region, Call);
}

CodeAndNumber pollFromNest(specrt_record *Record, const SavedArguments *Saved,
                           const uint64_t *Stack, uint64_t *Packed) {
  ArgumentReader From(*Saved, Stack);
  pack(*Record->region, From, Packed);
  int32_t Token = SPECRT_UNDONE;
  void *Code = specrt_poll(Record->region, Packed, From.next(SPECRT_KIND_I64), &Token);
  return {Code, static_cast<uint32_t>(Token)};
}
