//===- tests/runtime/stories/fake_object.cpp - a version of any test region -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies call functions of the host, which the loader writes into the table of symbols. Entries
// evaluate guards as data. As real versions, the object imports nothing: it is linked without the C
// library and has no dynamic initialisers.
//
//===----------------------------------------------------------------------===//
#include "tests/runtime/stories/fake_object.h"
#include "tests/runtime/written_object.h"

namespace {

FakeObjectBlock Patched = {.Mark = FAKE_OBJECT_MARK,
                           .Which = 0,
                           .MoreGuards = 0,
                           .GuardBytes = 0,
                           .Guards = {},
                           .Name = "",
                           .Key = ""};

/// The compiler must not take the block's initial values for constants.
FakeObjectBlock &patched() {
  FakeObjectBlock *Block = &Patched;
  asm volatile("" : "+r"(Block));
  return *Block;
}

void *Symbols[NumFakeBodies];
alignas(64) specrt_version_state State;

constexpr uint64_t GuardCapacity = 16u << 20;
alignas(8) unsigned char Guards[GuardCapacity];
uint64_t GuardBytes;

int64_t call(void *Target, int64_t N, int64_t Work, int64_t *Data) {
  return reinterpret_cast<RegionFn>(Target)(N, Work, Data);
}

template <uint32_t Which> int64_t body(int64_t N, int64_t Work, int64_t *Data) {
  return call(Symbols[Which], N, Work, Data);
}

bool allHold(int64_t N, int64_t Work, int64_t *Data) {
  const uint64_t Packed[3] = {static_cast<uint64_t>(N), static_cast<uint64_t>(Work),
                              reinterpret_cast<uint64_t>(Data)};
  for (uint64_t At = 0; At < GuardBytes;) {
    const auto *Guard = reinterpret_cast<const specrt_guard *>(Guards + At);
    if (!State.holds(Guard, State.region, Packed))
      return false;
    At += Guard->bytes;
  }
  return true;
}

/// Is this the call, of those that Counter counts, that the thunk is to observe?
bool sampled(uint64_t *Counter, uint64_t *Mask) {
  const uint64_t Count = __atomic_fetch_add(Counter, 1, __ATOMIC_RELAXED);
  const uint64_t Known = __atomic_load_n(Mask, __ATOMIC_RELAXED);
  if ((Count & Known) != Known)
    return false;
  __atomic_add_fetch(&State.sampled, 1, __ATOMIC_RELAXED);
  return true;
}

/// CountsInside: the exact entry.
template <bool CountsInside> int64_t entry(int64_t N, int64_t Work, int64_t *Data) {
  const uint64_t Place = reinterpret_cast<uint64_t>(__builtin_frame_address(0)) >> 16;
  specrt_version_shard &Shard = State.shards[Place % SPECRT_VERSION_SHARDS];
  if (allHold(N, Work, Data)) {
    if (sampled(&Shard.hits, &State.sample_mask))
      return call(__atomic_load_n(&State.sampler, __ATOMIC_ACQUIRE), N, Work, Data);
    if (CountsInside)
      __atomic_add_fetch(&Shard.inside, 1, __ATOMIC_SEQ_CST);
    void *Body = __atomic_load_n(&State.body, __ATOMIC_SEQ_CST);
    const int64_t Result = Body ? call(Body, N, Work, Data) : 0;
    if (CountsInside)
      __atomic_sub_fetch(&Shard.inside, 1, __ATOMIC_SEQ_CST);
    if (Body)
      return Result;
    __atomic_sub_fetch(&Shard.hits, 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&Shard.misses, 1, __ATOMIC_RELAXED);
  } else if (sampled(&Shard.misses, &State.miss_mask)) {
    return call(__atomic_load_n(&State.sampler, __ATOMIC_ACQUIRE), N, Work, Data);
  }
  return call(__atomic_load_n(&State.next, __ATOMIC_ACQUIRE), N, Work, Data);
}

template <uint32_t Which = 0> void *bodyOf(uint32_t Wanted) {
  if constexpr (Which + 1 < NumFakeBodies)
    if (Wanted != Which)
      return bodyOf<Which + 1>(Wanted);
  return reinterpret_cast<void *>(&body<Which>);
}

void fillGuards(const FakeObjectBlock &Block) {
  for (uint64_t I = 0; I < Block.GuardBytes; ++I)
    Guards[I] = Block.Guards[I];
  GuardBytes = Block.GuardBytes;
  for (uint32_t I = 0; I < Block.MoreGuards; ++I, GuardBytes += sizeof(InRangeGuard)) {
    auto &Guard = *reinterpret_cast<InRangeGuard *>(Guards + GuardBytes);
    Guard.Head.kind = InRangeGuard::Kind;
    Guard.Head.bytes = sizeof(InRangeGuard);
    Guard.Argument = 0;
    Guard.Low = lowestAllowed(I);
    Guard.High = INT64_MAX;
  }
}

specrt_object_entry Entry;
specrt_object_body Body;
specrt_version_object Object;

} // namespace

extern "C" __attribute__((visibility("default"))) const specrt_version_object *
specrt_version_object_query() {
  if (Object.size)
    return &Object;
  const FakeObjectBlock &Block = patched();
  fillGuards(Block);
  Entry.guards.first = reinterpret_cast<const specrt_guard *>(Guards);
  Entry.guards.bytes = GuardBytes;
  Entry.entry = reinterpret_cast<void *>(&entry<false>);
  Entry.exact_entry = reinterpret_cast<void *>(&entry<true>);
  Entry.state = &State;
  Body.name = Block.Name;
  Body.body = bodyOf(Block.Which);
  Body.entry = &Entry;
  Body.symbols = Symbols;
  Body.compile_ms = 1;
  Object.num_symbols = NumFakeBodies;
  describeBody(Object, Body, Block.Key);
  return &Object;
}
