//===- specializer/loops/balanced_nest.cpp - nests that threads share in equal parts -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/balanced_nest.h"
#include "specializer/loops/independence/collapsible_nest.h"
#include "specializer/loops/independence/independent_loop.h"
#include "specializer/loops/loop_copy.h"
#include "specializer/polyhedral/schedule/parallel_work.h"
#include "support/ranking/nest_cuts.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace specrt {
namespace {

/// Returns the numbers of iterations of \p Nest; nothing unless all are constants.
std::optional<SmallVector<LoopExtent, MaxRankedLoops>> extentsOf(const AffineNest &Nest) {
  SmallVector<LoopExtent, MaxRankedLoops> Extents;
  for (const AffineTrips &Trips : Nest.Trips) {
    const std::optional<LoopExtent> Extent = Trips.extent();
    if (!Extent)
      return std::nullopt;
    Extents.push_back(*Extent);
  }
  return Extents;
}

} // namespace

std::optional<BalancedNest> balancedNest(Loop &L, FunctionAnalysisManager &FAM, bool HasArrays,
                                         unsigned Threads, double NsPerStart) {
  Function &F = *L.getHeader()->getParent();
  BalancedNest Nest{.Of = affineNest(L, FAM.getResult<ScalarEvolutionAnalysis>(F))};
  if (Nest.Of.Loops.size() < 2)
    return std::nullopt;
  const auto Extents = extentsOf(Nest.Of);
  std::optional<RankedNest> Ranked;
  const auto LevelFor = [&](size_t MostLevel) {
    return chooseCuts(*Ranked, Threads, unsigned(MostLevel), Nest.PointNs, CutTime::Ahead).Level;
  };
  if (Extents) {
    Ranked = RankedNest::of(*Extents);
    if (!Ranked)
      return std::nullopt;
    Nest.PointNs = NsPerStart / double(Ranked->total());
    // Proofs take longer than the model.
    if (LevelFor(Extents->size()) == 0)
      return std::nullopt;
  } else {
    const auto &TTI = FAM.getResult<TargetIRAnalysis>(F);
    for (const BasicBlock *BB : Nest.Of.Loops.back()->blocks())
      Nest.PointNs += iterationNs(*BB, TTI);
  }
  CollapsibleNest Inner;
  if (!HasArrays)
    Inner = collapsibleNest(L, unsigned(Nest.Of.Loops.size() - 1), FAM);
  while (!Inner.Inner.empty() && !maySplit(L, 1 + Inner.Inner.size()))
    Inner.Inner.pop_back();
  if (Ranked) {
    const unsigned Level = LevelFor(1 + Inner.Inner.size());
    if (Level == 0)
      return std::nullopt;
    Inner.Inner.truncate(Level - 1);
    Nest.Threads = Threads;
  }
  const bool AreRowsEqual =
      none_of(Nest.Of.Trips, [](const AffineTrips &Trips) { return Trips.isVarying(); });
  if (AreRowsEqual && Inner.Inner.empty())
    return std::nullopt;
  Nest.Cut = Inner.Inner;
  Nest.MayCut = Nest.Cut.empty() ? ConstantInt::getTrue(F.getContext())
                                 : areNoLarger(Inner.NoLarger.getArrayRef(), L, FAM);
  return Nest;
}

Value *describe(const BalancedNest &Nest, const Loop &L, ScalarEvolution &SE) {
  Instruction *Here = L.getLoopPreheader()->getTerminator();
  IRBuilder<> B(Here);
  Type *Word = B.getInt64Ty();
  Type *Extents = ArrayType::get(Word, MaxRankedLoops * MaxRankedLoops);
  auto *Layout = StructType::get(B.getContext(), {Word, Word, Word, B.getDoubleTy(), Extents});
  BasicBlock &Entry = Here->getFunction()->getEntryBlock();
  Value *Room = IRBuilder<>(&Entry, Entry.begin()).CreateAlloca(Layout, nullptr, "nest");
  const auto Store = [&](unsigned Field, Value *V) {
    B.CreateStore(V, B.CreateStructGEP(Layout, Room, Field));
  };
  Store(0, B.getInt64(Nest.Of.Trips.size()));
  Store(1, B.CreateSelect(Nest.MayCut, B.getInt64(1 + Nest.Cut.size()), B.getInt64(1)));
  Store(2, B.CreateSelect(Nest.MayCut, B.getInt64(Nest.Threads), B.getInt64(0)));
  Store(3, ConstantFP::get(B.getDoubleTy(), Nest.PointNs));
  Value *Numbers = B.CreateStructGEP(Layout, Room, 4);
  SCEVExpander Expander(SE, "nest");
  unsigned Next = 0;
  for (const AffineTrips &Trips : Nest.Of.Trips) {
    SmallVector<const SCEV *, MaxRankedLoops> All = {Trips.Constant};
    append_range(All, Trips.Factors);
    for (const SCEV *S : All) {
      Value *Number = Expander.expandCodeFor(S, Word, Here);
      B.SetInsertPoint(Here);
      B.CreateStore(Number, B.CreateConstGEP1_32(Word, Numbers, Next++));
    }
  }
  return Room;
}

} // namespace specrt
