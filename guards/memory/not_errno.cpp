//===- guards/memory/not_errno.cpp - a pointer does not point to errno ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/memory/not_errno.h"
#include "guards/words.h"

#include <cerrno>
#include <optional>

namespace specrt {

const char *NotErrnoGuard::problem(const specrt_region &Region) const {
  return problemOf(Base, Region);
}

bool NotErrnoGuard::holds(const specrt_region &Region, const uint64_t *Packed) const {
  if (problem(Region))
    return false;
  const std::optional<uint64_t> Address = addressOf(Base, Region, Packed);
  return Address && *Address != reinterpret_cast<uint64_t>(&errno);
}

std::string NotErrnoGuard::describe(const specrt_region &Region) const {
  return specrt::describe(Base, Region) + " is not errno";
}

double NotErrnoGuard::costNs() const { return 3 + specrt::costNs(Base); }

Presumes NotErrnoGuard::presumes() const {
  return isLoaded(Base) ? Presumes::MemoryContent : Presumes::Nothing;
}

} // namespace specrt
