//===- analysis/pipeline_positions.cpp - where a program places nests that take turns ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/pipeline_positions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"
#include <string>

using namespace llvm;

namespace specrt {

static constexpr const char *PipelineAttribute = "specrt-pipeline";

SmallVector<GivenPositions> positionsFrom(ArrayRef<int64_t> Arguments) {
  constexpr size_t NumPerNest = 4;
  SmallVector<GivenPositions> Nests;
  if (Arguments.size() % NumPerNest != 0)
    return Nests;
  const size_t NumNests = Arguments.size() / NumPerNest;
  const auto From = [](int64_t Value, int64_t Least) {
    return Value >= Least ? std::optional(Value) : std::nullopt;
  };
  for (size_t I = 0; I < NumNests; ++I) {
    GivenPositions Own;
    for (size_t Depth = 0; Depth < Own.size(); ++Depth)
      Own[Depth] = {.Offset = From(Arguments[Depth * NumNests + I], 0),
                    .Grain = From(Arguments[(Own.size() + Depth) * NumNests + I], 1)};
    Nests.push_back(Own);
  }
  return Nests;
}

bool isAnyGiven(const GivenPositions &Nest) {
  return any_of(Nest, [](const GivenPosition &At) { return At.Offset || At.Grain; });
}

void placePipeline(Function &F, ArrayRef<GivenPositions> Nests) {
  // The order is that of the arguments of positionsFrom().
  std::string Text;
  const auto Add = [&](int64_t Value) {
    Text += (Text.empty() ? "" : ",") + std::to_string(Value);
  };
  for (size_t Depth = 0; Depth < GivenPositions().size(); ++Depth)
    for (const GivenPositions &Nest : Nests)
      Add(Nest[Depth].Offset.value_or(-1));
  for (size_t Depth = 0; Depth < GivenPositions().size(); ++Depth)
    for (const GivenPositions &Nest : Nests)
      Add(Nest[Depth].Grain.value_or(0));
  F.addFnAttr(PipelineAttribute, Text);
}

SmallVector<GivenPositions> placesOfPipeline(const Function &F) {
  SmallVector<int64_t> Arguments;
  for (const StringRef Part : split(F.getFnAttribute(PipelineAttribute).getValueAsString(), ',')) {
    int64_t Value = 0;
    if (Part.getAsInteger(10, Value))
      return {};
    Arguments.push_back(Value);
  }
  return positionsFrom(Arguments);
}

} // namespace specrt
