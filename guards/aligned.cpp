//===- guards/aligned.cpp - an address is aligned -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/aligned.h"
#include "guards/address.h"
#include "guards/words.h"

namespace specrt {

const char *AlignedGuard::problem(const specrt_region &Region) const {
  return Alignment == 0 ? "demands alignment to 0 bytes" : problemOf(Base, Region);
}

bool AlignedGuard::holds(const specrt_region &Region, const uint64_t *Packed) const {
  std::optional<uint64_t> Address = addressOf(Base, Region, Packed);
  return Address && Alignment != 0 && (*Address & (Alignment - 1)) == 0;
}

std::string AlignedGuard::describe(const specrt_region &Region) const {
  return specrt::describe(Base, Region) + " is a multiple of " + std::to_string(Alignment);
}

double AlignedGuard::costNs() const { return 0.2 + specrt::costNs(Base); }

Presumes AlignedGuard::presumes() const {
  return isLoaded(Base) ? Presumes::MemoryContent : Presumes::Nothing;
}

} // namespace specrt
