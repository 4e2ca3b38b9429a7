//===- specializer/polyhedral/ragged/symbolic_division.h - division of SCEVs ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_RAGGED_SYMBOLIC_DIVISION_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_RAGGED_SYMBOLIC_DIVISION_H

#include <cstdint>
#include <optional>

namespace llvm {
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace specrt {

struct Division {
  const llvm::SCEV *Quotient, *Remainder;
};

/// Divides \p Dividend, a sum of numbers far below 2^63, by \p Divisor > 0: terms that are
/// multiples form the quotient. Returns nothing if the other terms may be negative in sum, or reach
/// the divisor.
std::optional<Division> divide(const llvm::SCEV *Dividend, int64_t Divisor,
                               llvm::ScalarEvolution &SE);

} // namespace specrt

#endif
