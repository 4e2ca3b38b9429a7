//===- specializer/loops/independence/hull_inspector.cpp - checks addresses before a loop ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/independence/hull_inspector.h"
#include "analysis/rounding/fast_math.h"
#include "specializer/loops/independence/hull_extent.h"
#include "specializer/loops/loop_copy.h"
#include "specializer/loops/loop_slice.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <functional>

using namespace llvm;

namespace specrt {
namespace {

/// Sums and differences of addresses and offsets up to this number do not wrap. Larger offsets are
/// those of accesses that are not executed.
constexpr int64_t MaxDistance = int64_t{1} << 61;

/// The bounds of no bytes.
constexpr int64_t NoLow = int64_t{1} << 62, NoHigh = -NoLow;

/// Returns \p V, an address or an i64, as an i64.
Value *asWord(Value *V, IRBuilder<> &B) {
  return V->getType()->isPointerTy() ? B.CreatePtrToInt(V, B.getInt64Ty()) : V;
}

} // namespace

class HullInspector::Planner {
public:
  Planner(Loop &L, FunctionAnalysisManager &FAM, const HullDemands &Demands)
      : L(L), F(*L.getHeader()->getParent()), Demands(Demands),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(F)), LI(FAM.getResult<LoopAnalysis>(F)),
        DT(FAM.getResult<DominatorTreeAnalysis>(F)),
        PDT(FAM.getResult<PostDominatorTreeAnalysis>(F)), TTI(FAM.getResult<TargetIRAnalysis>(F)),
        AA(FAM.getResult<AAManager>(F)), Expander(SE, "inspect"),
        Word(Type::getInt64Ty(F.getContext())), Slice(L, LI, PDT, IsConstant) {
    AA.enableCrossIterationMode();
    if (!Demands.Kept.isEmpty())
      Slice.allowCalls();
  }
  Planner(const Planner &) = delete;
  Planner &operator=(const Planner &) = delete;

  bool plan();
  double share() const { return Slice.share(TTI); }
  Inspected build();

private:
  /// The bytes [Low, High) of an access in all iterations of the loops that the inspector does not
  /// execute. Both are known at At, and count from the base of the hull if that is known before the
  /// loop.
  struct Extent {
    const SCEV *Low, *High;
    Instruction *At;
    unsigned Bounds; ///< by number
  };
  /// Signed numbers, from the lowest extent to the end of the highest one. If the kind is
  /// Ascending, Low and High are those of one iteration, and Reached is the end of those before.
  struct Bounds {
    HullKind Kind;
    AllocaInst *Low = nullptr, *High = nullptr, *Reached = nullptr;
  };
  /// An access relative to the base of its hull: bytes and the loop that executes it.
  using Offset = std::tuple<const SCEV *, uint64_t, const Loop *>;

  bool isBased(const HullDemands::Hull &Hull) const;
  SmallVector<Offset, 4> offsetsIn(const HullDemands::Hull &Hull) const;
  unsigned boundsOf(const HullDemands::Hull &Hull, ArrayRef<Offset> Offsets);
  std::optional<Extent> extentOf(const HullDemands::Hull &Hull, const HullDemands::Access &Access,
                                 unsigned Number);
  bool plan(const Extent &Each);
  bool isConstant(const LoadInst &Load);
  bool addKept();
  AllocaInst *makeRoom(Value &First);
  void makeBounds();
  void widen(Value *Low, Value *High, const Bounds &Of, Instruction *At);
  void compareIterations(const Bounds &Of);
  void keepValues();
  void keepInside();
  bool isOwn(const Instruction &I) const;
  BasicBlock *copyLoop();
  bool addBranch(const BranchInst &Branch) {
    return Slice.add(Branch.getCondition()) && Slice.addExecution(*Branch.getParent());
  }
  bool isCopyable() const;
  void addExpanded(const Value *V);
  Value *iterationAt(Instruction &I);
  void check(const BranchDemand &Demand);
  void noteLast(const BranchDirection &Of, AllocaInst &Number);
  Inspected compare();

