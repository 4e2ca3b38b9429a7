//===- specializer/strategies/isl_schedule.cpp - isl's schedule and Polly's tiling -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "polly/ScheduleOptimizer.h"
#include "polly/ScopInfo.h"
#include "specializer/polyhedral/schedule/legality.h"
#include "specializer/polyhedral/schedule/settled_order.h"
#include "specializer/strategies/strategy.h"

namespace specrt {
namespace {

class IslSchedule final : public Strategy {
public:
  constexpr IslSchedule() : Strategy(StrategyId::IslSchedule) {}

  NewSchedule schedule(ScopModel &Model) const override {
    NewSchedule New;
    if (isOrderSettled(Model.S, allOrders(Model.dependences()), Model.Target.L2Bytes)) {
      New.Note = SettledOrderNote;
      return New;
    }
    isl::schedule Old = Model.S.getScheduleTree();
    polly::runIslScheduleOptimizer(Model.S, &Model.TTI, Model.Dependences);
    New.Schedule = Model.S.getScheduleTree();
    Model.S.setScheduleTree(Old);
    return New;
  }
};

} // namespace

const Strategy &islScheduleStrategy() {
  static constexpr IslSchedule Only;
  return Only;
}

} // namespace specrt
