//===- structure/propagation/propagation.h - nonzeros of a program's arrays ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One sweep over a program in its order, in which an array is the set of its elements that may be
// nonzero and a statement executes for all iterations of the loops around it at once. That is the
// least solution of the program's equations of zeros (specializer/sparse/equations), also where
// they have no closed form: one pass finds the fill of LU and Cholesky. Only a loop whose
// iterations read what others write, or overwrite it, is walked through one iteration after the
// other.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_PROPAGATION_PROPAGATION_H
#define SPECRT_STRUCTURE_PROPAGATION_PROPAGATION_H

#include "structure/program/dense_program.h"
#include "structure/propagation/boxes.h"

#include <functional>
#include <optional>
#include <string>

namespace specrt {

/// What may be nonzero of an array; nothing: all of it may be.
using ArrayStructure = std::optional<Boxes>;

struct PropagationResult {
  /// By array, in slabs: after the program.
  std::vector<ArrayStructure> Arrays;
  /// Statements executed for sets of iterations, and iterations of loops that are walked through.
  uint64_t Steps = 0;
  std::string Error; ///< not empty: the program has more loops or dimensions than boxes, or limits
};

constexpr uint64_t MaxPropagationSteps = 50'000'000;

/// \p Program has no parameters (DenseProgram::with). \p Inputs by array; the result does not say
/// that an element is nonzero, only that no other one is, except where values cancel or divisors
/// are zero. Gives up after \p MaxSteps, and when \p Expired, which is asked before each.
PropagationResult propagate(const DenseProgram &Program, std::vector<ArrayStructure> Inputs,
                            uint64_t MaxSteps = MaxPropagationSteps,
                            const std::function<bool()> &Expired = {});

} // namespace specrt

#endif
