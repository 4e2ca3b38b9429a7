//===- specializer/sparse/conditions/statement_conditions.h - conditions of statements -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes the attributes nz, ne, grd and cnd of "Automatic data structure selection", section 2.1,
// on the expression of a statement: the strongest conditions over guards under which its value may
// be nonzero (psi) and under which it must be executed (chi). From chi follows which operand's zero
// lets which loop skip an iteration; code for dense programs on sparse data uses this.
//
// In floating point, skipping is exact only if the other operands are finite and the target does
// not hold -0. Zero divisors are not considered here.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_CONDITIONS_STATEMENT_CONDITIONS_H
#define SPECRT_SPECIALIZER_SPARSE_CONDITIONS_STATEMENT_CONDITIONS_H

#include "specializer/sparse/conditions/condition.h"
#include "structure/program/dense_program.h"

namespace specrt {

struct StatementConditions {
  std::vector<DenseAccess> Guards; ///< elements of sparse arrays; equal ones have one number
  Condition Nonzero = Condition::always();
  Condition Executed = Condition::always();
};

/// \p IsSparse: by array, whether it has a structure; elements of others may always be nonzero.
StatementConditions conditionsOf(const DenseStatement &Statement,
                                 const std::vector<bool> &IsSparse);

/// An iteration of a loop has no effect if Element is zero.
struct SkipTest {
  unsigned Loop = 0;  ///< number of the loop, in the order in which loops begin
  unsigned Depth = 0; ///< depth of this loop; the outermost has 1
  DenseAccess Element;
  /// Depth of the innermost loop whose counter Element uses. If less than Depth, one test decides
  /// about all iterations of the loop.
  unsigned Level = 0;
  /// Other operands of the skipped statements, which must be finite where Element is zero.
  std::vector<DenseAccess> MustBeFinite;
};

/// Returns the guards that dominate the disjunction of the conditions of all statements in a loop,
/// each at the outermost loop for which it does.
std::vector<SkipTest> skipTests(const DenseProgram &Program, const std::vector<bool> &IsSparse);

} // namespace specrt

#endif
