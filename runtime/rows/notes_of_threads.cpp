//===- runtime/rows/notes_of_threads.cpp - arrays for notes, one for each thread ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/rows/notes_of_threads.h"

#include <algorithm>
#include <cstring>
#include <sched.h>

namespace specrt {
namespace {

constexpr size_t MaxBytes = size_t{32} << 20; // of one table
constexpr size_t MaxPlaces = 64;
/// Code may know how an array is aligned, up to so many bytes.
constexpr uint64_t Alignment = 64;

size_t processors() {
  cpu_set_t Mask;
  return sched_getaffinity(0, sizeof(Mask), &Mask) == 0 ? static_cast<size_t>(CPU_COUNT(&Mask)) : 1;
}

} // namespace

NotesOfThreads::NotesOfThreads(const std::vector<NotedRange> &Ranges, size_t NumWords)
    : NumWords(NumWords) {
  size_t Bytes = 0;
  for (const NotedRange &R : Ranges)
    Bytes += R.High - R.Low + 2 * Alignment;
  NumPlaces = std::clamp<size_t>(processors(), 1, MaxPlaces);
  NumPlaces = std::min(NumPlaces, 1 + MaxBytes / std::max<size_t>(Bytes, 1));
  Places = std::make_unique<Place[]>(NumPlaces);
  for (size_t I = 1; I < NumPlaces; ++I) {
    Place &P = Places[I];
    P.Room.resize(Bytes);
    auto Next = reinterpret_cast<uint64_t>(P.Room.data());
    for (const NotedRange &R : Ranges) {
      Next += (R.Low - Next) % Alignment;
      std::memcpy(reinterpret_cast<void *>(Next), reinterpret_cast<const void *>(R.Low),
                  R.High - R.Low);
      P.Inputs.push_back({R.Input, Next - R.Low});
      Next += R.High - R.Low;
    }
  }
}

uint32_t NotesOfThreads::lend(const uint64_t *Words, uint64_t *Into) {
  for (size_t I = 0; I < NumPlaces; ++I) {
    if (Places[I].IsLent.exchange(true, std::memory_order_acquire))
      continue;
    std::copy_n(Words, NumWords, Into);
    for (const Moved &M : Places[I].Inputs)
      Into[M.Input] += M.By;
    return static_cast<uint32_t>(I + 1);
  }
  return 0;
}

void NotesOfThreads::giveBack(uint32_t Lent) {
  Places[Lent - 1].IsLent.store(false, std::memory_order_release);
}

} // namespace specrt
