//===- guards/equal.cpp - a packed argument equals a value, or another one ===//
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

} // namespace specrt