  Loop &L;
  Function &F;
  const HullDemands &Demands;
  ScalarEvolution &SE;
  LoopInfo &LI;
  DominatorTree &DT;
  const PostDominatorTree &PDT;
  const TargetTransformInfo &TTI;
  BatchAAResults AA; ///< answers are valid for two different iterations
  SCEVExpander Expander;
  Type *Word;
  const std::function<bool(const LoadInst &)> IsConstant = [this](const LoadInst &Load) {
    return isConstant(Load);
  };
  SmallVector<Extent, 8> Extents;
  LoopSlice Slice;        ///< the part of the loop that the inspector executes
  bool IsComplete = true; ///< the slice computes all that the inspector needs
  SmallVector<Bounds, 4> AllBounds;
  SmallVector<std::pair<SmallVector<Offset, 4>, int64_t>, 4> Shared; ///< [bounds] and the step
  SmallVector<unsigned, 4> BoundsOf;       ///< [hull] the number of its bounds
  SmallVector<Value *, 4> Bases;           ///< [hull] the base as a number; 0 if it is not known
  SmallSetVector<const Value *, 16> Rooms; ///< the memory that only the inspector writes
  AllocaInst *Missed = nullptr;            ///< an i1: some branch or iteration misses a demand
  SmallVector<AllocaInst *, 2> LastRooms;  ///< [Demands.LastWrites] the iteration, or -1
};

/// Returns whether the base of \p Hull is known before the loop.
bool HullInspector::Planner::isBased(const HullDemands::Hull &Hull) const {
  return SE.isLoopInvariant(Hull.Base, &L) &&
         Expander.isSafeToExpandAt(Hull.Base, L.getLoopPreheader()->getTerminator());
}

/// Returns the accesses in \p Hull in an order that does not depend on the hull.
SmallVector<HullInspector::Planner::Offset, 4>
HullInspector::Planner::offsetsIn(const HullDemands::Hull &Hull) const {
  SmallVector<Offset, 4> Offsets;
  for (const HullDemands::Access &Access : Hull.Of)
    Offsets.emplace_back(SE.removePointerBase(Access.Address), Access.Bytes,
                         LI.getLoopFor(Access.I->getParent()));
  sort(Offsets);
  return Offsets;
}

/// Returns the number of the bounds of \p Hull, which hulls with the same \p Offsets share.
unsigned HullInspector::Planner::boundsOf(const HullDemands::Hull &Hull, ArrayRef<Offset> Offsets) {
  for (auto [Number, Known] : enumerate(Shared))
    if (AllBounds[Number].Kind == Hull.Kind && Known.second == Hull.Step &&
        ArrayRef(Known.first) == Offsets && !Offsets.empty())
      return unsigned(Number);
  AllBounds.push_back({.Kind = Hull.Kind});
  Shared.emplace_back(SmallVector<Offset, 4>(Offsets), Hull.Step);
  return unsigned(AllBounds.size() - 1);
}

std::optional<HullInspector::Planner::Extent>
HullInspector::Planner::extentOf(const HullDemands::Hull &Hull, const HullDemands::Access &Access,
                                 unsigned Number) {
  const SCEV *Low = isBased(Hull) ? SE.removePointerBase(Access.Address) : Access.Address;
  if (const int64_t Step = Hull.Step) {
    // Shifts each iteration so that it begins where the first one does.
    const SCEV *Way =
        SE.getAddRecExpr(SE.getZero(Word), SE.getConstant(Word, uint64_t(Step), /*isSigned=*/true),
                         &L, SCEV::FlagAnyWrap);
    Low = SE.getAddExpr(Low, SE.getNegativeSCEV(Way));
  }
  const SCEV *High = SE.getAddExpr(Low, SE.getConstant(Word, Access.Bytes));
  Loop *In = LI.getLoopFor(Access.I->getParent());
  while (In && L.contains(In) && leaveOut(*In, Low, High, SE))
    In = In->getParentLoop();
  const bool IsBefore = !In || !L.contains(In);
  Instruction *At = nullptr;
  if (!IsBefore)
    At = placeFor(Low, High, *In, DT, LI, Expander);
  else if (Instruction *Before = L.getLoopPreheader()->getTerminator();
           Expander.isSafeToExpandAt(Low, Before) && Expander.isSafeToExpandAt(High, Before))
    At = Before;
  return At ? std::optional(Extent{Low, High, At, Number}) : std::nullopt;
}

