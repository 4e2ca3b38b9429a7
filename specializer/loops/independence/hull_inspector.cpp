//===- specializer/loops/independence/hull_inspector.cpp - checks addresses before a loop ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/independence/hull_inspector.h"
#include "analysis/rounding/fast_math.h"
#include "specializer/loops/loop_slice.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <functional>

using namespace llvm;

namespace specrt {

class HullInspector::Planner {
public:
  Planner(Loop &L, FunctionAnalysisManager &FAM, const HullDemands &Demands)
      : L(L), F(*L.getHeader()->getParent()), Demands(Demands),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(F)), LI(FAM.getResult<LoopAnalysis>(F)),
        DT(FAM.getResult<DominatorTreeAnalysis>(F)),
        PDT(FAM.getResult<PostDominatorTreeAnalysis>(F)), AA(FAM.getResult<AAManager>(F)),
        Expander(SE, "inspect"), Word(Type::getInt64Ty(F.getContext())),
        Slice(L, LI, PDT, IsConstant) {
    AA.enableCrossIterationMode();
  }
  Planner(const Planner &) = delete;
  Planner &operator=(const Planner &) = delete;

  bool plan();
  Inspected build();

private:
  /// The bytes [Low, High) of an access in all iterations of the loops that the inspector does not
  /// execute. Both bounds are known at At.
  struct Extent {
    const SCEV *Low, *High;
    Instruction *At;
    unsigned Hull;
  };

  std::optional<Extent> extentOf(const HullDemands::Access &Access, unsigned Hull);
  bool leaveOut(const Loop &Inner, const SCEV *&Low, const SCEV *&High);
  Instruction *placeFor(const SCEV *Low, const SCEV *High, Loop &In);
  bool isConstant(const LoadInst &Load);
  void widen(Value *Low, Value *High, unsigned Hull, Instruction *At);
  void copyLoop();
  bool addBranch(const BranchInst &Branch) {
    return Slice.add(Branch.getCondition()) && Slice.addExecution(*Branch.getParent());
  }
  Value *iterationAt(Instruction &I);
  void check(const BranchDemand &Demand);
  void noteLast(const BranchDirection &Of, AllocaInst &Number);
  bool isBound(const Value *V) const;
  Inspected compare();

  Loop &L;
  Function &F;
  const HullDemands &Demands;
  ScalarEvolution &SE;
  LoopInfo &LI;
  DominatorTree &DT;
  const PostDominatorTree &PDT;
  BatchAAResults AA; ///< answers are valid for two different iterations
  SCEVExpander Expander;
  Type *Word;
  const std::function<bool(const LoadInst &)> IsConstant = [this](const LoadInst &Load) {
    return isConstant(Load);
  };
  SmallVector<Extent, 8> Extents;
  LoopSlice Slice; ///< the part of the loop that the inspector executes
  SmallVector<std::pair<AllocaInst *, AllocaInst *>, 4> Bounds; ///< [hull] lowest and end
  AllocaInst *Missed = nullptr;           ///< an i1: some branch has gone in the other direction
  SmallVector<AllocaInst *, 2> LastRooms; ///< [Demands.LastWrites] the iteration, or -1
};

/// Replaces the bounds for one iteration of \p Inner by those for all its iterations. Returns false
/// if they are not known when \p Inner begins.
bool HullInspector::Planner::leaveOut(const Loop &Inner, const SCEV *&Low, const SCEV *&High) {
  const SCEV *const Taken = SE.getBackedgeTakenCount(&Inner);
  const auto Extreme = [&](const SCEV *S, bool IsHigh) -> const SCEV * {
    if (SE.isLoopInvariant(S, &Inner))
      return S;
    const auto *Counter = dyn_cast<SCEVAddRecExpr>(S);
    const auto *Step = Counter && Counter->getLoop() == &Inner && Counter->isAffine()
                           ? dyn_cast<SCEVConstant>(Counter->getStepRecurrence(SE))
                           : nullptr;
    if (!Step || isa<SCEVCouldNotCompute>(Taken) || SE.getTypeSizeInBits(Taken->getType()) > 64 ||
        !SE.isLoopInvariant(Taken, &Inner))
      return nullptr;
    if (Step->getAPInt().isNegative() == IsHigh)
      return Counter->getStart();
    const SCEV *Way = SE.getMulExpr(SE.getNoopOrZeroExtend(Taken, Word), Step);
    return SE.getAddExpr(Counter->getStart(), Way);
  };
  const SCEV *const NewLow = Extreme(Low, false), *const NewHigh = Extreme(High, true);
  if (!NewLow || !NewHigh)
    return false;
  Low = NewLow;
  High = NewHigh;
  return true;
}

