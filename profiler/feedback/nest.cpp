//===- profiler/feedback/nest.cpp - a model of the loops of a region ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/feedback/nest.h"

#include <algorithm>

namespace specrt {

std::optional<uint32_t> Nest::parent(uint32_t L) const {
  for (uint32_t Before = L; Before-- > 0;)
    if (Loops[Before].Depth < Loops[L].Depth)
      return Before;
  return std::nullopt;
}

std::vector<uint32_t> Nest::chain(uint32_t L) const {
  std::vector<uint32_t> Chain = {L};
  while (std::optional<uint32_t> Around = parent(Chain.back()))
    Chain.push_back(*Around);
  std::reverse(Chain.begin(), Chain.end());
  return Chain;
}

bool Nest::isInnermost(uint32_t L) const {
  return L + 1 == Loops.size() || Loops[L + 1].Depth <= Loops[L].Depth;
}

} // namespace specrt