/// Returns whether the loop does not write the memory that \p Load reads. Types may prove that
/// within one iteration, which does not read memory as another type than it has written it.
/// Accesses of different iterations are proved or demanded to be apart without types.
bool HullInspector::Planner::isConstant(const LoadInst &Load) {
  // Each iteration may have its own memory on the stack, which Written does not contain.
  if (isa<AllocaInst>(getUnderlyingObject(Load.getPointerOperand(), /*MaxLookup=*/0)))
    return false;
  if (Demands.Compared.contains(&Load))
    return true;
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
  if (!addKept())
    return false;
  for (const HullDemands::Hull &Hull : Demands.Hulls) {
    const size_t NumKnown = AllBounds.size();
    const SmallVector<Offset, 4> Offsets =
        isBased(Hull) ? offsetsIn(Hull) : SmallVector<Offset, 4>();
    const unsigned Number = boundsOf(Hull, Offsets);
    BoundsOf.push_back(Number);
    if (Number < NumKnown)
      continue;
    for (const HullDemands::Access &Access : Hull.Of) {
      const std::optional<Extent> Found = extentOf(Hull, Access, Number);
      if (!Found || !plan(*Found))
        return false;
      Extents.push_back(*Found);
    }
  }
  return isCopyable();
}

/// Returns whether the loop computes the same addresses and conditions as the inspector.
bool HullInspector::Planner::isCopyable() const {
  return none_of(Slice.instructions(), [&](Instruction *I) {
    return mayDifferInCopies(*I) && (!Demands.Again || Demands.Again->contains(I));
  });
}

/// Adds the values that the bounds of \p Each consist of to the slice. Returns false if that is not
/// possible.
bool HullInspector::Planner::plan(const Extent &Each) {
  if (!L.contains(Each.At))
    return AllBounds[Each.Bounds].Kind != HullKind::Ascending;
  return Slice.addParts(Each.Low) && Slice.addParts(Each.High) &&
         Slice.addExecution(*Each.At->getParent());
}

/// Returns memory on the stack that contains \p First when the inspector begins.
AllocaInst *HullInspector::Planner::makeRoom(Value &First) {
  BasicBlock &Entry = F.getEntryBlock();
  AllocaInst *Room = IRBuilder<>(&Entry, Entry.begin()).CreateAlloca(First.getType());
  IRBuilder<>(L.getLoopPreheader()->getTerminator()).CreateStore(&First, Room);
  Rooms.insert(Room);
  return Room;
}

/// Makes the memory for the bounds. Those of one iteration begin anew in each iteration.
void HullInspector::Planner::makeBounds() {
  IRBuilder<> B(&*L.getHeader()->getFirstInsertionPt());
  for (Bounds &Each : AllBounds) {
    Each.Low = makeRoom(*B.getInt64(uint64_t(NoLow)));
    Each.High = makeRoom(*ConstantInt::getSigned(Word, NoHigh));
    if (Each.Kind != HullKind::Ascending)
      continue;
    Each.Reached = makeRoom(*ConstantInt::getSigned(Word, NoHigh));
    B.CreateStore(B.getInt64(uint64_t(NoLow)), Each.Low);
    B.CreateStore(ConstantInt::getSigned(Word, NoHigh), Each.High);
  }
}

/// Inserts code at \p At that widens the bounds \p Of to include [\p Low, \p High).
void HullInspector::Planner::widen(Value *Low, Value *High, const Bounds &Of, Instruction *At) {
  IRBuilder<> B(At);
  const auto Update = [&](AllocaInst *Bound, Value *New, Intrinsic::ID By) {
    // The address may be poison in an iteration that does not execute the access.
    New = B.CreateFreeze(asWord(New, B));
    B.CreateStore(B.CreateBinaryIntrinsic(By, B.CreateLoad(Word, Bound), New), Bound);
  };
  Update(Of.Low, Low, Intrinsic::smin);
  Update(Of.High, High, Intrinsic::smax);
}

/// Inserts code at the end of an iteration that compares its bounds \p Of with those before.
void HullInspector::Planner::compareIterations(const Bounds &Of) {
  IRBuilder<> B(L.getLoopLatch()->getTerminator());
  Value *Low = B.CreateLoad(Word, Of.Low), *High = B.CreateLoad(Word, Of.High);
  Value *Reached = B.CreateLoad(Word, Of.Reached);
  B.CreateStore(B.CreateOr(B.CreateLoad(B.getInt1Ty(), Missed), B.CreateICmpSLT(Low, Reached)),
                Missed);
  B.CreateStore(B.CreateBinaryIntrinsic(Intrinsic::smax, Reached, High), Of.Reached);
}