/// Returns the first place in an iteration of \p In where both bounds are known; null if there is
/// none.
Instruction *HullInspector::Planner::placeFor(const SCEV *Low, const SCEV *High, Loop &In) {
  Instruction *At = &*In.getHeader()->getFirstInsertionPt();
  for (const SCEV *S : {Low, High}) {
    SmallVector<const SCEVUnknown *, 4> Unknown;
    struct Collector {
      SmallVectorImpl<const SCEVUnknown *> &To;
      bool follow(const SCEV *Part) {
        if (const auto *U = dyn_cast<SCEVUnknown>(Part))
          To.push_back(U);
        return true;
      }
      bool isDone() const { return false; }
    } Collect{Unknown};
    visitAll(S, Collect);
    for (const SCEVUnknown *U : Unknown) {
      auto *Made = dyn_cast<Instruction>(U->getValue());
      if (!Made || DT.dominates(Made, At))
        continue;
      if (!DT.dominates(At, Made) || Made->isTerminator())
        return nullptr;
      At = isa<PHINode>(Made) ? &*Made->getParent()->getFirstInsertionPt() : Made->getNextNode();
    }
  }
  // A slice may leave out a loop that has ended before At, so its counter is not known there.
  const auto IsOver = [&](const SCEV *Part) {
    const auto *Counter = dyn_cast<SCEVAddRecExpr>(Part);
    return Counter && !Counter->getLoop()->contains(At->getParent());
  };
  const auto IsKnown = [&](const SCEV *S) {
    return Expander.isSafeToExpand(S) && SE.dominates(S, At->getParent()) &&
           !SCEVExprContains(S, IsOver);
  };
  return IsKnown(Low) && IsKnown(High) ? At : nullptr;
}

std::optional<HullInspector::Planner::Extent>
HullInspector::Planner::extentOf(const HullDemands::Access &Access, unsigned Hull) {
  const SCEV *Low = Access.Address;
  if (const int64_t Step = Demands.Hulls[Hull].Step) {
    // Shifts each iteration so that it begins where the first one does.
    const SCEV *Way =
        SE.getAddRecExpr(SE.getZero(Word), SE.getConstant(Word, uint64_t(Step), /*isSigned=*/true),
                         &L, SCEV::FlagAnyWrap);
    Low = SE.getAddExpr(Low, SE.getNegativeSCEV(Way));
  }
  const SCEV *High = SE.getAddExpr(Low, SE.getConstant(Word, Access.Bytes));
  Loop *In = LI.getLoopFor(Access.I->getParent());
  while (In && L.contains(In) && leaveOut(*In, Low, High))
    In = In->getParentLoop();
  const bool IsBefore = !In || !L.contains(In);
  Instruction *At = nullptr;
  if (!IsBefore)
    At = placeFor(Low, High, *In);
  else if (Instruction *Before = L.getLoopPreheader()->getTerminator();
           Expander.isSafeToExpandAt(Low, Before) && Expander.isSafeToExpandAt(High, Before))
    At = Before;
  return At ? std::optional(Extent{Low, High, At, Hull}) : std::nullopt;
}

/// Returns whether the loop does not write the memory that \p Load reads. Types may prove that
/// within one iteration, which does not read memory as another type than it has written it.
/// Accesses of different iterations are proved or demanded to be apart without types.
bool HullInspector::Planner::isConstant(const LoadInst &Load) {
  // Each iteration may have its own memory on the stack, which Written does not contain.
  if (isa<AllocaInst>(getUnderlyingObject(Load.getPointerOperand(), /*MaxLookup=*/0)))
    return false;
  const MemoryLocation Where =
      MemoryLocation::getBeforeOrAfter(Load.getPointerOperand(), Load.getAAMetadata());
  return all_of(Demands.Written,
                [&](const MemoryLocation &Written) { return AA.isNoAlias(Where, Written); });
}

