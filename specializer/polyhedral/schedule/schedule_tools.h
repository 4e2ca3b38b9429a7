//===- specializer/polyhedral/schedule/schedule_tools.h - helpers for schedule trees -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that several transformations need and isl's C++ binding does not offer. All of them
// propagate isl's null results.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_SCHEDULE_TOOLS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_SCHEDULE_TOOLS_H

#include "llvm/ADT/ArrayRef.h"
#include "isl/isl-noexceptions.h"
#include <cstdint>
#include <optional>

namespace specrt {

/// Returns floor(\p Member / \p Size).
isl::union_pw_aff tileOf(const isl::union_pw_aff &Member, long Size);

/// Inserts a mark that points to \p User above \p Node and returns it.
isl::schedule_node insertMark(const isl::schedule_node &Node, const char *Name, const void *User);

/// Inserts a band above \p Node and returns it; null if isl gave up here or before.
isl::schedule_node insertBand(isl::ctx Ctx, const isl::schedule_node &Node,
                              llvm::ArrayRef<isl::union_pw_aff> Members);

/// Returns \p Value if it is an integer of at most 61 bits, so that sums of a few do not overflow.
std::optional<int64_t> integer(const isl::val &Value);

/// The integers from First to Last.
struct IntegerRange {
  int64_t First, Last;
  int64_t size() const { return Last - First + 1; }
};

/// Returns the values of a dimension; nothing if it is empty or unbounded, or isl gave up.
std::optional<IntegerRange> rangeOf(const isl::set &Set, unsigned Dim);

/// Returns the number of values of a dimension, 0 if rangeOf() returns nothing.
int64_t extent(const isl::set &Set, unsigned Dim);

/// Returns 0 on an error of isl, where isl's own conversion would end the process.
inline unsigned count(isl::size Size) { return Size.is_error() ? 0 : unsigned(Size); }

/// Returns the part of \p Set where a dimension has the value.
isl::set fixed(const isl::set &Set, unsigned Dim, int64_t Value);

/// The pairs of \p Map of which dimension \p In of the domain equals dimension \p Out of the range.
isl::map equate(const isl::map &Map, unsigned In, unsigned Out);

/// Returns whether dimension \p In of the domain equals dimension \p Out of the range in all pairs
/// of \p Map; false also if isl cannot decide.
bool areEqual(const isl::map &Map, unsigned In, unsigned Out);

/// Returns whether \p Node is a band of one loop, as in a source's schedule.
bool isLoop(const isl::schedule_node &Node);

/// Returns the loop of a node for which isLoop() holds.
isl::union_pw_aff loopOf(const isl::schedule_node &Loop);

/// Returns the first node from \p Node downwards that is not a mark.
isl::schedule_node belowMarks(isl::schedule_node Node);

/// Returns the pairs of \p Pairs that have equal values in \p Schedule.
isl::union_map atSame(const isl::multi_union_pw_aff &Schedule, const isl::union_map &Pairs);

} // namespace specrt

#endif
