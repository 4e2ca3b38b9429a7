//===- specializer/loops/independence/independent_loop.cpp - independent iterations ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/independence/independent_loop.h"
#include "analysis/memory/linear_form.h"
#include "specializer/loops/accumulator.h"
#include "specializer/loops/distribution/kept_values.h"
#include "specializer/loops/distribution/split_sums.h"
#include "specializer/loops/independence/footprint.h"
#include "specializer/loops/independence/loop_accesses.h"
#include "specializer/loops/loop_shape.h"
#include "specializer/polyhedral/storage/expand_storage.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace specrt {
namespace {

/// With fewer than 2^32 iterations and steps up to this, no address wraps around to another one.
constexpr int64_t MaxStep = int64_t{1} << 31;

/// Steps of loops inside are at most 2^30, too, so that the product of a step with such a number of
/// iterations is at most 2^60.
constexpr int64_t MaxTaken = int64_t{1} << 30;

/// The distance between the ends of two ranges is a sum of at most this many such products and of
/// small numbers, and remains below 2^63.
constexpr unsigned MaxProducts = 7;

/// Returns whether fewer than 2^32 times \p S is below 2^62.
bool isSmallStep(const SCEV *S) {
  const auto *Known = dyn_cast<SCEVConstant>(S);
  return Known && Known->getAPInt().isSignedIntN(30);
}

class IterationProof {
public:
  /// \p Around contains \p L or is it. Demands are known before it.
  IterationProof(const Loop &L, const Loop &Around, FunctionAnalysisManager &FAM, bool MayTransform)
      : L(L), Around(Around), FAM(FAM), SE(FAM.getResult<ScalarEvolutionAnalysis>(function())),
        Memory(L, FAM), MayTransform(MayTransform), LastIteration(constantLastIteration(&L, SE)),
        Word(Type::getInt64Ty(SE.getContext())) {}

  bool run();
  IndependentLoop Found;
  std::string Note; ///< why the loop is not independent; "" if not known

private:
  /// Iteration i touches bytes in [Start + i * Step + Low, Start + i * Step + High).
  struct Range {
    const SCEV *Start = nullptr, *Step = nullptr, *Low = nullptr, *High = nullptr;
    SmallVector<const SCEV *, 2> Taken;   ///< backedges of loops inside, each at most MaxTaken
    unsigned NumInLow = 0, NumInHigh = 0; ///< number of products of steps with Taken
  };
  struct Access : LoopAccess {
    std::optional<Footprint> Touched;
    std::optional<Range> Moving;
  };

  bool carriesNothing();
  bool leavesNothing() const;
  bool collect();
  const SCEV *mostTaken(const Loop &Inner) const;
  std::optional<Range> rangeOf(const SCEV *Address, uint64_t Bytes) const;
  bool areApart(const Access &A, const Access &B);
  bool areRangesApart(const Access &A, const Access &B);
  bool demand(const SCEV *Small, const SCEV *Large);
  bool demandHulls(const Access &A, const Access &B);
  unsigned hullOf(const Access &A, HullKind Kind, int64_t Step = 0) {
    return Found.Hulls.add(A, Kind, FAM.getResult<LoopAnalysis>(function()), SE, Step);
  }
  bool mayAscend(ArrayRef<const SCEV *> Elements) const;
  bool isConstant(const LoadInst &Load);
  std::optional<WorkArray> findWorkArray(Value &Base, ArrayRef<ArrayAccess> Here);
  bool addWorkArray(const SCEVUnknown &Base);
  bool areWorkArraysApart();
  bool areInWorkArray(const Access &A, const Access &B);
  Function &function() const { return *L.getHeader()->getParent(); }
  bool isKnownBefore(const SCEV *S) const { return specrt::isKnownBefore(Around, S, SE); }