bool HullInspector::Planner::plan() {
  if (!LoopSlice::isPossible(L, DT))
    return false;
  for (const BranchDemand &Each : Demands.Branches)
    if (!addBranch(*Each.Branch))
      return false;
  for (const auto &[Each, Array] : Demands.LastWrites)
    if (!addBranch(*Each.Branch))
      return false;
  for (auto [Number, Hull] : enumerate(Demands.Hulls))
    for (const HullDemands::Access &Access : Hull.Of) {
      const std::optional<Extent> Found = extentOf(Access, unsigned(Number));
      if (!Found)
        return false;
      Extents.push_back(*Found);
      if (!L.contains(Found->At))
        continue;
      // The slice has to compute the values that the bounds consist of.
      SmallVector<const SCEV *, 2> Parts = {Found->Low, Found->High};
      struct Needs {
        Planner &For;
        bool IsMet = true;
        bool follow(const SCEV *Part) {
          if (const auto *U = dyn_cast<SCEVUnknown>(Part))
            IsMet = IsMet && For.Slice.add(U->getValue());
          return IsMet;
        }
        bool isDone() const { return !IsMet; }
      } Collect{*this};
      for (const SCEV *Part : Parts)
        visitAll(Part, Collect);
      if (!Collect.IsMet || !Slice.addExecution(*Found->At->getParent()))
        return false;
    }
  // The loop must compute the same addresses and conditions as the inspector.
  return none_of(Slice.instructions(), [](const Instruction *I) { return mayDifferInCopies(*I); });
}

/// Inserts code at \p At that widens the bounds of \p Hull to include [\p Low, \p High).
void HullInspector::Planner::widen(Value *Low, Value *High, unsigned Hull, Instruction *At) {
  IRBuilder<> B(At);
  const auto Update = [&](AllocaInst *Bound, Value *New, Intrinsic::ID Of) {
    // The address may be poison in an iteration that does not execute the access.
    New = B.CreateFreeze(New->getType()->isPointerTy() ? B.CreatePtrToInt(New, Word) : New);
    B.CreateStore(B.CreateBinaryIntrinsic(Of, B.CreateLoad(Word, Bound), New), Bound);
  };
  Update(Bounds[Hull].first, Low, Intrinsic::umin);
  Update(Bounds[Hull].second, High, Intrinsic::umax);
}

/// Returns the number of the iteration of the loop, computed in front of \p I.
Value *HullInspector::Planner::iterationAt(Instruction &I) {
  const SCEV *Number = SE.getAddRecExpr(SE.getZero(Word), SE.getOne(Word), &L, SCEV::FlagAnyWrap);
  return Expander.expandCodeFor(Number, Word, &I);
}

/// Inserts code in front of a branch that notes the iteration if it goes in the direction.
void HullInspector::Planner::noteLast(const BranchDirection &Of, AllocaInst &Number) {
  Value *Now = iterationAt(*Of.Branch);
  IRBuilder<> B(Of.Branch);
  Value *Goes = B.CreateXor(B.CreateFreeze(Of.Branch->getCondition()), B.getInt1(!Of.IsFirst));
  B.CreateStore(B.CreateSelect(Goes, Now, B.CreateLoad(Word, &Number)), &Number);
}

/// Inserts code in front of a branch that notes whether it goes in the other direction.
void HullInspector::Planner::check(const BranchDemand &Demand) {
  IRBuilder<> B(Demand.Branch);
  Value *IsMissed =
      B.CreateXor(B.CreateFreeze(Demand.Branch->getCondition()), B.getInt1(Demand.IsFirst));
  if (Demand.IsLastOnly) {
    Value *At = iterationAt(*Demand.Branch);
    B.SetInsertPoint(Demand.Branch);
    IsMissed = B.CreateAnd(IsMissed, B.CreateICmpEQ(At, B.getInt64(uint64_t(Demand.Last))));
  }
  B.CreateStore(B.CreateOr(B.CreateLoad(B.getInt1Ty(), Missed), IsMissed), Missed);
}

bool HullInspector::Planner::isBound(const Value *V) const {
  return V == Missed || is_contained(LastRooms, V) ||
         any_of(Bounds, [&](const auto &Of) { return Of.first == V || Of.second == V; });
}

