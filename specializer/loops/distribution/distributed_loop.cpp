//===- specializer/loops/distribution/distributed_loop.cpp - a loop in two parts ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/distribution/distributed_loop.h"
#include "analysis/memory/linear_form.h"
#include "specializer/loops/distribution/strip_mining.h"
#include "specializer/loops/independence/hull_inspector.h"
#include "specializer/loops/independence/loop_accesses.h"
#include "specializer/loops/loop_copy.h"
#include "specializer/loops/loop_shape.h"
#include "specializer/loops/loop_slice.h"
#include "specializer/polyhedral/model/unordered_calls.h"
#include "support/memory/scratch.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <functional>
#include <optional>

using namespace llvm;

namespace specrt {
namespace {

constexpr uint64_t WordBytes = 8; ///< of a kept value

/// The bytes of the values that are kept at a time: half of a second cache of 512 KB, the smallest
/// of current processors.
constexpr uint64_t StripBytes = uint64_t{256} * 1024;

/// Returns whether the second loop has to execute \p I for its effects.
bool isWrite(const Instruction &I) {
  return I.mayWriteToMemory() && !isOnlySaid(I) && !isUnordered(I) && !isErrnoOnly(I);
}

class Distribution {
public:
  Distribution(Loop &L, FunctionAnalysisManager &FAM)
      : L(L), F(*L.getHeader()->getParent()), FAM(FAM),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(F)), LI(FAM.getResult<LoopAnalysis>(F)),
        DT(FAM.getResult<DominatorTreeAnalysis>(F)),
        PDT(FAM.getResult<PostDominatorTreeAnalysis>(F)), TTI(FAM.getResult<TargetIRAnalysis>(F)),
        Memory(L, FAM), Word(Type::getInt64Ty(F.getContext())), First(L, LI, PDT, MayReadFirst),
        Second(L, LI, PDT, MayReadSecond, IsKept) {
    First.allowCalls();
    Second.allowCalls();
  }
  Distribution(const Distribution &) = delete;
  Distribution &operator=(const Distribution &) = delete;

  bool plan(unsigned Threads, double AtMost);
  size_t numKept() const { return Kept.size(); }
  DistributedLoop rewrite();

private:
  bool collect();
  bool isApartFrom(const LoadInst &Load, const LoopAccess &Write);
  bool mayReadFirst(const LoadInst &Load);
  std::optional<double> costInFirst(Instruction &V);
  bool isExpensive(const Value *V);
  bool keeps(Instruction &V);
  bool planSecond();
  bool planFirst();
  unsigned hullOf(const LoopAccess &A) { return Demands.add(A, HullKind::All, LI, SE); }
  bool keepsCalls() const;
  bool carriesNothing(const LoopSlice &Slice);
  Value *takeMemory();
  void give(Instruction *Before, Value *Memory) const;
  void buildSecond(BasicBlock *Begin, BasicBlock *End, Value *Memory);

