//===- profiler/observations/value_profile.cpp - observes the values of one input ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/observations/value_profile.h"

#include "guards/polynomial.h"
#include "profiler/json/json_reader.h"
#include "profiler/json/json_writer.h"
#include "profiler/json/value_json.h"
#include "profiler/observations/space_saving.h"
#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>

namespace specrt {
namespace {

using nlohmann::json;

constexpr const char *KindNames[] = {"void", "i1",  "i8",  "i16",    "i32",
                                     "i64",  "f32", "f64", "pointer"};

const char *kindName(uint8_t Kind) {
  return Kind < std::size(KindNames) ? KindNames[Kind] : "unknown";
}

/// Converts the bits of a floating-point number to an integer of the same order, and back: negative
/// numbers store a magnitude, which grows as the value falls.
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
    else // counted with a bound for Other's count, which is exact now
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

json ValueProfile::toJson() const {
  json Out = {{"kind", kindName(Kind)}, {"calls", countForJson(Calls)}};
  if (Kind == SPECRT_KIND_POINTER) {
    Out["alignment"] = alignment();
    return Out;
  }
  Out["min"] = valueToJson(Kind, packedBound(Min));
  Out["max"] = valueToJson(Kind, packedBound(Max));
  json &Table = Out["values"] = json::array();
  for (const ValueCount &E : Values)
    if (E.Count != 0)
      Table.push_back({{"value", valueToJson(Kind, E.Value)},
                       {"count", countForJson(E.Count)},
                       {"error", countForJson(E.Error)}});
  return Out;
}

void ValueProfile::readJson(JsonReader &In, const json &Json) {
  In.require(In.string(Json, "kind") == kindName(Kind));
  Calls = In.count(Json, "calls");
  if (Kind == SPECRT_KIND_POINTER) {
    AddressBits = In.count(Json, "alignment");
    In.require(std::has_single_bit(AddressBits));
    return;
  }
  Min = ordered(valueFromJson(In, In.member(Json, "min"), Kind));
  Max = ordered(valueFromJson(In, In.member(Json, "max"), Kind));
  In.require(Min <= Max);
  readValues(In, In.array(Json, "values"));
}

void ValueProfile::readValues(JsonReader &In, const json &Json) {
  if (!In.require(Json.size() <= Capacity))
    return;
  for (size_t I = 0; I < Json.size(); ++I) {
    ValueCount E{valueFromJson(In, In.member(Json[I], "value"), Kind), In.count(Json[I], "count"),
                 In.count(Json[I], "error")};
    In.require(E.Count != 0 && E.Error <= E.Count);
    for (size_t K = 0; K < I; ++K)
      In.require(Values[K].Value != E.Value);
    Values[I] = E;
  }
}

} // namespace specrt
