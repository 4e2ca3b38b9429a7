//===- structure/propagation/propagation.h - propagation of nonzeros through a program -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One sweep over a program in its order, in which an array is the set of its elements that may be
// nonzero, and a statement executes for all iterations of the loops around it at once. The result
// is the least solution of the program's equations of zeros (specializer/sparse/equations), also
// where they have no closed form: one pass finds the fill of LU and Cholesky. Only loops whose
// iterations read or overwrite what others write are executed iteration by iteration.
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

/// The elements of an array that may be nonzero; nothing: all elements may be.
using ArrayStructure = std::optional<Boxes>;

struct PropagationResult {
  /// Structure of each array after the program, in slabs.
  std::vector<ArrayStructure> Arrays;
  /// Executions of statements for sets of iterations, and iterations of loops executed one by one.
  uint64_t Steps = 0;
  std::string Error; ///< not empty: too many loops or dimensions for boxes, or a limit was exceeded
};

constexpr uint64_t MaxPropagationSteps = 50'000'000;

/// Propagates \p Inputs, by array, through \p Program, which has no parameters
/// (DenseProgram::with). Elements outside of the result are zero, unless a divisor is zero;
/// elements in it may be zero if values cancel. Gives up after \p MaxSteps, or when \p Expired,
/// which is called before each step, returns true.
PropagationResult propagate(const DenseProgram &Program, std::vector<ArrayStructure> Inputs,
                            uint64_t MaxSteps = MaxPropagationSteps,
                            const std::function<bool()> &Expired = {});

} // namespace specrt

#endif