  Loop &L;
  Function &F;
  FunctionAnalysisManager &FAM;
  ScalarEvolution &SE;
  LoopInfo &LI;
  DominatorTree &DT;
  const PostDominatorTree &PDT;
  const TargetTransformInfo &TTI;
  LoopAccesses Memory;
  Type *Word;
  const std::function<bool(const LoadInst &)> MayReadFirst = [this](const LoadInst &Load) {
    return mayReadFirst(Load);
  };
  const std::function<bool(const LoadInst &)> MayReadSecond = [](const LoadInst &) { return true; };
  const std::function<bool(Instruction &)> IsKept = [this](Instruction &V) { return keeps(V); };
  LoopSlice First, Second;
  SmallVector<const LoopAccess *, 8> Writes;
  DenseMap<const Instruction *, const LoopAccess *> Reads;
  DenseMap<const Instruction *, std::optional<double>> Costs; ///< beyond that of empty iterations
  double EmptyCost = 0;                                       ///< of an iteration
  SmallSetVector<Instruction *, 8> Kept;
  HullDemands Demands;
  std::optional<HullInspector> Inspector;
  double FirstShare = 0; ///< of the work
};

/// Collects the accesses. Returns false if the loop is too large, or does something that neither
/// loop may do. Lifetimes on the stack would have to begin and end in one of the loops.
bool Distribution::collect() {
  constexpr size_t Copies = 3; // the first and the second loop, and the loop of the source
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

/// Returns whether the hulls of both accesses can be compared, or need not be.
bool Distribution::isApartFrom(const LoadInst &Load, const LoopAccess &Write) {
  const LoopAccess &Read = *Reads.lookup(&Load);
  return Read.Base != Write.Base || Memory.areDifferentObjects(Read, Write);
}

/// Returns whether the first loop may read memory by \p Load, before any iteration has written.
bool Distribution::mayReadFirst(const LoadInst &Load) {
  return Reads.contains(&Load) &&
         !isa<AllocaInst>(getUnderlyingObject(Load.getPointerOperand(), /*MaxLookup=*/0)) &&
         all_of(Writes, [&](const LoopAccess *Write) { return isApartFrom(Load, *Write); });
}

/// Returns whether the only values that iterations of \p Slice pass on are counters.
bool Distribution::carriesNothing(const LoopSlice &Slice) {
  return all_of(Slice.instructions(), [&](Instruction *I) {
    auto *Phi = dyn_cast<PHINode>(I);
    return !Phi || Phi->getParent() != L.getHeader() || counterOf(*Phi, L, SE);
  });
}

/// Returns the cost of computing \p V in the first loop; nothing if it is not independent.
std::optional<double> Distribution::costInFirst(Instruction &V) {
  const auto [At, IsNew] = Costs.insert({&V, std::nullopt});
  if (!IsNew)
    return At->second;
  LoopSlice Of(L, LI, PDT, MayReadFirst);
  Of.allowCalls();
  if (!Of.add(&V) || !carriesNothing(Of))
    return std::nullopt;
  return Costs[&V] = Of.cost(TTI) - EmptyCost;
}

/// Returns whether computing \p V costs more than keeping it in memory.
bool Distribution::isExpensive(const Value *V) {
  auto *I = const_cast<Instruction *>(dyn_cast<Instruction>(V));
  if (!I || !L.contains(I))
    return false;
  const std::optional<double> Cost = costInFirst(*I);
  const auto Access = [&](unsigned Opcode) {
    const InstructionCost Of = TTI.getMemoryOpCost(Opcode, I->getType(), Align(WordBytes), 0,
                                                   TargetTransformInfo::TCK_RecipThroughput);
    return Of.isValid() ? double(Of.getValue()) : 0;
  };
  return Cost && *Cost > Access(Instruction::Load) + Access(Instruction::Store);
}

/// Returns whether the second loop reads \p V from memory.
bool Distribution::keeps(Instruction &V) {
  if (Kept.contains(&V))
    return true;
  Type *T = V.getType();
  const DataLayout &DL = F.getDataLayout();
  if (LI.getLoopFor(V.getParent()) != &L || V.isTerminator() ||
      !(T->isIntegerTy() || T->isFloatingPointTy() || T->isPointerTy()) ||
      DL.getTypeStoreSize(T) > WordBytes || !V.getInsertionPointAfterDef() || !isExpensive(&V))
    return false;
  // Several addresses may be computed from one number, which takes one word.
  const bool IsOfInteger = isa<GetElementPtrInst, CastInst>(V) ||
                           (isa<BinaryOperator>(V) && T->isIntegerTy() && !V.isIntDivRem());
  if (IsOfInteger && count_if(V.operands(), [&](const Value *O) { return isExpensive(O); }) == 1)
    return false;
  return Kept.insert(&V);
}

/// Plans the loop that writes, and with it the values that are kept.
bool Distribution::planSecond() {
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
bool Distribution::planFirst() {
  for (Instruction *V : Kept) {
    if (!First.add(V))
      return false;
    Demands.Kept.push_back(V);
  }
  // Recording an address may take more loads.
  for (size_t N = 0; N < First.instructions().size(); ++N) {
    const auto *Load = dyn_cast<LoadInst>(First.instructions()[N]);
    for (const LoopAccess *Write : Writes) {
      if (!Load || Memory.areDifferentObjects(*Reads.lookup(Load), *Write))
        continue;
      const std::pair<unsigned, unsigned> Pair =
          std::minmax(hullOf(*Reads.lookup(Load)), hullOf(*Write));
      if (!is_contained(Demands.Apart, Pair))
        Demands.Apart.push_back(Pair);
      if (!First.add(Write->Where.Ptr) || !First.addExecution(*Write->I->getParent()))
        return false;
      Demands.Compared.insert(Load);
    }
  }
  for (const LoopAccess *Write : Writes)
    Demands.Written.push_back(Write->Typed);
  Demands.Again = &Second.instructions();
  return carriesNothing(First);
}

/// Returns whether one of the loops executes each call that sets errno, and the first one executes
/// all whose order matters.
bool Distribution::keepsCalls() const {
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

bool Distribution::plan(unsigned Threads, double AtMost) {
  if (!collect())
    return false;
  LoopSlice Empty(L, LI, PDT, MayReadFirst);
  if (!Empty.addExecution(*L.getHeader()))
    return false;
  EmptyCost = Empty.cost(TTI);
  if (!planSecond() || !planFirst() || !keepsCalls())
    return false;
  double InSecond = Second.cost(TTI) + double(Kept.size());
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      if (isWrite(I))
        InSecond += Second.costOf(I, TTI);
  const double All = Second.costOfLoop(TTI);
  FirstShare = First.share(TTI);
  if (FirstShare / Threads + InSecond / All >= AtMost)
    return false;
  Inspector.emplace(L, FAM, Demands);
  return Inspector->isPossible();
}

/// Emits code in the loop's preheader that takes memory for the values of all iterations. Returns
/// its address, which is null if there is none.
Value *Distribution::takeMemory() {
  Instruction *Before = L.getLoopPreheader()->getTerminator();
  Value *Trips = SCEVExpander(SE, "first").expandCodeFor(tripsOf(L, SE), Word, Before);
  IRBuilder<> B(Before);
  CallInst *Take =
      B.CreateCall(F.getParent()->getOrInsertFunction(TakeScratchName, B.getPtrTy(), Word),
                   B.CreateMul(Trips, B.getInt64(WordBytes * Kept.size())));
  Take->setDoesNotThrow();
  Take->addRetAttr(Attribute::NoAlias);
  return Take;
}

void Distribution::give(Instruction *Before, Value *Memory) const {
  IRBuilder<> B(Before);
  CallInst *Give = B.CreateCall(
      F.getParent()->getOrInsertFunction(GiveScratchName, B.getVoidTy(), B.getPtrTy()), Memory);
  Give->setDoesNotThrow();
  Give->addParamAttr(0, Attribute::getWithCaptureInfo(F.getContext(), CaptureInfo::none()));
}

/// Builds the second loop between \p Begin and \p End, an empty block each, and makes the values
/// that it leaves known behind the loop.
void Distribution::buildSecond(BasicBlock *Begin, BasicBlock *End, Value *Memory) {
  BasicBlock *const Exit = L.getExitBlock(), *const Latch = L.getLoopLatch();
  ValueToValueMapTy Map;
  Map[L.getLoopPreheader()] = Begin;
  Map[Exit] = End;
  const auto Copies = LoopSlice::copyBlocks(L, Map, ".second");
  auto *const Header = cast<BasicBlock>(Map.lookup(L.getHeader()));
  auto *const Last = cast<BasicBlock>(Map.lookup(Latch));
  IRBuilder<> B(Header, Header->begin());
  PHINode *Number = B.CreatePHI(Word, 2, "iteration");
  B.SetInsertPoint(Last->getTerminator());
  Value *Next = B.CreateAdd(Number, B.getInt64(1), "", /*HasNUW=*/true, /*HasNSW=*/true);
  Number->addIncoming(B.getInt64(0), Begin);
  Number->addIncoming(Next, Last);
  SmallPtrSet<const Instruction *, 8> Loads;
  for (auto [Place, V] : enumerate(Kept)) {
    auto *Copy = cast<Instruction>(Map.lookup(V));
    B.SetInsertPoint(&**Copy->getInsertionPointAfterDef());
    Value *Index = B.CreateAdd(B.CreateMul(Number, B.getInt64(Kept.size())), B.getInt64(Place));
    LoadInst *Load = B.CreateLoad(V->getType(), B.CreateInBoundsGEP(Word, Memory, Index));
    Copy->replaceAllUsesWith(Load);
    Loads.insert(Load);
  }
  Second.restrict(Copies, Map,
                  [&](const Instruction &I) { return isWrite(I) || Loads.contains(&I); });
  B.SetInsertPoint(Begin);
  B.CreateBr(Header);
  B.SetInsertPoint(End);
  for (PHINode &Phi : Exit->phis()) {
    Value *Left = Phi.getIncomingValueForBlock(Latch);
    if (const auto *Made = dyn_cast<Instruction>(Left); Made && L.contains(Made)) {
      PHINode *New = B.CreatePHI(Left->getType(), 1);
      New->addIncoming(Map.lookup(Left), Last);
      Left = New;
    }
    Phi.addIncoming(Left, End);
  }
  give(B.CreateBr(Exit), Memory);
}

DistributedLoop Distribution::rewrite() {
  BasicBlock *const Before = L.getLoopPreheader(), *const Exit = L.getExitBlock();
  Value *const Memory = Demands.KeptIn = takeMemory();
  BasicBlock *const Begin = SplitBlock(Before, Before->getTerminator(), &DT, &LI);
  const HullInspector::Inspected Found = Inspector->build();
  BasicBlock *const Compared = L.getLoopPreheader();
  // The loop of the source begins here if there is no memory, or some accesses may meet.
  BasicBlock *const AsWritten = SplitBlock(Compared, Compared->getTerminator(), &DT, &LI);
  give(AsWritten->getTerminator(), Memory);
  const auto NewBlock = [&](const Twine &Name) {
    return BasicBlock::Create(F.getContext(), Name, &F, Exit);
  };
  BasicBlock *const SecondBegin = NewBlock("second"), *const SecondEnd = NewBlock("second.end");
  buildSecond(SecondBegin, SecondEnd, Memory);
  Before->getTerminator()->eraseFromParent();
  IRBuilder<> B(Before);
  B.CreateCondBr(B.CreateIsNull(Memory), AsWritten, Begin);
  Compared->getTerminator()->eraseFromParent();
  BranchInst::Create(SecondBegin, AsWritten, Found.AreMet, Compared);
  simplifyLoops(F, FAM);
  PromoteMemToReg(Found.Variables, FAM.getResult<DominatorTreeAnalysis>(F));
  simplifyLoops(F, FAM);
  return {.First = Found.Header, .Share = FirstShare};
}

} // namespace

DistributedLoop distributeLoop(Loop &L, FunctionAnalysisManager &FAM, unsigned Threads,
                               double AtMost) {
  BasicBlock *const Header = L.getHeader();
  uint64_t Length = 0;
  {
    Distribution Whole(L, FAM);
    if (!Whole.plan(Threads, AtMost))
      return {};
    Length = StripBytes / (WordBytes * Whole.numKept());
  }
  Function &F = *Header->getParent();
  const std::optional<int64_t> Last =
      constantLastIteration(&L, FAM.getResult<ScalarEvolutionAnalysis>(F));
  if (!Last || uint64_t(*Last) >= Length)
    stripMine(L, Length, FAM);
  Distribution OfStrip(*FAM.getResult<LoopAnalysis>(F).getLoopFor(Header), FAM);
  return OfStrip.plan(Threads, AtMost) ? OfStrip.rewrite() : DistributedLoop{};
}

} // namespace specrt
