//===- specializer/sparse/conditions/statement_conditions.h - when a statement does something ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attributes nz, ne, grd and cnd of "Automatic data structure selection", section 2.1, on the
// expression of a statement: the strongest conditions, made of guards, under which its value may be
// nonzero (psi) and under which it has to be executed at all (chi). From chi follows which
// operand's zero lets which loop skip an iteration: what code for dense programs on sparse data is
// made from.
//
// In floating point, skipping is what the program does only where the other operands are finite and
// the place that stays as it is does not hold -0; a zero divisor is looked at by nobody here.
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

/// \p IsSparse: by array, whether it has a structure; other elements may always be nonzero.
StatementConditions conditionsOf(const DenseStatement &Statement,
                                 const std::vector<bool> &IsSparse);

/// Where Element is zero, an iteration of a loop does nothing.
struct SkipTest {
  unsigned Loop = 0;  ///< number of the loop, in the order in which loops begin in the program
  unsigned Depth = 0; ///< of this loop; the outermost has 1
  DenseAccess Element;
  /// Loops, from the outermost on, whose counters Element needs. Less than Depth: one test decides
  /// about all iterations of the loop.
  unsigned Level = 0;
  /// What else the skipped statements read: it must be finite where Element is zero.
  std::vector<DenseAccess> MustBeFinite;
};

/// The guards that dominate the disjunction of the conditions of all statements in a loop, each at
/// the outermost loop for which it does.
std::vector<SkipTest> skipTests(const DenseProgram &Program, const std::vector<bool> &IsSparse);

} // namespace specrt

#endif
