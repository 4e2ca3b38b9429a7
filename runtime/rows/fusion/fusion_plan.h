//===- runtime/rows/fusion/fusion_plan.h - how rows of two loops take turns ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second loop's segments stay in their order, and so do the first one's; each of the second
// comes when what those of the first that are left access is apart from what it accesses, wherever
// one of the two writes. So whoever reads what others write reads the same as one loop after the
// other, and results have the same bits. What is compared is from the first byte to the last, of
// blocks of rows.
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

/// A loop that begins, and its table for that.
struct LoopCall {
  const specrt_rows_site &Site;
  const RowTable &Table;
  const uint64_t *Inputs;
  uint64_t Rows;
};

/// Accesses of both loops that may concern each other, as the plan has followed them.
struct FollowedBases {
  uint32_t First, Second;
  uint64_t Apart; ///< where the second one begins, counted from the first one

  bool operator==(const FollowedBases &) const = default;
};

struct FusionPlan : specrt_fused_rows {
  FusionPlan() : specrt_fused_rows{} {}

  const RowTable *First = nullptr, *Second = nullptr; ///< may be gone where nobody uses the plan
  uint64_t FirstNumber = 0, SecondNumber = 0;         ///< of these
  std::vector<FollowedBases> Followed;
  std::vector<specrt_fused_step> Steps;
  const char *Problem = nullptr; ///< why there are none: words of a Reason; or null
  std::atomic<uint32_t> Users{0};

  /// May these calls take turns so? The tables are those of the plan.
  bool holds(const LoopCall &A, const LoopCall &B, std::span<const specrt_fused_read> Reads) const;
};

/// Walks the rows of both calls, if one writes what the other accesses. May throw std::bad_alloc.
std::shared_ptr<FusionPlan> planFusion(const specrt_fused_loops &Loops, const LoopCall &A,
                                       const LoopCall &B);

} // namespace specrt

#endif
