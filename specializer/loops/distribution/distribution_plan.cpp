//===- specializer/loops/distribution/distribution_plan.cpp - what each part does ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/distribution/distribution_plan.h"
#include "specializer/loops/distribution/chosen_addresses.h"
#include "specializer/loops/distribution/distributed_loop.h"
#include "specializer/loops/independence/footprint.h"
#include "specializer/loops/loop_copy.h"
#include "specializer/loops/loop_shape.h"
#include "specializer/polyhedral/model/unordered_calls.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace specrt {

bool isWrite(const Instruction &I) {
  return I.mayWriteToMemory() && !isOnlySaid(I) && !isUnordered(I) && !isErrnoOnly(I);
}

DistributionPlan::DistributionPlan(Loop &L, FunctionAnalysisManager &FAM,
                                   function_ref<bool(const Loop &)> MayKeepInLoop)
    : L(L), F(*L.getHeader()->getParent()), FAM(FAM), SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
      LI(FAM.getResult<LoopAnalysis>(F)), DT(FAM.getResult<DominatorTreeAnalysis>(F)),
      PDT(FAM.getResult<PostDominatorTreeAnalysis>(F)), TTI(FAM.getResult<TargetIRAnalysis>(F)),
      MayKeepInLoop(MayKeepInLoop), Memory(L, FAM), First(L, LI, PDT, MayReadFirst),
      Count(L, FAM, MayReadFirst), Second(L, LI, PDT, MayReadSecond, IsKept) {
  First.allowCalls();
  Second.allowCalls();
}

/// Collects the accesses. Returns false if the loop is too large, or does something that neither
/// loop may do. Lifetimes on the stack would have to begin and end in one of the loops.
bool DistributionPlan::collect() {
  constexpr size_t Copies = 4; // the loop of the source, and those that count, keep, and use
  const auto IsNeverPrivate = [](const AllocaInst &) { return false; };
  if (!maySplit(L, Copies) || !tripsOf(L, SE) || !LoopSlice::isPossible(L, DT) ||
      !Memory.collect(IsNeverPrivate))
    return false;
  for (const BasicBlock *BB : L.blocks())
    if (any_of(*BB, [](const Instruction &I) { return I.isLifetimeStartOrEnd(); }))
      return false;
  for (const LoopAccess &A : Memory.all())
    if (A.IsWrite)
      Writes.push_back(&A);
    else if (isa<LoadInst>(A.I))
      Reads[A.I] = &A;
  return true;
}

/// Returns whether both access different memory in all iterations.
bool DistributionPlan::areApart(const LoopAccess &Read, const LoopAccess &Write) {
  return Memory.areDifferentObjects(Read, Write) ||
         areDifferentMembers(Read.Address, Read.Bytes, Write.Address, Write.Bytes, L, SE);
}

/// Returns whether the first loop may read memory by \p Load, before any iteration has written.
bool DistributionPlan::mayReadFirst(const LoadInst &Load) {
  return Reads.contains(&Load) &&
         !isa<AllocaInst>(getUnderlyingObject(Load.getPointerOperand(), /*MaxLookup=*/0)) &&
         all_of(Writes, [&](const LoopAccess *Write) {
           // The hulls of accesses from different bases can be compared.
           const LoopAccess &Read = *Reads.lookup(&Load);
           return Read.Base != Write->Base || areApart(Read, *Write);
         });
}

/// Returns whether the memory that \p Load reads is compared with what the loop writes only after
/// the first loop. Until then the value may be one that the loop of the source never sees.
bool DistributionPlan::isUnchecked(const LoadInst &Load) {
  return any_of(Writes,
                [&](const LoopAccess *Write) { return !areApart(*Reads.lookup(&Load), *Write); });
}

/// Returns the slice of values that do not depend on unchecked ones, without instructions so far.
LoopSlice DistributionPlan::checkedSlice() {
  LoopSlice Checked(L, LI, PDT, IsChecked);
  Checked.allowCalls();
  return Checked;
}

/// Returns whether \p Load reads only memory that the source reads even if unchecked values are
/// wrong.
bool DistributionPlan::isHarmless(const LoadInst &Load) {
  const auto [At, IsNew] = HarmlessLoads.insert({&Load, false});
  if (!IsNew)
    return At->second;
  const auto IsCertain = [&](const Value &V) { return checkedSlice().add(&V); };
  return HarmlessLoads[&Load] = checkedSlice().addExecution(*Load.getParent()) &&
                                (IsCertain(*Load.getPointerOperand()) ||
                                 readsWhatIsReadAnyway(Load, L, IsCertain, LI, DT, SE));
}