  const Loop &L, &Around;
  FunctionAnalysisManager &FAM;
  ScalarEvolution &SE;
  LoopAccesses Memory;
  const bool MayTransform;
  const std::optional<int64_t> LastIteration;
  Type *Word;
  DenseMap<const SCEV *, bool> WorkArrays; ///< [base] whether it is the base of a work array
  SmallVector<Access, 0> Accesses;
};

bool IterationProof::carriesNothing() {
  const CarriedSums Sums = carriedSums(L, FAM);
  Found.HasSums = !Sums.Phis.empty();
  return !Found.HasSums || (MayTransform && canSplitSums(const_cast<Loop &>(L), FAM));
}

bool IterationProof::leavesNothing() const {
  SmallPtrSet<const Value *, 4> Accumulated = carriedSums(L, FAM).Last;
  for (PHINode &Phi : L.getHeader()->phis())
    if (!counterOf(Phi, L, SE))
      if (const std::optional<Accumulator> Of = accumulatorOf(Phi, L))
        Accumulated.insert(Of->Last);
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      for (const User *U : I.users())
        if (!L.contains(cast<Instruction>(U)) && !Accumulated.contains(&I))
          return false;
  return true;
}

bool IterationProof::collect() {
  const auto &DT = FAM.getResult<DominatorTreeAnalysis>(function());
  if (!Memory.collect([&](const AllocaInst &Room) { return beginsAnew(Room, L, DT); }))
    return false;
  for (const LoopAccess &Each : Memory.all())
    Accesses.push_back(
        {Each, Footprint::of(Each.Address, Each.Bytes, L, SE), rangeOf(Each.Address, Each.Bytes)});
  return true;
}

/// Returns the largest number of backedges that \p Inner takes in an iteration of Around in which
/// it runs; null if it is not known before Around. The loops execute that many iterations, so the
/// sums do not wrap where they matter.
const SCEV *IterationProof::mostTaken(const Loop &Inner) const {
  const SCEV *Taken = SE.getBackedgeTakenCount(&Inner);
  if (isa<SCEVCouldNotCompute>(Taken) || SE.getTypeSizeInBits(Taken->getType()) > 64)
    return nullptr;
  Taken = SE.getNoopOrZeroExtend(Taken, Word);
  const auto MayWrap = [&](const SCEV *S) {
    const auto *Varying = dyn_cast<SCEVAddRecExpr>(S);
    return Varying && !L.contains(Varying->getLoop()) && Around.contains(Varying->getLoop()) &&
           !isSmallStep(Varying->getStepRecurrence(SE));
  };
  if (SCEVExprContains(Taken, MayWrap))
    return nullptr;
  const SCEV *Most = boundOf(Taken, Extreme::Most, &Around, SE);
  return Most && isKnownBefore(Most) ? Most : nullptr;
}

std::optional<IterationProof::Range> IterationProof::rangeOf(const SCEV *Address,
                                                             uint64_t Bytes) const {
  Range R;
  R.Low = SE.getZero(Word);
  R.High = SE.getConstant(Word, Bytes);
  R.Start = Address;
  while (const auto *Varying = dyn_cast<SCEVAddRecExpr>(R.Start)) {
    const Loop *With = Varying->getLoop();
    const SCEV *Step = Varying->getStepRecurrence(SE);
    if (!L.contains(With))
      break;
    if (!Varying->isAffine())
      return std::nullopt;
    R.Start = Varying->getStart();
    if (With == &L) {
      R.Step = Step;
      break;
    }
    const auto *Known = dyn_cast<SCEVConstant>(Step);
    const SCEV *Taken = mostTaken(*With);
    if (!Known || !Known->getAPInt().isSignedIntN(31) || !Taken)
      return std::nullopt;
    const bool IsDown = Known->getAPInt().isNegative();
    const SCEV *&Further = IsDown ? R.Low : R.High;
    Further = SE.getAddExpr(Further, SE.getMulExpr(Step, Taken));
    ++(IsDown ? R.NumInLow : R.NumInHigh);
    R.Taken.push_back(Taken);
  }
  if (!R.Step || !isKnownBefore(R.Step) || !SE.isLoopInvariant(R.Start, &L))
    return std::nullopt;
  return R;
}

bool IterationProof::demand(const SCEV *Small, const SCEV *Large) {
  if (SE.isKnownPredicate(CmpInst::ICMP_SLE, Small, Large))
    return true;
  if (SE.isKnownPredicate(CmpInst::ICMP_SGT, Small, Large) || !isKnownBefore(Small) ||
      !isKnownBefore(Large))
    return false;
  Found.NoLarger.insert({Small, Large});
  return true;
}

/// Returns whether no iteration accesses a byte by \p A that another one accesses by \p B.
bool IterationProof::areApart(const Access &A, const Access &B) {
  if ((A.I != B.I && (Memory.areDifferentObjects(A, B) ||
                      areDifferentMembers(A.Address, A.Bytes, B.Address, B.Bytes, L, SE))) ||
      (keepsValues(L) && isMarkedKept(*A.I) && isMarkedKept(*B.I)))
    return true;
  if (A.Touched && B.Touched && Footprint::areApart(*A.Touched, *B.Touched, L, LastIteration))
    return true;
  const size_t Before = Found.NoLarger.size();
  if (areRangesApart(A, B))
    return true;
  while (Found.NoLarger.size() > Before)
    Found.NoLarger.pop_back();
  return MayTransform && demandHulls(A, B);
}

bool IterationProof::areRangesApart(const Access &A, const Access &B) {
  const std::optional<Range> &OfA = A.Moving, &OfB = B.Moving;
  if (!OfA || !OfB || OfA->Step != OfB->Step || OfA->NumInHigh + OfB->NumInLow > MaxProducts ||
      OfB->NumInHigh + OfA->NumInLow > MaxProducts)
    return false;
  const SCEV *Between = SE.getMinusSCEV(OfB->Start, OfA->Start);
  if (!isa<SCEVConstant>(Between))
    return false;
  const SCEV *Step = OfA->Step;
  const SCEV *LowOfB = SE.getAddExpr(OfB->Low, Between),
             *HighOfB = SE.getAddExpr(OfB->High, Between);
  // A loop with a negative number of iterations does not run, so that A or B accesses nothing.
  const auto AreBounded = [&](const Range &Of) {
    return all_of(Of.Taken,
                  [&](const SCEV *Taken) { return demand(Taken, SE.getConstant(Word, MaxTaken)); });
  };
  return AreBounded(*OfA) && AreBounded(*OfB) && demand(Step, SE.getConstant(Word, MaxStep)) &&
         demand(SE.getMinusSCEV(OfA->High, LowOfB), Step) &&
         demand(SE.getMinusSCEV(HighOfB, OfA->Low), Step);
}

/// Returns whether addresses that are sums of \p Elements and of affine parts may ascend from one
/// iteration to the next: data decide about an element once per iteration.
bool IterationProof::mayAscend(ArrayRef<const SCEV *> Elements) const {
  return any_of(Elements, [&](const SCEV *S) { return dependsOnData(S, L); }) &&
         all_of(Elements, [&](const SCEV *S) {
           return all_of(L, [&](const Loop *Inner) { return SE.isLoopInvariant(S, Inner); });
         });
}

/// Leaves the comparison to an inspector; returns false if it cannot decide. With different bases
/// it compares the accesses of all iterations. With one base it checks that no iteration reaches
/// beyond the beginning of the next one, or that iterations ascend.
bool IterationProof::demandHulls(const Access &A, const Access &B) {
  if (A.Base != B.Base) {
    const unsigned First = hullOf(A, HullKind::All), Second = hullOf(B, HullKind::All);
    const std::pair<unsigned, unsigned> Pair = std::minmax(First, Second);
    if (!is_contained(Found.Hulls.Apart, Pair))
      Found.Hulls.Apart.push_back(Pair);
    return true;
  }
  if (A.Touched && B.Touched)
    return false; // the footprints have already decided
  LinearForm FormA, FormB;
  SmallVector<const SCEV *, 2> OfA, OfB;
  if (!splitAffine(A.Address, FormA, OfA) || !splitAffine(B.Address, FormB, OfB))
    return false;
  const int64_t Step = FormA.factor(&L);
  if (Step != FormB.factor(&L) || std::abs(Step) >= MaxStep)
    return false;
  const bool Ascend = Step == 0 && mayAscend(OfA) && OfA == OfB;
  // Each iteration may have a row of its own behind a pointer.
  if (!Ascend && (Step == 0 || !SE.isLoopInvariant(A.Base, &L)))
    return false;
  for (const Access *Each : {&A, &B})
    hullOf(*Each, Ascend ? HullKind::Ascending : HullKind::Row, Step);
  return true;
}

/// Returns whether the loop does not write the memory that \p Load reads.
bool IterationProof::isConstant(const LoadInst &Load) {
  const auto *const Read = find_if(Accesses, [&](const Access &A) { return A.I == &Load; });
  return Read != Accesses.end() && all_of(Accesses, [&](const Access &A) {
           return !A.IsWrite || Memory.areDifferentObjects(*Read, A);
         });
}

/// Returns the array at \p Base if it is a work array, perhaps after a check of branches.
std::optional<WorkArray> IterationProof::findWorkArray(Value &Base, ArrayRef<ArrayAccess> Here) {
  const auto *Room = dyn_cast<AllocaInst>(&Base);
  const bool IsReadOutside = !Room || !areAllAccesses(*Room, [&](const Instruction &I) {
    return L.contains(&I) || I.isLifetimeStartOrEnd() || isa<StoreInst, MemSetInst>(I);
  });
  if (const std::optional<WorkArray> Always = workArrayAt(Base, Here, L, FAM))
    return Always;
  std::string Why;
  const auto Find = [&](bool IsReadBehind) {
    return conditionalArrayAt(
        Base, Here, L, IsReadBehind, [&](const LoadInst &Load) { return isConstant(Load); }, FAM,
        Why);
  };
  std::optional<ConditionalArray> Array = Find(IsReadOutside);
  // If the loop begins again and a check fails, it reads the values that it has left in the array.
  if (Array && !Array->Demands.empty() && !IsReadOutside && !L.isOutermost())
    Array = Find(/*IsReadBehind=*/true);
  const std::string Name = Base.hasName() ? demangle(Base.getName()) : "memory";
  if (!Array) {
    if (!Why.empty())
      Note = "iterations share " + Name + ": " + Why;
    return std::nullopt;
  }
  for (const BranchDemand &Each : Array->Demands) {
    const DebugLoc &At = Each.Branch->getDebugLoc();
    Found.Note += (Found.Note.empty() ? "" : "; ") + Name + " is private if the condition " +
                  (At ? "in line " + std::to_string(At.getLine()) + " " : "") +
                  (Each.IsFirst ? "holds in " : "fails in ") +
                  (Each.IsLastOnly ? "the last iteration" : "all iterations");
    Found.Hulls.Branches.push_back(Each);
  }
  if (Array->WrittenIf)
    Found.Hulls.LastWrites.emplace_back(*Array->WrittenIf, unsigned(Found.Arrays.size()));
  return Array->Array;
}

/// Adds the array at \p Base to the work arrays if it is one.
bool IterationProof::addWorkArray(const SCEVUnknown &Base) {
  SmallVector<ArrayAccess, 16> Here;
  for (const Access &A : Accesses)
    if (A.Base == &Base)
      Here.push_back({A.I, A.Where.Ptr, A.Bytes, A.IsWrite});
  const std::optional<WorkArray> Array = findWorkArray(*Base.getValue(), Here);
  if (!Array)
    return false;
  uint64_t Bytes = Array->NumBytes;
  for (const WorkArray &Other : Found.Arrays)
    Bytes += Other.NumBytes;
  if (Bytes > uint64_t(MaxExpandedBytes))
    return false;
  Found.Arrays.push_back(*Array);
  return true;
}

/// Returns whether both are accesses to a work array. Sums that are split off would read one after
/// the loop.
bool IterationProof::areInWorkArray(const Access &A, const Access &B) {
  const auto *Base = dyn_cast<SCEVUnknown>(A.Base);
  if (!MayTransform || Found.HasSums || A.Base != B.Base || !Base)
    return false;
  // The function for iterations receives the address of the array as an argument.
  const auto *Room = dyn_cast<AllocaInst>(Base->getValue());
  if (Room ? !Room->isStaticAlloca() ||
                 any_of(Room->users(),
                        [&](const User *U) {
                          return cast<Instruction>(U)->isLifetimeStartOrEnd() &&
                                 L.contains(cast<Instruction>(U));
                        })
           : !isa<GlobalVariable, Argument>(Base->getValue()))
    return false;
  const auto [At, IsNew] = WorkArrays.insert({Base, false});
  if (IsNew)
    At->second = addWorkArray(*Base);
  return At->second;
}

/// Returns whether alias analysis separates the work arrays from all other memory. Checks at run
/// time are not enough, because threads receive the arrays as noalias pointers even if a check
/// makes the loop serial.
bool IterationProof::areWorkArraysApart() {
  return Found.Arrays.empty() || all_of(Accesses, [&](const Access &A) {
           return !WorkArrays.lookup(A.Base) || all_of(Accesses, [&](const Access &B) {
             return A.Base == B.Base || (!A.IsWrite && !B.IsWrite) ||
                    Memory.areDifferentObjects(A, B);
           });
         });
}

bool IterationProof::run() {
  const SCEV *Taken = backedgesOf(L, SE) ? mostTaken(L) : nullptr;
  if (!Taken || !carriesNothing() || !leavesNothing() || !collect())
    return false;
  Found.Header = L.getHeader();
  for (const Access &A : Accesses)
    for (const Access &B : Accesses)
      if (A.IsWrite && !areApart(A, B) && !areInWorkArray(A, B)) {
        const auto *Base = dyn_cast<SCEVUnknown>(A.Base);
        if (Note.empty() && Base && Base->getValue()->hasName())
          Note = "iterations share " + demangle(Base->getValue()->getName());
        return false;
      }
  if (!demand(Taken, SE.getConstant(Word, (int64_t{1} << 32) - 2)))
    return false;
  if (!areWorkArraysApart())
    return false;
  if (Found.Hulls.isEmpty())
    return true;
  for (const Access &A : Accesses)
    if (A.IsWrite)
      Found.Hulls.Written.push_back(A.Typed);
  HullInspector Inspector(const_cast<Loop &>(L), FAM, Found.Hulls);
  if (!Inspector.isPossible())
    return false;
  Found.InspectorShare = Inspector.share();
  return true;
}

} // namespace

