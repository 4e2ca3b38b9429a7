//===- instrument/emit/packed_region.cpp - writes the compact part of a descriptor ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/emit/packed_region.h"

namespace specrt {

void PackedRegion::text(std::string_view Text) {
  Bytes.insert(Bytes.end(), Text.begin(), Text.end());
  Bytes.push_back(0);
}

void PackedRegion::number(uint64_t Value) {
  for (; Value >= 0x80; Value >>= 7)
    Bytes.push_back(static_cast<uint8_t>(Value | 0x80));
  Bytes.push_back(static_cast<uint8_t>(Value));
}

void PackedRegion::signedNumber(int64_t Value) {
  number(static_cast<uint64_t>(Value) << 1 ^ static_cast<uint64_t>(Value >> 63));
}

void PackedRegion::polynomial(const specrt_polynomial &P) {
  if (P.num_terms == SPECRT_UNKNOWN)
    return number(0);
  number(P.num_terms + 1);
  for (unsigned I = 0; I < P.num_terms; ++I) {
    signedNumber(P.terms[I].coefficient);
    number(P.terms[I].num_factors);
    for (unsigned J = 0; J < P.terms[I].num_factors; ++J)
      number(P.terms[I].factors[J]);
  }
}

void PackedRegion::base(const specrt_base &Base) {
  number(Base.kind);
  number(Base.index);
  signedNumber(Base.offset);
}

void PackedRegion::access(const specrt_access &Access) {
  base(Access.range.base);
  polynomial(Access.range.begin);
  polynomial(Access.range.end);
  number(Access.flags);
  number(Access.element_size);
}

void PackedRegion::loop(const specrt_loop &Loop) {
  number(Loop.line);
  number(Loop.depth);
  polynomial(Loop.trip_count);
}

void PackedRegion::place(const specrt_place &Place) {
  text(Place.function);
  text(Place.file);
  number(Place.first_line);
  number(Place.last_line);
}

void PackedRegion::memoryName(const specrt_memory_name &Name) {
  base(Name.base);
  signedNumber(Name.begin);
  text(Name.text);
}

} // namespace specrt