/// Returns whether \p Slice ends and does not trap even if unchecked values are wrong: they decide
/// neither about divisors nor how long a loop runs, and choose only addresses that are read anyway.
bool DistributionPlan::isHarmless(const LoopSlice &Slice) {
  LoopSlice Checked = checkedSlice();
  return all_of(Slice.instructions(), [&](Instruction *I) {
    if (const auto *Load = dyn_cast<LoadInst>(I))
      return isHarmless(*Load);
    return !(I->isIntDivRem() ||
             (I->isTerminator() && LI.getLoopFor(I->getParent())->isLoopExiting(I->getParent()))) ||
           Checked.add(I);
  });
}

/// Returns whether the only values that iterations of \p Slice pass on are counters.
bool DistributionPlan::carriesNothing(const LoopSlice &Slice) {
  return all_of(Slice.instructions(), [&](Instruction *I) {
    auto *Phi = dyn_cast<PHINode>(I);
    return !Phi || Phi->getParent() != L.getHeader() || counterOf(*Phi, L, SE);
  });
}

/// Returns what it costs to execute \p In without its body in an iteration of the loop.
double DistributionPlan::emptyCost(const Loop &In) {
  const auto [At, IsNew] = EmptyCosts.insert({&In, 0});
  if (IsNew) {
    LoopSlice Empty(L, LI, PDT, MayReadFirst);
    Empty.allowCalls();
    if (Empty.addExecution(*In.getHeader()))
      At->second = Empty.cost(TTI);
  }
  return At->second;
}

/// Returns whether values of the inner loop \p In can be kept.
bool DistributionPlan::mayKeepIn(Loop &In) {
  const auto [At, IsNew] = MayKeepIn.insert({&In, false});
  if (IsNew) {
    CountingLoop Alone(L, FAM, MayReadFirst);
    At->second = MayKeepInLoop(In) && Alone.add(In);
  }
  return At->second;
}

/// Returns the cost of computing \p V in the first loop; nothing if it is not independent.
std::optional<double> DistributionPlan::costInFirst(Instruction &V) {
  const auto [At, IsNew] = Costs.insert({&V, std::nullopt});
  if (!IsNew)
    return At->second;
  LoopSlice Of(L, LI, PDT, MayReadFirst);
  Of.allowCalls();
  if (!Of.add(&V) || !carriesNothing(Of) || !isHarmless(Of))
    return std::nullopt;
  return Costs[&V] = Of.cost(TTI) - emptyCost(*LI.getLoopFor(V.getParent()));
}

/// Returns whether computing \p V costs more than keeping it in memory.
bool DistributionPlan::isExpensive(const Value *V) {
  auto *I = const_cast<Instruction *>(dyn_cast<Instruction>(V));
  if (!I || !L.contains(I))
    return false;
  const std::optional<double> Cost = costInFirst(*I);
  const auto Access = [&](unsigned Opcode) {
    const InstructionCost Of =
        TTI.getMemoryOpCost(Opcode, I->getType(), Align(KeptValues::WordBytes), 0,
                            TargetTransformInfo::TCK_RecipThroughput);
    return Of.isValid() ? double(Of.getValue()) : 0;
  };
  return Cost && *Cost > (Access(Instruction::Load) + Access(Instruction::Store)) *
                             First.timesOf(*I->getParent());
}

/// Returns whether the second loop reads \p V from memory.
bool DistributionPlan::keeps(Instruction &V) {
  if (Kept.contains(&V))
    return true;
  Type *T = V.getType();
  const DataLayout &DL = F.getDataLayout();
  if (V.isTerminator() || !(T->isIntegerTy() || T->isFloatingPointTy() || T->isPointerTy()) ||
      DL.getTypeStoreSize(T) > KeptValues::WordBytes || !V.getInsertionPointAfterDef() ||
      !isExpensive(&V))
    return false;
  Loop *const In = LI.getLoopFor(V.getParent());
  if (In != &L && !mayKeepIn(*In))
    return false;
  // Several addresses or conditions may be computed from one number, which takes one word.
  const bool IsSimple = isa<GetElementPtrInst, CastInst, CmpInst>(V) ||
                        (isa<BinaryOperator>(V) && T->isIntegerTy() && !V.isIntDivRem());
  if (IsSimple && count_if(V.operands(), [&](const Value *O) { return isExpensive(O); }) == 1)
    return false;
  return Kept.insert(&V);
}

/// Plans the loop that writes, and with it the values that are kept.
bool DistributionPlan::planSecond() {
  for (const LoopAccess *Write : Writes)
    if (!all_of(Write->I->operands(), [&](const Value *V) { return Second.add(V); }) ||
        !Second.addExecution(*Write->I->getParent()))
      return false;
  for (const PHINode &Phi : L.getExitBlock()->phis())
    if (!Second.add(Phi.getIncomingValueForBlock(L.getLoopLatch())))
      return false;
  return Second.addExecution(*L.getHeader()) && !Kept.empty();
}

