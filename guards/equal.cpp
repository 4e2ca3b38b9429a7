//===- guards/equal.cpp - a packed argument equals a value ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/equal.h"
#include "guards/words.h"

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

} // namespace specrt
