//===- profiler/streams/last_writers.cpp - finds the last writer of memory ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/streams/last_writers.h"

#include <algorithm>

namespace specrt {

void LastWriters::write(uint64_t Address, uint32_t Width, uint32_t Access, const int64_t *At,
                        uint32_t Depth) {
  Writer New{.Access = Access, .At = {}};
  std::copy_n(At, std::min<size_t>(Depth, New.At.size()), New.At.begin());
  for (uint64_t Place = Address / Granule; Place * Granule < Address + Width; ++Place)
    if (auto Known = Places.find(Place); Known != Places.end())
      Known->second = New;
    else if (Places.size() < MaxPlaces)
      Places.emplace(Place, New);
}

const Writer *LastWriters::of(uint64_t Address) const {
  auto Found = Places.find(Address / Granule);
  return Found == Places.end() ? nullptr : &Found->second;
}

} // namespace specrt
