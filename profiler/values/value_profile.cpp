//===- profiler/values/value_profile.cpp - which values an argument takes -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/values/value_profile.h"

#include "guards/polynomial.h"
#include "profiler/values/space_saving.h"
#include <algorithm>
#include <bit>

namespace specrt {
namespace {

/// Bits of a floating-point number as an integer in the same order, and back: negative numbers
/// store a magnitude, which grows where the value falls.
int64_t orderedFloat(uint8_t Kind, uint64_t Packed) {
  if (Kind == SPECRT_KIND_F32) {
    int32_t Bits = static_cast<int32_t>(Packed);
    return Bits < 0 ? Bits ^ INT32_MAX : Bits;
  }
  int64_t Bits = static_cast<int64_t>(Packed);
  return Bits < 0 ? Bits ^ INT64_MAX : Bits;
}

} // namespace

int64_t ValueProfile::ordered(uint64_t Packed) const {
  return isFloat(Kind) ? orderedFloat(Kind, Packed) : signedValue(Kind, Packed);
}

uint64_t ValueProfile::packedBound(int64_t Bound) const {
  if (Kind == SPECRT_KIND_F32)
    return static_cast<uint32_t>(Bound < 0 ? static_cast<int32_t>(Bound) ^ INT32_MAX
                                           : static_cast<int32_t>(Bound));
  if (Kind == SPECRT_KIND_F64)
    return static_cast<uint64_t>(Bound < 0 ? Bound ^ INT64_MAX : Bound);
  return packedValue(Kind, Bound);
}

void ValueProfile::record(uint64_t Packed) {
  if (Calls != 0 && Values[Last].Value == Packed)
    return repeat();
  recordSlow(Packed);
}

void ValueProfile::recordSlow(uint64_t Packed) {
  widen(ordered(Packed));
  AddressBits |= Packed;
  ++Calls;
  count(Packed);
}

void ValueProfile::count(uint64_t Packed) {
  for (unsigned I = 0; I < Capacity; ++I)
    if (Values[I].Value == Packed && Values[I].Count != 0) {
      ++Values[I].Count;
      Last = static_cast<uint8_t>(I);
      return;
    }
  unsigned Rarest = rarestEntry(Values);
  ValueCount &Entry = Values[Rarest];
  Entry = {Packed, Entry.Count + 1, Entry.Count};
  Last = static_cast<uint8_t>(Rarest);
}

void ValueProfile::widen(int64_t Value) {
  if (Calls == 0) {
    Min = Max = Value;
    return;
  }
  Min = std::min(Min, Value);
  Max = std::max(Max, Value);
}

void ValueProfile::merge(const ValueProfile &Other) {
  if (Other.Calls == 0)
    return;
  if (Calls == 0) {
    *this = Other;
    return;
  }
  widen(Other.Min);
  widen(Other.Max);
  AddressBits |= Other.AddressBits;
  Calls += Other.Calls;

  std::array<ValueCount, 2 * Capacity> All{};
  unsigned Count = 0;
  uint64_t Mine = unseenCount(Values), Theirs = unseenCount(Other.Values);
  for (const ValueCount &E : Values)
    if (E.Count != 0)
      All[Count++] = {E.Value, E.Count + Theirs, E.Error + Theirs};
  for (const ValueCount &E : Other.Values) {
    if (E.Count == 0)
      continue;
    auto *Same = std::find_if(All.begin(), All.begin() + Count,
                              [&](const ValueCount &A) { return A.Value == E.Value; });
    if (Same == All.begin() + Count)
      All[Count++] = {E.Value, E.Count + Mine, E.Error + Mine};
    else // counted with an assumption about Other that is now known
      *Same = {E.Value, Same->Count - Theirs + E.Count, Same->Error - Theirs + E.Error};
  }
  std::sort(All.begin(), All.begin() + Count,
            [](const ValueCount &A, const ValueCount &B) { return A.Count > B.Count; });
  std::copy_n(All.begin(), Capacity, Values.begin());
  Last = 0;
}

ValueCount ValueProfile::top() const {
  return *std::max_element(Values.begin(), Values.end(),
                           [](const ValueCount &A, const ValueCount &B) {
                             return A.Count - A.Error < B.Count - B.Error;
                           });
}

uint64_t ValueProfile::alignment() const {
  if (Kind != SPECRT_KIND_POINTER || Calls == 0)
    return 1;
  return uint64_t{1} << std::countr_zero(AddressBits | MaxAlignment);
}

} // namespace specrt
