//===- specializer/sparse/equations/scop_program.h - a Scop as a program over dense arrays -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_EQUATIONS_SCOP_PROGRAM_H
#define SPECRT_SPECIALIZER_SPARSE_EQUATIONS_SCOP_PROGRAM_H

#include "specializer/sparse/equations/scop_flow.h"
#include "structure/program/dense_program.h"

#include <optional>

namespace specrt {

/// Returns the program in which statement I is \p Writes[I]. \p Parameters are all parameters of
/// the Scop, and \p Order is its schedule. Returns nothing, and sets \p Why, if the schedule is not
/// a tree of loops over statements, or if something is not affine.
std::optional<DenseProgram> denseProgram(const isl::space &Parameters, const isl::schedule &Order,
                                         const std::vector<ScopWrite> &Writes, std::string &Why);

} // namespace specrt

#endif
