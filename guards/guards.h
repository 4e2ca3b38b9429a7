//===- guards/guards.h - operations on guards of all kinds ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These functions work on a guard of any kind. `holds` is the reference: the jit emits machine code
// that agrees with it, or calls it.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_GUARDS_GUARDS_H
#define SPECRT_GUARDS_GUARDS_H

#include "guards/guard_list.h"
#include "guards/kind.h"
#include "specrt/abi.h"
#include <string>

namespace specrt {

/// Returns whether the guard holds for this call. A guard that cannot be evaluated does not hold. A
/// guard that reads memory presumes the guards before it: the specializer only creates it where the
/// original reads the same bytes on every entry. Does not allocate; async-signal-safe; thread-safe.
bool holds(const specrt_guard &Guard, const specrt_region &Region, const uint64_t *Packed);

/// Returns whether all guards hold.
inline bool allHold(GuardView Guards, const specrt_region &Region, const uint64_t *Packed) {
  for (const specrt_guard &Guard : Guards)
    if (!holds(Guard, Region, Packed))
      return false;
  return true;
}

/// Calls holds, for generated code (specrt_version_state::holds).
extern "C" uint32_t specrt_guard_holds(const specrt_guard *Guard, const specrt_region *Region,
                                       const uint64_t *Packed);

/// Returns the condition in words: "n == 1000", "A[0, 8*n) and B[0, 8*n) do not overlap".
std::string describe(const specrt_guard &Guard, const specrt_region &Region);

/// Returns the nanoseconds that checking all guards adds to a call of a published version.
double costNs(GuardView Guards);

/// Returns whether the entry of a version calls holds for this guard. Otherwise the entry has
/// machine code for it, which is faster.
bool isCalled(const specrt_guard &Guard);

/// Returns null, or the problem: "refers to ...". The length of a single record must be right. A
/// sequence may have any content: each record is checked before the next one is read.
const char *problemOf(const specrt_guard &Guard, const specrt_region &Region);
const char *problemOf(const specrt_guards &Guards, const specrt_region &Region);

/// Returns the guards in the order in which they must be checked: by what they presume, and those
/// that presume nothing by their cost. Otherwise guards keep their order, because one that reads
/// memory may presume those before it. Duplicates are removed.
GuardList inOrder(GuardView Guards);

/// Returns the arguments that the guards pin, in the form of labelOfConstants.
std::string labelOfPinned(const specrt_region &Region, GuardView Guards);

} // namespace specrt

#endif
