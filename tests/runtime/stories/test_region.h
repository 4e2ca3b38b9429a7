//===- tests/runtime/stories/test_region.h - instrumented code, written by hand ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_RUNTIME_STORIES_TEST_REGION_H
#define SPECRT_TESTS_RUNTIME_STORIES_TEST_REGION_H

#include "specrt/abi.h"
#include "tests/runtime/stories/fake_control.h"

// Exported by the host, for its plugin as well.
extern "C" {
/// The file that contains the FakeControl, which exists from the first call on.
const char *story_control_path();
/// [NumFakeBodies] what candidates can stand for.
const specrt_symbol *story_bodies();
}

/// What the instrumentation pass emits for one region. Tag tells regions apart.
template <int Tag> struct TestRegion {
  static inline const uint8_t Kinds[3] = {SPECRT_KIND_I64, SPECRT_KIND_I64, SPECRT_KIND_POINTER};
  static inline const char *const Names[3] = {"n", "work", "data"};
  static inline const char Bitcode[4] = {'B', 'C', 'x', 'x'};
  static inline specrt_region Region{};
  static inline void *Slot = nullptr;
  static inline uint64_t PassBy = 0;

  static int64_t thunk(int64_t N, int64_t Work, int64_t *Data) {
    uint64_t Packed[3] = {static_cast<uint64_t>(N), static_cast<uint64_t>(Work),
                          reinterpret_cast<uint64_t>(Data)};
    specrt_call Call;
    auto Target = reinterpret_cast<RegionFn>(specrt_enter(&Region, Packed, &Call));
    int64_t Result = Target(N, Work, Data);
    specrt_leave(&Region, &Call);
    return Result;
  }

  /// The stub. Here the nest in place is the original itself.
  static int64_t call(int64_t N, int64_t Work, int64_t *Data) {
    void *Target = __atomic_load_n(&Slot, __ATOMIC_ACQUIRE);
    return reinterpret_cast<RegionFn>(Target ? Target : Region.original)(N, Work, Data);
  }

  static specrt_region *make(const char *Name, RegionFn Original) {
    Slot = nullptr;
    Region.abi_version = SPECRT_ABI_VERSION;
    Region.size = sizeof(specrt_region);
    Region.name = Name;
    Region.function = Name;
    Region.file = "loop.c";
    Region.line = 7;
    Region.num_args = 3;
    Region.return_kind = SPECRT_KIND_I64;
    Region.arg_kinds = Kinds;
    Region.arg_names = Names;
    Region.original = reinterpret_cast<void *>(Original);
    Region.thunk = reinterpret_cast<void *>(&thunk);
    Region.slot = &Slot;
    PassBy = 0;
    Region.pass_by = &PassBy;
    Region.bitcode = Bitcode;
    Region.bitcode_size = sizeof(Bitcode);
    Region.bitcode_hash[0] = static_cast<uint64_t>(Tag) + 1;
    // Where the fake compiler finds what it shares with the host. Keys of versions do not contain
    // it, reports neither.
    Region.entry_symbol = story_control_path();
    Region.symbols = story_bodies();
    Region.num_symbols = NumFakeBodies;
    Region.pipeline = "O3";
    return &Region;
  }
};

#endif