/// Plans the loop that computes the kept values and records addresses.
bool DistributionPlan::planFirst() {
  for (Instruction *V : Kept) {
    Loop *const In = LI.getLoopFor(V->getParent());
    if (!First.add(V) || (In != &L && !Count.add(*In)))
      return false;
    Demands.Kept.add(*V, In != &L ? In : nullptr);
  }
  // Loads of the counting loop are compared with the writes if they are in the first loop.
  if (!all_of(Count.slice().instructions(), [&](const Instruction *I) { return First.add(I); }))
    return false;
  // Recording an address may take more loads.
  for (size_t N = 0; N < First.instructions().size(); ++N) {
    const auto *Load = dyn_cast<LoadInst>(First.instructions()[N]);
    for (const LoopAccess *Write : Writes) {
      if (!Load || Memory.areDifferentObjects(*Reads.lookup(Load), *Write))
        continue;
      Demands.Compared.insert(Load);
      if (areApart(*Reads.lookup(Load), *Write))
        continue;
      const std::pair<unsigned, unsigned> Pair =
          std::minmax(hullOf(*Reads.lookup(Load)), hullOf(*Write));
      if (!is_contained(Demands.Apart, Pair))
        Demands.Apart.push_back(Pair);
      if (!First.add(Write->Where.Ptr) || !First.addExecution(*Write->I->getParent()))
        return false;
    }
  }
  for (const LoopAccess *Write : Writes)
    Demands.Written.push_back(Write->Typed);
  Demands.Again = &Second.instructions();
  return carriesNothing(First) && isHarmless(First);
}

/// Returns whether one of the loops executes each call that sets errno, and the first one executes
/// all whose order matters.
bool DistributionPlan::keepsCalls() const {
  return all_of(L.blocks(), [&](BasicBlock *BB) {
    return all_of(*BB, [&](Instruction &I) {
      const bool IsInFirst = First.instructions().contains(&I);
      const bool IsInSecond = Second.instructions().contains(&I);
      if (isErrnoOnly(I))
        return IsInFirst && !IsInSecond;
      return !isUnordered(I) || IsInFirst || IsInSecond;
    });
  });
}

/// Returns the cost of reading what is kept in an iteration.
double DistributionPlan::costOfKeeping() const {
  double Sum = 0;
  for (const Instruction *V : Kept)
    Sum += First.timesOf(*V->getParent());
  return Sum;
}

/// Returns whether LLVM can use vectors for what the first loop executes in \p In.
bool DistributionPlan::fillsVectors(const Loop &In) const {
  return In.isInnermost() && tripsOf(In, SE) && all_of(First.instructions(), [&](Instruction *I) {
           if (LI.getLoopFor(I->getParent()) != &In)
             return true;
           if (auto *Phi = dyn_cast<PHINode>(I); Phi && Phi->getParent() == In.getHeader())
             return counterOf(*Phi, In, SE) != nullptr;
           const auto *Call = dyn_cast<CallBase>(I);
           return !Call || isTriviallyVectorizable(Call->getIntrinsicID());
         });
}

/// Returns the cost of the first loop if vectors have that many \p Lanes.
double DistributionPlan::costOfFirst(double Lanes) const {
  SmallDenseMap<const Loop *, bool> InVectors;
  double Sum = 0;
  for (const Instruction *I : First.instructions()) {
    const Loop *In = LI.getLoopFor(I->getParent());
    const auto [At, IsNew] = InVectors.insert({In, false});
    if (IsNew)
      At->second = Lanes > 1 && fillsVectors(*In);
    Sum += First.costOf(*I, TTI) / (At->second ? Lanes : 1);
  }
  return Sum;
}

/// Returns whether computing some kept value takes clearly longer than an update that waits for the
/// one before. While it waits, a processor computes the next values, whether or not in vectors.
bool DistributionPlan::exceedsLatency() {
  const InstructionCost Latency = TTI.getArithmeticInstrCost(
      Instruction::FAdd, Type::getDoubleTy(F.getContext()), TargetTransformInfo::TCK_Latency);
  return Latency.isValid() && any_of(Kept, [&](Instruction *V) {
           return costInFirst(*V).value_or(0) >=
                  2 * double(Latency.getValue()) * First.timesOf(*V->getParent());
         });
}

bool DistributionPlan::make(const FirstLoop &By, double AtMost) {
  if (!collect())
    return false;
  if (!planSecond() || !planFirst() || !keepsCalls())
    return false;
  double InSecond = Second.cost(TTI) + costOfKeeping() + Count.slice().cost(TTI);
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      if (isWrite(I))
        InSecond += Second.costOf(I, TTI);
  const double All = Second.costOfLoop(TTI);
  FirstShare = First.share(TTI);
  if (costOfFirst(By.Lanes) / By.Threads + InSecond >= AtMost * All ||
      (By.Lanes > 1 && !exceedsLatency()))
    return false;
  Inspector.emplace(L, FAM, Demands);
  return Inspector->isPossible();
}

} // namespace specrt