/// Adds \p V to the slice. The expander takes instructions that exist for parts of an expression,
/// which may depend on more than the expression does, such as on a branch.
void HullInspector::Planner::addExpanded(const Value *V) {
  IsComplete = IsComplete && Slice.add(V) && isCopyable();
}

/// Returns the number of the iteration of the loop, computed in front of \p I.
Value *HullInspector::Planner::iterationAt(Instruction &I) {
  const SCEV *Number = SE.getAddRecExpr(SE.getZero(Word), SE.getOne(Word), &L, SCEV::FlagAnyWrap);
  Value *Iteration = Expander.expandCodeFor(Number, Word, &I);
  addExpanded(Iteration);
  return Iteration;
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

/// Adds the values that are kept to the slice. Returns false if that is not possible.
bool HullInspector::Planner::addKept() {
  const auto Add = [&](const Instruction *V) { return Slice.add(V); };
  return all_of(Demands.Kept.OfLoop, Add) &&
         all_of(Demands.Kept.Inside, [&](const KeptValues::OfInner &Inner) {
           return all_of(Inner.Values, Add) && Slice.addExecution(*Inner.In->getHeader());
         });
}

/// Stores the values that a later loop reads.
void HullInspector::Planner::keepValues() {
  for (auto [Place, V] : enumerate(Demands.Kept.OfLoop)) {
    Instruction *At = &**V->getInsertionPointAfterDef();
    Value *Number = iterationAt(*At);
    IRBuilder<> B(At);
    markKept(*B.CreateStore(V, Demands.Kept.wordOf(Number, Place, B)));
  }
  if (!Demands.Kept.Inside.empty())
    keepInside();
}

/// Stores the values of inner loops one after the other, from the begin of the iteration on.
void HullInspector::Planner::keepInside() {
  IRBuilder<> B(F.getContext());
  AllocaInst *Next = makeRoom(*B.getInt64(0));
  Instruction *At = &*L.getHeader()->getFirstInsertionPt();
  Value *Number = iterationAt(*At);
  B.SetInsertPoint(At);
  B.CreateStore(B.CreateLoad(Word, Demands.Kept.beginOf(Number, B)), Next);
  for (const KeptValues::OfInner &Inner : Demands.Kept.Inside)
    Demands.Kept.takeWords(Inner.In->getHeader(), Next, Inner.Values,
                           [&](unsigned Place, Value *Address, IRBuilder<> &Behind) {
                             markKept(*Behind.CreateStore(Inner.Values[Place], Address));
                           });
}

/// Returns whether \p I stores to memory of the inspector.
bool HullInspector::Planner::isOwn(const Instruction &I) const {
  const auto *Store = dyn_cast<StoreInst>(&I);
  return Store && (Rooms.contains(Store->getPointerOperand()) ||
                   (!Demands.Kept.isEmpty() && isMarkedKept(*Store)));
}

/// Inserts the inspecting copy of the loop in front of the loop. Returns its header.
BasicBlock *HullInspector::Planner::copyLoop() {
  BasicBlock *Before = L.getLoopPreheader();
  BasicBlock *Preheader = SplitBlock(Before, Before->getTerminator(), &DT, &LI);
  ValueToValueMapTy Map;
  Map[Preheader] = Before;
  Map[L.getExitBlock()] = Preheader;
  const auto Copies = LoopSlice::copyBlocks(L, Map, ".inspect");
  Before->getTerminator()->setSuccessor(0, cast<BasicBlock>(Map.lookup(L.getHeader())));
  Slice.restrict(Copies, Map, [&](const Instruction &I) { return isOwn(I); });
  return cast<BasicBlock>(Map.lookup(L.getHeader()));
}

/// Compares the bounds with the demands in the loop's preheader.
HullInspector::Inspected HullInspector::Planner::compare() {
  IRBuilder<> B(L.getLoopPreheader()->getTerminator());
  SmallVector<Value *, 2> LastWrites;
  for (AllocaInst *Room : LastRooms)
    LastWrites.push_back(B.CreateLoad(Word, Room));
  Value *All = Missed ? B.CreateNot(B.CreateLoad(B.getInt1Ty(), Missed)) : B.getTrue();
  if (!IsComplete)
    All = B.getFalse();
  SmallVector<std::pair<Value *, Value *>, 4> Found;
  for (auto [Hull, Number, Base] : zip_equal(Demands.Hulls, BoundsOf, Bases)) {
    Value *Low = B.CreateLoad(Word, AllBounds[Number].Low);
    Value *High = B.CreateLoad(Word, AllBounds[Number].High);
    Found.emplace_back(B.CreateAdd(Base, Low), B.CreateAdd(Base, High));
    if (Hull.Kind == HullKind::Ascending)
      continue;
    All = B.CreateAnd(All, B.CreateICmpULE(Base, B.getInt64(uint64_t(MaxDistance))));
    All = B.CreateAnd(All, B.CreateICmpSGE(Low, ConstantInt::getSigned(Word, -MaxDistance)));
    All = B.CreateAnd(All, B.CreateICmpSLE(High, B.getInt64(uint64_t(MaxDistance))));
    if (Hull.Kind == HullKind::Row)
      All = B.CreateAnd(
          All, B.CreateICmpSLE(B.CreateSub(High, Low), B.getInt64(uint64_t(std::abs(Hull.Step)))));
  }
  for (const auto &[I, J] : Demands.Apart)
    All = B.CreateAnd(All, B.CreateOr(B.CreateICmpSLE(Found[I].second, Found[J].first),
                                      B.CreateICmpSLE(Found[J].second, Found[I].first)));
  return {.AreMet = All, .LastWrites = std::move(LastWrites), .Header = nullptr, .Variables = {}};
}

HullInspector::Inspected HullInspector::Planner::build() {
  IRBuilder<> Before(L.getLoopPreheader()->getTerminator());
  for (const HullDemands::Hull &Hull : Demands.Hulls) {
    Value *Base = Before.getInt64(0);
    if (isBased(Hull))
      Base = asWord(Expander.expandCodeFor(Hull.Base, nullptr, &*Before.GetInsertPoint()), Before);
    Bases.push_back(Base);
  }
  makeBounds();
  const auto Ascends = [](const Bounds &Each) { return Each.Kind == HullKind::Ascending; };
  if (!Demands.Branches.empty() || any_of(AllBounds, Ascends))
    Missed = makeRoom(*Before.getFalse());
  bool Loops = !Demands.Branches.empty() || !Demands.LastWrites.empty() || !Demands.Kept.isEmpty();
  for (const auto &[Each, Array] : Demands.LastWrites) {
    LastRooms.push_back(makeRoom(*ConstantInt::getSigned(Word, -1)));
    noteLast(Each, *LastRooms.back());
  }
  for (const BranchDemand &Each : Demands.Branches)
    check(Each);
  for (const Extent &Each : Extents) {
    Loops |= L.contains(Each.At);
    Value *Low = Expander.expandCodeFor(Each.Low, nullptr, Each.At);
    Value *High = Expander.expandCodeFor(Each.High, nullptr, Each.At);
    addExpanded(Low);
    addExpanded(High);
    widen(Low, High, AllBounds[Each.Bounds], Each.At);
  }
  for (const Bounds &Each : make_filter_range(AllBounds, Ascends))
    compareIterations(Each);
  keepValues();
  BasicBlock *Header = nullptr;
  if (Loops) {
    Header = copyLoop();
    // Only the copy updates the bounds and keeps values.
    SmallVector<Instruction *, 16> Own;
    for (BasicBlock *BB : L.blocks())
      for (Instruction &I : *BB)
        if (isOwn(I))
          Own.push_back(&I);
    for (Instruction *I : Own)
      eraseWithOperands(*I);
    DeleteDeadPHIs(L.getHeader());
  }
  Inspected Found = compare();
  Found.Header = Header;
  for (const Value *Room : Rooms)
    Found.Variables.push_back(const_cast<AllocaInst *>(cast<AllocaInst>(Room)));
  return Found;
}

HullInspector::HullInspector(Loop &L, FunctionAnalysisManager &FAM, const HullDemands &Demands)
    : Plan(std::make_unique<Planner>(L, FAM, Demands)) {}

HullInspector::~HullInspector() = default;

bool HullInspector::isPossible() { return Plan->plan(); }

double HullInspector::share() const { return Plan->share(); }

HullInspector::Inspected HullInspector::build() { return Plan->build(); }

} // namespace specrt
