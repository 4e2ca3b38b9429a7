//===- guards/equal.cpp - a packed argument equals a value, or another one ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/equal.h"
#include "guards/words.h"

#include <set>
#include <utility>

namespace specrt {

const char *EqualGuard::problem(const specrt_region &Region) const {
  return Argument < Region.num_args ? nullptr : "refers to an argument that does not exist";
}

bool EqualGuard::holds(const specrt_region &Region, const uint64_t *Packed) const {
  return Argument < Region.num_args && Packed[Argument] == Value;
}

std::string EqualGuard::describe(const specrt_region &Region) const {
  return argumentName(Region, Argument) + " == " + describeValue(Region, Argument, Value);
}

double EqualGuard::costNs() const { return 0.2; }

const char *SameGuard::problem(const specrt_region &Region) const {
  return First < Region.num_args && Second < Region.num_args
             ? nullptr
             : "refers to an argument that does not exist";
}

bool SameGuard::holds(const specrt_region &Region, const uint64_t *Packed) const {
  return First < Region.num_args && Second < Region.num_args && Packed[First] == Packed[Second];
}

std::string SameGuard::describe(const specrt_region &Region) const {
  return argumentName(Region, First) + " == " + argumentName(Region, Second);
}

double SameGuard::costNs() const { return 0.2; }

std::vector<SameGuard> sameArguments(const uint8_t *Overlaps, const specrt_region &Region) {
  std::set<std::pair<uint32_t, uint32_t>> Pairs;
  for (uint32_t I = 0; Overlaps && I < Region.num_accesses; ++I)
    for (uint32_t J = 0; J < Region.num_accesses; ++J) {
      const specrt_base &First = Region.accesses[I].range.base;
      const specrt_base &Second = Region.accesses[J].range.base;
      if (Overlaps[size_t{I} * Region.num_accesses + J] == 2 &&
          First.kind == SPECRT_BASE_ARGUMENT && Second.kind == SPECRT_BASE_ARGUMENT &&
          First.index < Second.index)
        Pairs.emplace(First.index, Second.index);
    }
  std::vector<SameGuard> Guards;
  Guards.reserve(Pairs.size());
  for (const auto &[First, Second] : Pairs)
    Guards.emplace_back(First, Second);
  return Guards;
}

} // namespace specrt
