//===- specializer/polyhedral/schedule/access_steps.h - strides of accesses -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_ACCESS_STEPS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_ACCESS_STEPS_H

#include "isl/isl-noexceptions.h"
#include <cstdint>
#include <optional>

namespace polly {
class MemoryAccess;
class ScopArrayInfo;
} // namespace polly

namespace specrt {

/// Returns the affine function that \p Access follows in all iterations, or null.
isl::multi_aff affineFunction(const polly::MemoryAccess &Access);

/// Returns by how many elements the access \p Relation of \p Array moves from one iteration of loop
/// \p Dim to the next; nothing if that differs, it or its opposite exceeds 64 bits, or isl cannot
/// tell.
std::optional<int64_t> stepOf(const isl::map &Relation, const polly::ScopArrayInfo &Array,
                              unsigned Dim);

/// Returns the bytes of the smallest box of \p Array that holds \p Elements, 0 if there are none;
/// nothing if the box has no bounds, or more than 2^50 bytes.
std::optional<int64_t> boxBytes(const isl::set &Elements, const polly::ScopArrayInfo &Array);

} // namespace specrt

#endif