IndependentLoops findIndependentLoops(Function &F, FunctionAnalysisManager &FAM, bool MayTransform,
                                      function_ref<bool()> Expired) {
  IndependentLoops Found;
  SmallPtrSet<const Loop *, 8> Inside;
  for (const Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder()) {
    if (Inside.contains(L->getParentLoop())) {
      Inside.insert(L);
      continue;
    }
    if (Expired && Expired())
      break;
    IterationProof Proof(*L, *L, FAM, MayTransform);
    if (Proof.run()) {
      Inside.insert(L);
      Found.All.push_back(std::move(Proof.Found));
    } else if (Found.Note.empty()) {
      Found.Note = std::move(Proof.Note);
    }
  }
  return Found;
}

std::optional<IndependentLoop> demandsOf(const Loop &L, FunctionAnalysisManager &FAM) {
  IterationProof Proof(L, L, FAM, /*MayTransform=*/true);
  return Proof.run() ? std::optional(std::move(Proof.Found)) : std::nullopt;
}

std::optional<IndependentLoop> demandsWithin(const Loop &Around, const Loop &L,
                                             FunctionAnalysisManager &FAM) {
  IterationProof Proof(L, Around, FAM, /*MayTransform=*/false);
  return Proof.run() ? std::optional(std::move(Proof.Found)) : std::nullopt;
}

Value *areNoLarger(ArrayRef<std::pair<const SCEV *, const SCEV *>> Pairs, const Loop &L,
                   FunctionAnalysisManager &FAM) {
  Instruction *Here = L.getLoopPreheader()->getTerminator();
  SCEVExpander Expander(FAM.getResult<ScalarEvolutionAnalysis>(*Here->getFunction()), "shared");
  IRBuilder<> B(Here);
  Value *All = B.getTrue();
  for (const auto &[Small, Large] : Pairs) {
    Value *Left = Expander.expandCodeFor(Small, B.getInt64Ty(), Here);
    All = B.CreateAnd(All,
                      B.CreateICmpSLE(Left, Expander.expandCodeFor(Large, B.getInt64Ty(), Here)));
  }
  return All;
}

} // namespace specrt
