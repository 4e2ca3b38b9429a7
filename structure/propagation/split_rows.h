//===- structure/propagation/split_rows.h - linearised rows as matrices ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_STRUCTURE_PROPAGATION_SPLIT_ROWS_H
#define SPECRT_STRUCTURE_PROPAGATION_SPLIT_ROWS_H

#include "structure/program/dense_program.h"

namespace specrt {

/// Converts arrays of one dimension with accesses [P * row + column], 0 <= column < P, for one P
/// per array, into arrays of two dimensions with the same elements, so that sets of elements are
/// boxes. \p Program has no parameters.
DenseProgram splitRows(DenseProgram Program);

} // namespace specrt

#endif
