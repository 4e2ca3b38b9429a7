//===- runtime/call/versions.cpp - published versions and their reclamation ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/call/versions.h"
#include "guards/guards.h"
#include "runtime/base/clock.h"

#include <algorithm>

namespace specrt {
namespace {

uint64_t sum(const specrt_version_state &State, uint64_t specrt_version_shard::*Field) {
  uint64_t Sum = 0;
  for (const specrt_version_shard &Shard : State.shards)
    Sum += __atomic_load_n(&(Shard.*Field), __ATOMIC_SEQ_CST);
  return Sum;
}

void storePointer(void *&Target, void *Value) {
  __atomic_store_n(&Target, Value, __ATOMIC_SEQ_CST);
}

uint64_t median(std::array<uint64_t, Version::Window> Ticks) {
  std::nth_element(Ticks.begin(), Ticks.begin() + Version::Window / 2, Ticks.end());
  return Ticks[Version::Window / 2];
}

} // namespace

uint64_t Version::hits() const { return sum(*State, &specrt_version_shard::hits); }
uint64_t Version::misses() const { return sum(*State, &specrt_version_shard::misses); }
bool Version::anyInside() const { return sum(*State, &specrt_version_shard::inside) != 0; }

void planObservation(Version &V, double BodyNs) {
  uint32_t Period = samplePeriod(BodyNs);
  V.State->sample_mask = Period - 1;
  // A run of the original costs more than a clock reading: at most one call in 1024, and for
  // calls that can be felt one by one (100 us) only when the body has become slow.
  V.BaselinePeriod = BodyNs >= 1e5 ? 0 : std::max(4u, 1024u / Period);
}

FoundVersion findVersion(RegionState &S, const specrt_region &Region, const uint64_t *Packed,
                         bool IsTimed) {
  for (Version *V = S.Versions.load(std::memory_order_seq_cst); V;
       V = V->Next.load(std::memory_order_acquire)) {
    const uint64_t Begin = IsTimed ? ticks() : 0;
    void *Body = V->body();
    if (Body && allHold(V->Guards, Region, Packed))
      return {V, Body, IsTimed ? V->Price.of(Begin, ticks()) : 0};
  }
  return {};
}

bool addVersionSample(Version &V, bool Baseline, uint64_t Ticks) {
  if (Baseline)
    V.BaselineTicks[V.NumBaseline++ % Version::Window] = Ticks;
  else
    V.BodyTicks[V.NumBody++ % Version::Window] = Ticks;
  if (V.NumBody < Version::Window)
    return false;
  uint64_t Body = median(V.BodyTicks);
  double BodyNs = static_cast<double>(Body) * nsPerTick();
  V.Suspicious.store(V.BaselineNs > 0 && BodyNs > 0.97 * V.BaselineNs, std::memory_order_relaxed);
  if (V.NumBaseline < Version::Window)
    return false;
  V.LostWindows = Body > median(V.BaselineTicks) ? V.LostWindows + 1 : 0;
  V.NumBody = V.NumBaseline = 0;
  return V.LostWindows >= Version::LostWindowsToRetire &&
         !V.Losing.exchange(true, std::memory_order_relaxed);
}

void linkVersion(RegionState &S, Version &V, void *Original, void *Thunk) {
  Version *Head = S.Versions.load(std::memory_order_relaxed);
  storePointer(V.State->next, Head ? Head->Entry : Original);
  storePointer(V.State->sampler, Thunk);
  V.Next.store(Head, std::memory_order_relaxed);
  S.Versions.store(&V, std::memory_order_seq_cst);
}

void unlinkVersion(RegionState &S, Version &V) {
  Version *After = V.Next.load(std::memory_order_relaxed);
  Version *Before = S.Versions.load(std::memory_order_relaxed);
  if (Before == &V) {
    S.Versions.store(After, std::memory_order_seq_cst);
  } else {
    while (Before && Before->Next.load(std::memory_order_relaxed) != &V)
      Before = Before->Next.load(std::memory_order_relaxed);
    if (Before) {
      Before->Next.store(After, std::memory_order_seq_cst);
      storePointer(Before->State->next, __atomic_load_n(&V.State->next, __ATOMIC_RELAXED));
    }
  }
  // Threads that are already in V's entry go on to next; V keeps its links for them.
  storePointer(V.State->body, nullptr);
}

void *slotTarget(const RegionState &S, void *Original) {
  Version *Head = S.Versions.load(std::memory_order_relaxed);
  return Head ? Head->Entry : Original;
}

void Reclaimer::addTrial(RegionState &S, std::unique_ptr<Trial> T) {
  Item I;
  I.State = &S;
  I.OwnedTrial = std::move(T);
  Items.push_back(std::move(I));
}

void Reclaimer::addStored(RegionState &S, std::shared_ptr<LoadedVersion> Stored) {
  if (!Stored)
    return;
  Item I;
  I.State = &S;
  I.Stored = std::move(Stored);
  Items.push_back(std::move(I));
}

void Reclaimer::addBody(RegionState &S, void *Handle, Version *V) {
  // Without exact counts nobody knows who is inside: such a body stays for ever.
  if (!Handle || (V && !V->ExactInside))
    return;
  Item I;
  I.State = &S;
  I.Handle = Handle;
  I.Body = V;
  Items.push_back(std::move(I));
}

bool Reclaimer::drained(Item &I) {
  // A reader counts itself before it looks for a body, so once a parity was seen at zero after
  // the removal, its later readers cannot find what was removed. Moving new readers to the other
  // parity lets each of them reach zero even when calls never pause.
  RegionState &S = *I.State;
  for (uint32_t Parity = 0; Parity < 2; ++Parity)
    if (!I.Drained[Parity] && S.Sections[Parity].load(std::memory_order_seq_cst) == 0)
      I.Drained[Parity] = true;
  if (!(I.Drained[0] && I.Drained[1])) {
    S.Epoch.store(I.Drained[0] ? 0 : 1, std::memory_order_seq_cst);
    return false;
  }
  return !I.Body || !I.Body->anyInside();
}

bool Reclaimer::poll() {
  std::erase_if(Items, [this](Item &I) {
    if (!drained(I))
      return false;
    if (I.Handle)
      Release(I.Handle);
    return true;
  });
  return !Items.empty();
}

} // namespace specrt
