//===- specializer/sparse/equations/scop_program.h - a Scop as loops over dense arrays ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_EQUATIONS_SCOP_PROGRAM_H
#define SPECRT_SPECIALIZER_SPARSE_EQUATIONS_SCOP_PROGRAM_H

#include "specializer/sparse/equations/scop_flow.h"
#include "structure/program/dense_program.h"

#include <optional>

namespace specrt {

/// Statement I is \p Writes[I]; \p Parameters are all of \p S, and \p Order is its schedule.
/// Nothing, and \p Why, when the source's order has another form than loops over statements, or
/// something is not affine.
std::optional<DenseProgram> denseProgram(const isl::space &Parameters, const isl::schedule &Order,
                                         const std::vector<ScopWrite> &Writes, std::string &Why);

} // namespace specrt

#endif
