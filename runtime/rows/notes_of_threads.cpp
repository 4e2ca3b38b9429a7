//===- runtime/rows/notes_of_threads.cpp - copies of arrays for notes, one per thread ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/rows/notes_of_threads.h"
#include "runtime/base/config.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <sched.h>

namespace specrt {
namespace {

/// Limits of all tables of the process.
constexpr size_t MaxBytes = size_t{64} << 20;
std::atomic<size_t> BytesInUse{0};
constexpr size_t MaxPlaces = 64;
/// The alignment, in bytes, that code may assume of an array.
constexpr uint64_t Alignment = 64;

/// Claims memory for at most \p Most copies of \p Bytes bytes each. Returns the number of copies.
size_t claim(size_t Bytes, size_t Most) {
  size_t Used = BytesInUse.load(std::memory_order_relaxed), Number = 0;
  do
    Number = std::min(Most, (MaxBytes - Used) / Bytes);
  while (!BytesInUse.compare_exchange_weak(Used, Used + Number * Bytes));
  return Number;
}

} // namespace

NotesOfThreads::NotesOfThreads(const std::vector<NotedRange> &Ranges, size_t NumWords)
    : NumWords(NumWords), BytesPerCopy(Alignment) {
  for (const NotedRange &R : Ranges)
    BytesPerCopy += R.High - R.Low + Alignment;
  Places = std::make_unique<Place[]>(MaxPlaces);
  const size_t Copies =
      claim(BytesPerCopy, std::clamp<size_t>(usableProcessors(), 1, MaxPlaces) - 1);
  try {
    for (; NumPlaces <= Copies; ++NumPlaces) {
      Place &P = Places[NumPlaces];
      P.Room.resize(BytesPerCopy);
      auto Next = reinterpret_cast<uint64_t>(P.Room.data());
      for (const NotedRange &R : Ranges) {
        Next += (R.Low - Next) % Alignment;
        std::memcpy(reinterpret_cast<void *>(Next), reinterpret_cast<const void *>(R.Low),
                    R.High - R.Low);
        P.Inputs.push_back({R.Input, Next - R.Low});
        Next += R.High - R.Low;
      }
    }
  } catch (const std::bad_alloc &) { // there are only this many copies then
    BytesInUse.fetch_sub((Copies + 1 - NumPlaces) * BytesPerCopy);
  }
}

NotesOfThreads::~NotesOfThreads() { BytesInUse.fetch_sub((NumPlaces - 1) * BytesPerCopy); }

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
