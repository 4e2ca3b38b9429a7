//===- runtime/guards.h - what a guard means ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference meaning of guard.h: the jit emits machine code that must agree with these
// functions, and trial calls use them directly. No allocation, async-signal-safe, thread-safe.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_GUARDS_H
#define SPECRT_RUNTIME_GUARDS_H

#include "specrt/abi.h"
#include <optional>

namespace specrt {

/// The polynomial's value; nothing when it is unknown or leaves int64_t.
std::optional<int64_t> evaluatePolynomial(const specrt_polynomial &P, const specrt_region &Region,
                                          const uint64_t *Packed);

/// Does the guard hold for this call? Whatever cannot be computed does not hold. A guard with
/// SPECRT_BASE_LOADED or SPECRT_GUARD_LOAD_EQUAL reads the memory it names: the specializer only
/// creates it where the original reads the same bytes on every entry.
bool holds(const specrt_guard &Guard, const specrt_region &Region, const uint64_t *Packed);

/// Do all guards hold?
inline bool allHold(const specrt_guard *Guards, uint32_t NumGuards, const specrt_region &Region,
                    const uint64_t *Packed) {
  for (uint32_t I = 0; I < NumGuards; ++I)
    if (!holds(Guards[I], Region, Packed))
      return false;
  return true;
}

} // namespace specrt

#endif
