//===- runtime/base/open_calls.cpp - observed calls that run in place -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/open_calls.h"
#include "runtime/base/clock.h"

#include <array>

namespace specrt {
namespace {

using State = OpenCall::State;

/// The limit of calls that are timed in place at a time, as a program has few threads in regions.
constexpr uint32_t NumPlaces = 128;
/// The low bits of a place's word are its state.
constexpr uint32_t StateBits = 2, StateMask = (1 << StateBits) - 1;
/// A token has 31 bits: the place's number and the low bits of the count of its uses.
constexpr uint32_t TurnMask = (1u << 24) - 1;
static_assert(NumPlaces * uint64_t{TurnMask} < INT32_MAX);

/// The memory is zeroed, so a page is touched only when a place in it is used.
std::array<OpenCall, NumPlaces> Places;
/// The place that was closed last, which is probably free and in the cache.
std::atomic<uint32_t> LastClosed;

State stateOf(uint32_t Word) { return static_cast<State>(Word & StateMask); }
uint32_t turnOf(uint32_t Word) { return (Word >> StateBits) & TurnMask; }
uint32_t wordOf(uint32_t Turn, State S) { return (Turn << StateBits) | static_cast<uint32_t>(S); }

bool move(OpenCall &Place, State From, uint32_t Word, State To) {
  return stateOf(Word) == From &&
         Place.Word.compare_exchange_strong(Word, wordOf(turnOf(Word) + (To == State::Opening), To),
                                            std::memory_order_acq_rel);
}

/// The place that a token stands for, and its word while the token's call is open.
struct CodedPlace {
  explicit CodedPlace(int32_t Token)
      : Place(Places[static_cast<uint32_t>(-1 - Token) % NumPlaces]),
        Word(wordOf(static_cast<uint32_t>(-1 - Token) / NumPlaces, State::Open)) {}

  OpenCall &Place;
  uint32_t Word;
};

/// Returns the place of the oldest open call, if that has lasted so long that it may never end.
OpenCall *placeOfOldest() {
  constexpr double LongNs = 1e9; // few calls are longer, and their time is lost then
  const uint64_t Now = ticks();
  OpenCall *Oldest = nullptr;
  uint32_t Seen = 0;
  uint64_t First = Now;
  for (OpenCall &Place : Places) {
    const uint32_t Word = Place.Word.load(std::memory_order_acquire);
    const uint64_t Since = Place.Since.load(std::memory_order_relaxed);
    if (stateOf(Word) != State::Open || Since >= First)
      continue;
    Oldest = &Place;
    Seen = Word;
    First = Since;
  }
  const bool IsLong = static_cast<double>(Now - First) * nsPerTick() >= LongNs;
  return IsLong && move(*Oldest, State::Open, Seen, State::Opening) ? Oldest : nullptr;
}

} // namespace

OpenCall *takePlace(void (*Abandon)(specrt_call &)) {
  const uint32_t First = LastClosed.load(std::memory_order_relaxed);
  for (uint32_t I = 0; I < NumPlaces; ++I) {
    OpenCall &Place = Places[(First + I) % NumPlaces];
    if (move(Place, State::Free, Place.Word.load(std::memory_order_relaxed), State::Opening))
      return &Place;
  }
  OpenCall *Taken = placeOfOldest();
  if (Taken)
    Abandon(Taken->Call);
  return Taken;
}

int32_t open(OpenCall &Place, bool IsKept) {
  Place.Since.store(IsKept ? UINT64_MAX : ticks(), std::memory_order_relaxed);
  const uint32_t Turn = turnOf(Place.Word.load(std::memory_order_relaxed));
  Place.Word.store(wordOf(Turn, State::Open), std::memory_order_release);
  const auto Number = static_cast<uint32_t>(&Place - Places.data());
  return -1 - static_cast<int32_t>(Turn * NumPlaces + Number);
}

OpenCall *findKept(int32_t Token) {
  const CodedPlace Of(Token);
  const bool IsOpen = Of.Place.Word.load(std::memory_order_acquire) == Of.Word;
  return IsOpen && Of.Place.Since.load(std::memory_order_relaxed) == UINT64_MAX ? &Of.Place
                                                                                : nullptr;
}

OpenCall *takeOpen(int32_t Token) {
  const CodedPlace Of(Token);
  return move(Of.Place, State::Open, Of.Word, State::Closing) ? &Of.Place : nullptr;
}

void close(OpenCall &Place) {
  const uint32_t Turn = turnOf(Place.Word.load(std::memory_order_relaxed));
  Place.Word.store(wordOf(Turn, State::Free), std::memory_order_release);
  LastClosed.store(static_cast<uint32_t>(&Place - Places.data()), std::memory_order_relaxed);
}

} // namespace specrt
