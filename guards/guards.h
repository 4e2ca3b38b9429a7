//===- guards/guards.h - what a guard means -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that can be done with a guard without knowing its kind. The reference meaning: the jit emits
// machine code that agrees with `holds`, or calls it.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_GUARDS_GUARDS_H
#define SPECRT_GUARDS_GUARDS_H

#include "guards/guard_list.h"
#include "guards/kind.h"
#include "specrt/abi.h"
#include <string>

namespace specrt {

/// Does the guard hold for this call? Whatever cannot be computed does not hold. One that reads
/// memory presumes what comes before it: the specializer only creates it where the original reads
/// the same bytes on every entry. No allocation, async-signal-safe, thread-safe.
bool holds(const specrt_guard &Guard, const specrt_region &Region, const uint64_t *Packed);

/// Do all hold?
inline bool allHold(GuardView Guards, const specrt_region &Region, const uint64_t *Packed) {
  for (const specrt_guard &Guard : Guards)
    if (!holds(Guard, Region, Packed))
      return false;
  return true;
}

/// The same for generated code (specrt_version_state::holds).
extern "C" uint32_t specrt_guard_holds(const specrt_guard *Guard, const specrt_region *Region,
                                       const uint64_t *Packed);

/// What the guard demands, in words: "n == 1000", "A[0, 8*n) and B[0, 8*n) do not overlap".
std::string describe(const specrt_guard &Guard, const specrt_region &Region);

/// Nanoseconds that checking all of them adds to a call of a published version.
double costNs(GuardView Guards);

/// Returns whether the entry of a version calls holds for this guard. Otherwise the entry has
/// machine code for it, which is faster.
bool isCalled(const specrt_guard &Guard);

/// Null, or what is wrong: "refers to ...". Of a record whose length is right, and of a stream from
/// anywhere: every record is looked at before what follows it.
const char *problemOf(const specrt_guard &Guard, const specrt_region &Region);
const char *problemOf(const specrt_guards &Guards, const specrt_region &Region);

/// In the order in which they must be checked: what presumes less first, and of what presumes
/// nothing the cheap first. Otherwise guards keep their order, because one that reads memory may
/// presume those before it. Of equal ones only the first stays.
GuardList inOrder(GuardView Guards);

/// The arguments that the guards pin, as labelOfConstants writes them.
std::string labelOfPinned(const specrt_region &Region, GuardView Guards);

} // namespace specrt

#endif
