//===- specializer/speculation/speculation.h - guards and their consumers -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Speculation adds knowledge to a region's function and collects the guards under which the
// knowledge is true.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPECULATION_SPECULATION_H
#define SPECRT_SPECIALIZER_SPECULATION_SPECULATION_H

#include "guards/guard_list.h"
#include "specrt/abi.h"
#include <string>

namespace specrt {

struct Speculation {
  GuardList Guards;
  std::string Notes; ///< one line per decision, for people
};

/// "A", "the global table", "the pointer at s+8": for notes.
std::string baseName(const specrt_base &Base, const specrt_region &Region);

} // namespace specrt

#endif
