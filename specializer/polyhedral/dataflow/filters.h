//===- specializer/polyhedral/dataflow/filters.h - compares the filters of statements ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If the filters of two statements read the same elements, one statement may imply or exclude the
// execution of the other. The functions compare filters along a relation between iterations.
// (Sections A.2 to A.4 of the paper named in conditional_program.h.)
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_DATAFLOW_FILTERS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_DATAFLOW_FILTERS_H

#include "isl/isl-noexceptions.h"
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace specrt {

/// A filter whose elements are identified by the writes that are the sources of their values.
struct ComparableFilter {
  std::vector<isl::union_map> Elements; ///< { S[i] -> element }
  /// The lowest and highest value of each element, if known.
  std::vector<std::optional<std::pair<int64_t, int64_t>>> Bounds;
  isl::map Values; ///< { S[i] -> [v1, ..., vn] }, for all iterations of the domain

  bool isEmpty() const { return Elements.empty(); }
  /// Returns whether each iteration reads only one element for each component.
  bool isSingleValued() const;
  /// Returns { S[i] -> [v1, ..., vn] }, the values for which an iteration is not executed.
  isl::map otherValues() const;
};

/// Returns { P[j] -> values } that the elements of \p Of can have if some iteration that \p Pairs,
/// { C[k] -> P[j] }, relate to P[j] is executed. \p Known is the filter of these.
isl::map impliedValues(const ComparableFilter &Known, const ComparableFilter &Of,
                       const isl::map &Pairs);

/// Adds to \p Known, the filter of C, what follows from iterations that are not executed: \p
/// Unexecuted, { C[k] -> Q[j] }, for the iterations \p Where of C. \p Of is the filter of Q.
void learnFromUnexecuted(ComparableFilter &Known, const ComparableFilter &Of, isl::map Unexecuted,
                         const isl::set &Where);

/// Iterations of a source that are all executed, or all not executed.
struct ExecutedSide {
  isl::map Iterations; ///< { C[k] -> P[j] }
  const ComparableFilter *Filter;
  bool AreExecuted;
};

/// Returns the iterations of C for which both cannot be, because some element would need two
/// different values.
isl::set conflictsOf(const ExecutedSide &A, const ExecutedSide &B);

} // namespace specrt

#endif
