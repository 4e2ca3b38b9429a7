//===- analysis/memory/linear_form.h - affine functions of iteration numbers -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_ANALYSIS_MEMORY_LINEAR_FORM_H
#define SPECRT_ANALYSIS_MEMORY_LINEAR_FORM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace llvm {
class Loop;
class SCEV;
class ScalarEvolution;
class Type;
} // namespace llvm

namespace specrt {

/// Bound on the magnitude of offsets into arrays.
inline constexpr int64_t MaxOffset = int64_t{1} << 48;

/// Constant + sum over loops L of Factors[L] * (iteration number of L).
struct LinearForm {
  explicit LinearForm(int64_t Constant = 0) : Constant(Constant) {}

  void add(const llvm::Loop *L, int64_t Factor);
  void add(const LinearForm &Other, int64_t Times = 1);
  int64_t factor(const llvm::Loop *L) const { return Factors.lookup(L); }
  /// Returns the value in the \p Iterations of \p Loops, and in the first iteration of other loops.
  int64_t at(llvm::ArrayRef<const llvm::Loop *> Loops, llvm::ArrayRef<uint64_t> Iterations) const;
  /// Returns the loops whose factors are not 0.
  llvm::SmallVector<const llvm::Loop *, 4> loops() const;
  /// Returns whether the absolute values of all its numbers are smaller.
  bool isBelow(int64_t Limit) const;
  /// Returns false if some number is not a multiple; then the form does not change.
  bool divideBy(int64_t Divisor);
  const llvm::SCEV *expression(llvm::ScalarEvolution &SE, llvm::Type *Integer) const;

  int64_t Constant;
  llvm::SmallMapVector<const llvm::Loop *, int64_t, 4> Factors;
};

/// Splits \p S, a number with a sign, into an affine part with constant factors and the \p Others,
/// summands that are not affine. Returns false if a number is too large.
bool splitAffine(const llvm::SCEV *S, LinearForm &Affine,
                 llvm::SmallVectorImpl<const llvm::SCEV *> &Others);

/// Returns the number of the last iteration of \p L, or a larger one; nothing if it is not known to
/// be small.
std::optional<int64_t> constantLastIteration(const llvm::Loop *L, llvm::ScalarEvolution &SE);

/// Returns a bound for \p Form in which only loops that are kept occur; nothing if the last
/// iteration of another loop is not known.
std::optional<LinearForm> eliminate(LinearForm Form, llvm::ScalarEvolution &SE,
                                    llvm::function_ref<bool(const llvm::Loop *)> IsKept,
                                    bool Upper);

} // namespace specrt

#endif
