//===- runtime/watch/stamps.cpp - promises of the program about changes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/watch/stamps.h"

#include <algorithm>

namespace specrt {
namespace {

/// Returns begin and end, clipped to the address space.
std::pair<uintptr_t, uintptr_t> boundsOf(const void *Address, size_t Bytes) {
  const auto Begin = reinterpret_cast<uintptr_t>(Address);
  return {Begin, Begin + std::min(Bytes, ~Begin)};
}

} // namespace

/// Returns the first range that ends behind Begin.
Promises::Ranges::iterator Promises::firstBehind(uintptr_t Begin) {
  auto It = All.upper_bound(Begin);
  if (It != All.begin() && std::prev(It)->second.End > Begin)
    --It;
  return It;
}

void Promises::touch(const void *Address, size_t Bytes) {
  auto [Begin, End] = boundsOf(Address, Bytes);
  PatientLock::Guard Owned(Lock);
  if (!Owned || Begin == End)
    return;
  const auto First = firstBehind(Begin);
  auto Last = First;
  for (; Last != All.end() && Last->first < End; ++Last)
    Last->second.Changes->fetch_add(1, std::memory_order_release);
  const bool IsInside = First != Last && First->first <= Begin && First->second.End >= End;
  if (IsInside || (First == Last && All.size() >= MostRanges))
    return;
  Promised Whole = {End, std::make_shared<Stamp>(0)};
  if (First != Last) {
    Begin = std::min(Begin, First->first);
    Whole.End = std::max(End, std::prev(Last)->second.End);
  }
  All.erase(First, Last);
  All.emplace(Begin, std::move(Whole));
}

void Promises::end(const void *Address, size_t Bytes) {
  const auto [Begin, End] = boundsOf(Address, Bytes);
  PatientLock::Guard Owned(Lock);
  if (!Owned || Begin == End)
    return;
  const auto First = firstBehind(Begin);
  auto Last = First;
  for (; Last != All.end() && Last->first < End; ++Last)
    Last->second.Changes->fetch_add(1, std::memory_order_release);
  if (First == Last)
    return;
  const uintptr_t Low = First->first, High = std::prev(Last)->second.End;
  // erased before memory is allocated: a failure may leave fewer promises, never more
  All.erase(First, Last);
  if (Low < Begin)
    All.emplace(Low, Promised{Begin, std::make_shared<Stamp>(0)});
  if (High > End)
    All.emplace(End, Promised{High, std::make_shared<Stamp>(0)});
}

std::vector<std::shared_ptr<Stamp>> Promises::covering(uintptr_t Begin, uintptr_t End) {
  constexpr size_t MostStamps = 16; // a check reads them all
  PatientLock::Guard Owned(Lock);
  std::vector<std::shared_ptr<Stamp>> Found;
  if (!Owned)
    return Found;
  for (auto It = firstBehind(Begin);
       It != All.end() && It->first <= Begin && Found.size() < MostStamps; ++It) {
    Found.push_back(It->second.Changes);
    if (It->second.End >= End)
      return Found;
    Begin = It->second.End;
  }
  return {};
}

StampedPart::StampedPart(size_t Bytes, const Promises &By,
                         std::vector<std::shared_ptr<Stamp>> Stamps)
    : Total(Bytes), Source(By) {
  for (std::shared_ptr<Stamp> &Changes : Stamps) {
    const uint64_t Count = Changes->load(std::memory_order_acquire);
    All.push_back({std::move(Changes), Count});
  }
}

bool StampedPart::unchanged() {
  return Source.areKept() && std::ranges::all_of(All, [](const Seen &S) {
           return S.Changes->load(std::memory_order_acquire) == S.Count;
         });
}

} // namespace specrt
