//===- structure/propagation/split_rows.h - rows behind each other as a matrix ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_STRUCTURE_PROPAGATION_SPLIT_ROWS_H
#define SPECRT_STRUCTURE_PROPAGATION_SPLIT_ROWS_H

#include "structure/program/dense_program.h"

namespace specrt {

/// Arrays of one dimension of which all accesses are [P * row + column] with columns below P become
/// arrays of two dimensions, for the same P, with the same elements: sets of these are boxes then.
/// \p Program has no parameters.
DenseProgram splitRows(DenseProgram Program);

} // namespace specrt

#endif
