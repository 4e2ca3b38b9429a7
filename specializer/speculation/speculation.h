//===- specializer/speculation/speculation.h - guards and their consumers -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Speculation adds knowledge to a region's function and collects the guards under which the
// knowledge is true. The order of the guards matters: guards that read memory presume that the
// earlier ones hold (a load is certain to happen only for these sizes), so they come last.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPECULATION_SPECULATION_H
#define SPECRT_SPECIALIZER_SPECULATION_SPECULATION_H

#include "specrt/abi.h"
#include <string>
#include <vector>

namespace specrt {

struct Speculation {
  std::vector<specrt_guard> Guards;
  std::string Notes; ///< one line per decision, for people
};

/// Cheap guards first, guards that read memory last; equal ones keep their order.
void sortGuards(std::vector<specrt_guard> &Guards);

/// The polynomial { c }.
specrt_polynomial constantPolynomial(int64_t Value);

bool isSameBase(const specrt_base &A, const specrt_base &B);

/// "A", "the global table", "the pointer at s+8": for notes.
std::string baseName(const specrt_base &Base, const specrt_region &Region);

} // namespace specrt

#endif
