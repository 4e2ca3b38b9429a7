//===- specializer/polyhedral/rows/symbolic_division.h - division while compiling ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_ROWS_SYMBOLIC_DIVISION_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_ROWS_SYMBOLIC_DIVISION_H

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

/// \p Dividend, a sum of numbers far below 2^63, by \p Divisor > 0: the terms that are multiples
/// make up the quotient. Nothing when the others may sum up to less than 0 or to a divisor.
std::optional<Division> divide(const llvm::SCEV *Dividend, int64_t Divisor,
                               llvm::ScalarEvolution &SE);

} // namespace specrt

#endif
