//===- runtime/rows/fusion/fusion_plan.h - orders the rows of two loops that take turns ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The segments of each loop keep their order. A segment of the second loop is placed where the
// bytes that it accesses are disjoint from those of the remaining segments of the first loop,
// wherever one of the two writes. So every read sees the same values as if one loop ran after the
// other, and results have the same bits. The comparison uses the range from the first to the last
// byte of blocks of rows.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_ROWS_FUSION_FUSION_PLAN_H
#define SPECRT_RUNTIME_ROWS_FUSION_FUSION_PLAN_H

#include "runtime/rows/row_table.h"
#include "specrt/fused_rows.h"

#include <atomic>
#include <memory>
#include <span>
#include <vector>

namespace specrt {

/// A call of a loop, and its table.
struct LoopCall {
  const specrt_sparse_loop &Loop;
  const RowTable &Table;
  const uint64_t *Inputs;
  uint64_t Rows;
};

/// Accesses of both loops that may meet, as the plan has followed them.
struct FollowedBases {
  uint32_t First, Second;
  uint64_t Apart; ///< distance from the begin of the first one to that of the second one

  bool operator==(const FollowedBases &) const = default;
};

struct FusionPlan : specrt_fused_rows {
  FusionPlan() : specrt_fused_rows{} {}

  const RowTable *First = nullptr, *Second = nullptr; ///< may be freed while the plan has no users
  uint64_t FirstNumber = 0, SecondNumber = 0;         ///< numbers of these tables
  std::vector<FollowedBases> Followed;
  std::vector<specrt_fused_step> Steps;
  const char *Problem = nullptr; ///< why there are no steps: words of a Reason; or null
  std::atomic<uint32_t> Users{0};

  /// Returns whether these calls may use the plan. Their tables must be those of the plan.
  bool holds(const LoopCall &A, const LoopCall &B, std::span<const specrt_fused_read> Reads) const;
};

/// Makes a plan. Inspects the rows of both calls if one writes bytes that the other accesses. May
/// throw std::bad_alloc.
std::shared_ptr<FusionPlan> planFusion(const specrt_fused_loops &Loops, const LoopCall &A,
                                       const LoopCall &B);

} // namespace specrt

#endif
