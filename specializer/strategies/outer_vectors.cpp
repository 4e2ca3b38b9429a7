//===- specializer/strategies/outer_vectors.cpp - vectors where the innermost loop has none -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/schedule/outer_vectors.h"
#include "specializer/polyhedral/contraction/contraction_grid.h"
#include "specializer/polyhedral/schedule/legality.h"
#include "specializer/polyhedral/schedule/settled_order.h"
#include "specializer/strategies/strategy.h"

namespace specrt {
namespace {

class OuterVectors final : public Strategy {
public:
  constexpr OuterVectors() : Strategy(StrategyId::OuterVectors) {}

  bool expandsStorage(bool Parallel) const override { return true; }

  bool mayKeepOutermostLoops(bool Parallel) const override { return Parallel; }
  bool mayCompactStorage() const override { return true; }

  NewSchedule schedule(ScopModel &Model) const override {
    if (isOrderSettled(Model.S, allOrders(Model.dependences()), Model.Target.L2Bytes)) {
      NewSchedule None;
      None.Note = SettledOrderNote;
      return None;
    }
    return Model.byOrders([&](const isl::union_map &Validity, bool HasFreeUpdates) {
      NewSchedule New;
      if (HasFreeUpdates)
        New.Schedule = scheduleRows(Model.S, Validity, Model.MaxOperations);
      if (New.Schedule.is_null())
        New.Schedule = vectorizeOuterLoops(Model.S, Validity, Model.Target);
      if (New.Schedule.is_null())
        New.Note = "innermost loops stay as they are";
      return New;
    });
  }

  Rivalry supersedes(StrategyId Other) const override {
    // This strategy is the source's order plus vectors.
    return Other == StrategyId::SourceOrder ? Rivalry::WithAsManyThreads
                                            : Strategy::supersedes(Other);
  }
};

} // namespace

const Strategy &outerVectorStrategy() {
  static constexpr OuterVectors Only;
  return Only;
}

} // namespace specrt
