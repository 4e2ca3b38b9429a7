//===- specializer/strategies/contraction.cpp - register and cache tiles for contractions -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// isl distributes the statements, and contractions become calls of our own kernels
// (contraction_schedule.h), which Polly's code generation does not match.
//
//===----------------------------------------------------------------------===//
#include "specializer/polyhedral/contraction/contraction_schedule.h"
#include "specializer/strategies/strategy.h"

namespace specrt {
namespace {

class Contractions final : public Strategy {
public:
  constexpr Contractions() : Strategy(StrategyId::Contraction) {}

  bool expandsStorage(bool Parallel) const override { return true; }

  NewSchedule schedule(ScopModel &Model) const override {
    return Model.byOrders([&](const isl::union_map &Validity, bool HasFreeUpdates) {
      auto Found = std::make_shared<ContractionSchedule>(scheduleContractions(
          Model.S, Validity, HasFreeUpdates, Model.Target, Model.MaxOperations));
      NewSchedule New;
      New.Schedule = Found->Schedule;
      for (const auto &Mark : Found->Marks)
        New.Kernels.push_back(Mark->Statement.Stmt);
      New.Marks = std::move(Found);
      if (New.Schedule.is_null())
        New.Note = "no contraction";
      return New;
    });
  }

  const char *whyUseless(const PolyhedralResult &Result) const override {
    // isl's order without its tiles is no gain by itself.
    return Result.NumKernels == 0 ? "no block is regular enough for a kernel" : nullptr;
  }

  Rivalry supersedes(StrategyId Other) const override {
    // Interleaved nests may use the same kernels.
    if (Other == StrategyId::Pipeline)
      return Rivalry::None;
    return Other == id() ? Rivalry::WithAsManyThreads : Rivalry::Always;
  }
};

} // namespace

const Strategy &contractionStrategy() {
  static constexpr Contractions Only;
  return Only;
}

} // namespace specrt
