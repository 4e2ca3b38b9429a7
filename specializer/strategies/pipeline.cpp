//===- specializer/strategies/pipeline.cpp - nests that follow each other, in turn ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/interleaving/interleave.h"
#include "specializer/polyhedral/schedule/legality.h"
#include "specializer/strategies/strategy.h"

namespace specrt {
namespace {

/// Keeps the order of the source within blocks of rows: each nest executes its rows of a block
/// before the first nest begins with the next block.
class Pipeline final : public Strategy {
public:
  constexpr Pipeline() : Strategy(StrategyId::Pipeline) {}

  bool expandsStorage(bool Parallel) const override { return true; }
  bool mayKeepOutermostLoops(bool Parallel) const override { return Parallel; }
  bool mayCompactStorage() const override { return true; }
  bool interleavesNests() const override { return true; }

  bool mayFit(ScopModel &Model, std::string &Why) const override {
    Why = "no nests follow each other";
    return hasNestsInSequence(Model.S);
  }

  NewSchedule schedule(ScopModel &Model) const override {
    auto Found = std::make_shared<Interleaving>(interleaveNests(
        Model.S, allOrders(Model.dependences()), Model.Target, Model.Names, Model.MaxOperations));
    NewSchedule New;
    New.Schedule = Found->Schedule;
    New.Note = Found->Note;
    for (const auto &Mark : Found->Marks)
      New.Kernels.push_back(Mark->Statement.Stmt);
    // Blocks that are too small for the cache of one worker may fit those of several.
    New.DependsOnWorkers = Found->IsPossible;
    New.Marks = std::move(Found);
    return New;
  }
};

} // namespace

const Strategy &pipelineStrategy() {
  static constexpr Pipeline Only;
  return Only;
}

} // namespace specrt