/// Inserts the inspecting copy of the loop in front of the loop.
void HullInspector::Planner::copyLoop() {
  BasicBlock *Before = L.getLoopPreheader();
  BasicBlock *Preheader = SplitBlock(Before, Before->getTerminator(), &DT, &LI);
  ValueToValueMapTy Map;
  Map[Preheader] = Before;
  Map[L.getExitBlock()] = Preheader;
  const auto Copies = LoopSlice::copyBlocks(L, Map, ".inspect");
  Before->getTerminator()->setSuccessor(0, cast<BasicBlock>(Map.lookup(L.getHeader())));
  Slice.restrict(Copies, Map, [&](const Instruction &I) {
    const auto *Store = dyn_cast<StoreInst>(&I);
    return Store && isBound(Store->getPointerOperand());
  });
}

/// Compares the bounds with the demands in the loop's preheader.
HullInspector::Inspected HullInspector::Planner::compare() {
  IRBuilder<> B(L.getLoopPreheader()->getTerminator());
  SmallVector<std::pair<Value *, Value *>, 4> Found;
  for (const auto &[Low, High] : Bounds)
    Found.emplace_back(B.CreateLoad(Word, Low), B.CreateLoad(Word, High));
  SmallVector<Value *, 2> LastWrites;
  for (AllocaInst *Room : LastRooms)
    LastWrites.push_back(B.CreateLoad(Word, Room));
  Value *All = Missed ? B.CreateNot(B.CreateLoad(B.getInt1Ty(), Missed)) : B.getTrue();
  for (const auto &[I, J] : Demands.Apart)
    All = B.CreateAnd(All, B.CreateOr(B.CreateICmpULE(Found[I].second, Found[J].first),
                                      B.CreateICmpULE(Found[J].second, Found[I].first)));
  for (auto [Number, Hull] : enumerate(Demands.Hulls))
    if (Hull.Step != 0)
      All = B.CreateAnd(All, B.CreateICmpULE(B.CreateSub(Found[Number].second, Found[Number].first),
                                             B.getInt64(uint64_t(std::abs(Hull.Step)))));
  return {All, std::move(LastWrites)};
}

HullInspector::Inspected HullInspector::Planner::build() {
  IRBuilder<> Entry(&F.getEntryBlock(), F.getEntryBlock().begin());
  for (size_t I = 0; I < Demands.Hulls.size(); ++I)
    Bounds.emplace_back(Entry.CreateAlloca(Word), Entry.CreateAlloca(Word));
  IRBuilder<> Before(L.getLoopPreheader()->getTerminator());
  for (const auto &[Low, High] : Bounds) {
    Before.CreateStore(Before.getInt64(UINT64_MAX), Low);
    Before.CreateStore(Before.getInt64(0), High);
  }
  bool Loops = !Demands.Branches.empty() || !Demands.LastWrites.empty();
  for (const auto &[Each, Array] : Demands.LastWrites) {
    LastRooms.push_back(Entry.CreateAlloca(Word));
    Before.CreateStore(ConstantInt::getSigned(Word, -1), LastRooms.back());
    noteLast(Each, *LastRooms.back());
  }
  if (!Demands.Branches.empty()) {
    Missed = Entry.CreateAlloca(Entry.getInt1Ty());
    Before.CreateStore(Before.getFalse(), Missed);
  }
  for (const BranchDemand &Each : Demands.Branches)
    check(Each);
  for (const Extent &Each : Extents) {
    Loops |= L.contains(Each.At);
    Value *Low = Expander.expandCodeFor(Each.Low, nullptr, Each.At);
    Value *High = Expander.expandCodeFor(Each.High, nullptr, Each.At);
    widen(Low, High, Each.Hull, Each.At);
  }
  if (Loops) {
    copyLoop();
    // Only the copy updates the bounds.
    for (BasicBlock *BB : L.blocks())
      for (Instruction &I : make_early_inc_range(*BB))
        if (auto *Store = dyn_cast<StoreInst>(&I); Store && isBound(Store->getPointerOperand())) {
          Value *New = Store->getValueOperand();
          Store->eraseFromParent();
          RecursivelyDeleteTriviallyDeadInstructions(New);
        }
  }
  return compare();
}

HullInspector::HullInspector(Loop &L, FunctionAnalysisManager &FAM, const HullDemands &Demands)
    : Plan(std::make_unique<Planner>(L, FAM, Demands)) {}

HullInspector::~HullInspector() = default;

bool HullInspector::isPossible() { return Plan->plan(); }

HullInspector::Inspected HullInspector::build() { return Plan->build(); }

} // namespace specrt
