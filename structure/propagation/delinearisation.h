//===- structure/propagation/delinearisation.h - linearised arrays as matrices ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_STRUCTURE_PROPAGATION_DELINEARISATION_H
#define SPECRT_STRUCTURE_PROPAGATION_DELINEARISATION_H

#include "structure/program/dense_program.h"

namespace specrt {

/// Converts arrays of one dimension with accesses [P * row + column], 0 <= column < P, for one P
/// per array, into arrays of two dimensions with the same elements, so that sets of elements are
/// boxes. \p Program has no parameters.
DenseProgram delinearise(DenseProgram Program);

} // namespace specrt

#endif
