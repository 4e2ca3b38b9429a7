//===- specializer/polyhedral/schedule/schedule_tools.h - small pieces of schedule trees ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What several transformations need and isl's C++ binding does not offer. All of them pass isl's
// null results on.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_SCHEDULE_TOOLS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_SCHEDULE_TOOLS_H

#include "llvm/ADT/ArrayRef.h"
#include "isl/isl-noexceptions.h"
#include <cstdint>
#include <optional>

namespace specrt {

/// floor(\p Member / \p Size)
isl::union_pw_aff tileOf(const isl::union_pw_aff &Member, long Size);

/// \p Node below a mark that points to \p User.
isl::schedule_node insertMark(const isl::schedule_node &Node, const char *Name, const void *User);

/// Inserts a band above \p Node and returns it; null when isl gave up here or before.
isl::schedule_node insertBand(isl::ctx Ctx, const isl::schedule_node &Node,
                              llvm::ArrayRef<isl::union_pw_aff> Members);

/// \p Value where it is an integer of at most 61 bits: sums of a few do not overflow.
std::optional<int64_t> integer(const isl::val &Value);

/// The integers from First to Last.
struct IntegerRange {
  int64_t First, Last;
  int64_t size() const { return Last - First + 1; }
};

/// The values of a dimension; nothing when it is empty, has no bound, or isl gave up.
std::optional<IntegerRange> rangeOf(const isl::set &Set, unsigned Dim);

/// Number of values of a dimension, 0 when rangeOf() says nothing.
int64_t extent(const isl::set &Set, unsigned Dim);

/// 0 for what isl could not tell, where its own conversion would end the process.
inline unsigned count(isl::size Size) { return Size.is_error() ? 0 : unsigned(Size); }

/// The part of \p Set where a dimension has that value.
isl::set fixed(const isl::set &Set, unsigned Dim, int64_t Value);

/// The pairs of \p Map of which dimension \p In of the domain equals dimension \p Out of the range.
isl::map equate(const isl::map &Map, unsigned In, unsigned Out);

/// Returns whether dimension \p In of the domain equals dimension \p Out of the range in all pairs
/// of \p Map; false also if isl cannot decide.
bool areEqual(const isl::map &Map, unsigned In, unsigned Out);

/// Is \p Node a band of one loop, such as those of a source's schedule?
bool isLoop(const isl::schedule_node &Node);

/// The loop of a node for which isLoop() holds.
isl::union_pw_aff loopOf(const isl::schedule_node &Loop);

/// The first node from \p Node downwards that is no mark.
isl::schedule_node belowMarks(isl::schedule_node Node);

/// The pairs of \p Pairs that agree in \p Schedule.
isl::union_map atSame(const isl::multi_union_pw_aff &Schedule, const isl::union_map &Pairs);

} // namespace specrt

#endif
