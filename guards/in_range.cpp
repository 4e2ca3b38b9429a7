//===- guards/in_range.cpp - an integer argument lies in a range ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/in_range.h"
#include "guards/polynomial.h"
#include "guards/words.h"

namespace specrt {

const char *InRangeGuard::problem(const specrt_region &Region) const {
  return Argument < Region.num_args ? nullptr : "refers to an argument that does not exist";
}

bool InRangeGuard::holds(const specrt_region &Region, const uint64_t *Packed) const {
  if (Argument >= Region.num_args)
    return false;
  int64_t Value = signedValue(Region.arg_kinds[Argument], Packed[Argument]);
  return Low <= Value && Value <= High;
}

std::string InRangeGuard::describe(const specrt_region &Region) const {
  return std::to_string(Low) + " <= " + argumentName(Region, Argument) +
         " <= " + std::to_string(High);
}

double InRangeGuard::costNs() const { return 0.3; }

} // namespace specrt
