//===- specializer/polyhedral/dataflow/conditional_program.h - statements that data filter ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The iteration domains of a conditional program contain iterations that are not executed, because
// data decide which ones are. Each statement has a filter, which consists of the elements that
// decide, and of their values for which an iteration is executed. These elements belong to arrays
// of the program or to virtual arrays that hold the results of conditions. (Verdoolaege,
// Nikolov, Stefanov, "On demand parametric array dataflow analysis", 2013. Numbers in parentheses
// are those of its sections.)
//
//     for (i) for (j) if (mask[i][j] > 0) S: work[j] = ...;
//
//     domain { S[i, j] }, filter accesses { S[i, j] -> t[i, j] }, filter values { S[i, j] -> [1] }
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_DATAFLOW_CONDITIONAL_PROGRAM_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_DATAFLOW_CONDITIONAL_PROGRAM_H

#include "isl/isl-noexceptions.h"
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace specrt {

/// The condition under which iterations of a statement are executed. It holds if each tuple of
/// values of the elements that \p Accesses lead to is among \p Values (A.1).
struct IterationFilter {
  /// Contains { S[i] -> t[...] } for each component of the tuples. An access may lead to several
  /// elements, such as the results of a loop condition in this and all earlier iterations.
  std::vector<isl::map> Accesses;
  isl::map Values; ///< { S[i] -> [v1, ..., vn] }; ignored without accesses
};

/// A statement. Each loop around it has one dimension of its domain.
struct ConditionalStatement {
  isl::set Domain; ///< has a name; contains all iterations that may be executed
  /// Orders statements as the text does. The first element is the place of the outermost loop, the
  /// next one the place in this loop, and so on, so that there is one element more than the domain
  /// has dimensions. Statements whose first n elements are equal are in the same n loops.
  std::vector<int> Position;
  IterationFilter Filter;
  std::vector<isl::map> Writes; ///< single-valued, { S[i] -> a[...] }
};

struct ConditionalProgram {
  std::vector<ConditionalStatement> Statements;
  /// [array] The lowest and highest value of its elements; others may have any.
  std::map<std::string, std::pair<int64_t, int64_t>> ValueBounds;

  /// Returns the number of loops that both statements are in.
  unsigned numShared(unsigned A, unsigned B) const;
  /// Returns whether the text of \p A is before that of \p B in the innermost of these loops.
  bool isBefore(unsigned A, unsigned B) const;
};

} // namespace specrt

#endif
