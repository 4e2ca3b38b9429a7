//===- profiler/observations/arrays/zero_equations.cpp - equations for nonzero values ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/observations/arrays/zero_equations.h"
#include "profiler/json/json_reader.h"
#include "profiler/json/json_writer.h"
#include <nlohmann/json.hpp>

namespace specrt {
namespace {

constexpr size_t MaxBytes = size_t{1} << 16;

} // namespace

/// The strings keep their memory: nothing is freed or allocated.
void ZeroEquations::clear() {
  Told.Equations.clear();
  Told.Skips.clear();
  Told.Program.clear();
}

void ZeroEquations::set(Texts New) {
  for (std::string *Text : {&New.Equations, &New.Skips, &New.Program})
    if (Text->size() > MaxBytes)
      Text->clear();
  Told = std::move(New);
}

void ZeroEquations::add(const ZeroEquations &Newer) {
  if (!Newer.isEmpty())
    Told = Newer.Told;
}

nlohmann::json ZeroEquations::toJson() const {
  return {{"equations", Told.Equations}, {"skips", Told.Skips}, {"program", Told.Program}};
}

void ZeroEquations::readJson(JsonReader &In, const nlohmann::json &Json) {
  Told = {.Equations = In.string(Json, "equations"),
          .Skips = In.string(Json, "skips"),
          .Program = In.string(Json, "program")};
  for (const std::string *Text : {&Told.Equations, &Told.Skips, &Told.Program})
    In.require(Text->size() <= MaxBytes);
}

size_t ZeroEquations::memoryBytes() const {
  return sizeof(*this) + Told.Equations.capacity() + Told.Skips.capacity() +
         Told.Program.capacity();
}

} // namespace specrt
