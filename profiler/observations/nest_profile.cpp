//===- profiler/observations/nest_profile.cpp - what is known of a region's loops ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/observations/nest_profile.h"

#include "profiler/feedback/nest_json.h"
#include "profiler/json/json_reader.h"
#include <nlohmann/json.hpp>
#include <utility>

namespace specrt {

/// Keeps its memory: nothing is freed or allocated.
void NestProfile::clear() { Seen.From = Nest::Nothing; }

void NestProfile::set(Nest New) {
  if (!New.isEmpty() && New.From >= Seen.From)
    Seen = std::move(New);
}

void NestProfile::add(const NestProfile &Newer) { set(Newer.Seen); }

nlohmann::json NestProfile::toJson() const { return specrt::toJson(isEmpty() ? Nest() : Seen); }

void NestProfile::readJson(JsonReader &In, const nlohmann::json &Json) {
  Seen = readNest(In, Json);
}

size_t NestProfile::memoryBytes() const {
  size_t Bytes = sizeof(*this) + Seen.Loops.capacity() * sizeof(NestLoop) +
                 Seen.Accesses.capacity() * sizeof(NestAccess) +
                 Seen.Dependences.capacity() * sizeof(NestDependence) +
                 Seen.Domain.Rows.capacity() * sizeof(NestRow);
  for (const NestAccess &A : Seen.Accesses)
    Bytes += A.Strides.capacity() * sizeof(Stride) + A.Loops.capacity() * sizeof(uint32_t);
  for (const NestDependence &D : Seen.Dependences)
    Bytes += D.Distances.capacity() * sizeof(Distance) + D.Loops.capacity() * sizeof(uint32_t);
  return Bytes;
}

} // namespace specrt
