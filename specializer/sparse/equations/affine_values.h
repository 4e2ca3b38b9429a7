//===- specializer/sparse/equations/affine_values.h - converts isl's affine functions -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_EQUATIONS_AFFINE_VALUES_H
#define SPECRT_SPECIALIZER_SPARSE_EQUATIONS_AFFINE_VALUES_H

#include "structure/program/dense_program.h"
#include "isl/isl-noexceptions.h"

namespace specrt {

/// All functions return false, with \p To in any state, if there are divisions, several pieces or
/// numbers beyond 64 bits. Parameters are in the order of the space \p Parameters.
bool toAffineValue(const isl::pw_aff &Of, const isl::space &Parameters, AffineValue &To);
bool toSubscripts(const isl::map &Of, const isl::space &Parameters, std::vector<AffineValue> &To);
/// Sets \p To to values that are >= 0 in \p Of, which has these parameters.
bool toConjunction(const isl::basic_set &Of, std::vector<AffineValue> &To);

} // namespace specrt

#endif
