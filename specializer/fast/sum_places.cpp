//===- specializer/fast/sum_places.cpp - moves sums from memory to registers ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/fast/sum_places.h"
#include "specializer/fast/sum_chains.h"
#include "specializer/fast/sum_trees.h"
#include "specializer/loops/loop_copy.h"
#include "specializer/loops/loop_shape.h"
#include "specializer/rounding/place_comparisons.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace specrt {
namespace {

/// Loops with more accesses stay as they are, because each sum is compared with each access.
constexpr size_t MaxAccesses = 16;

/// The bytes [Begin, End), which contain all that an access may touch while the loop runs.
struct Touched {
  const SCEV *Begin, *End;
};

/// A loop with sums in memory.
struct Promotable {
  SmallVector<SumInMemory, 2> Sums;
  /// Pairs of a sum's place and other memory that may overlap as far as alias analysis knows.
  SmallVector<std::pair<Touched, Touched>, 8> Compared;
};

/// Returns the bytes that \p Access touches in \p L; nothing if they are not known before the
/// loop, or if the address does not change by a constant step.
std::optional<Touched> touchedBy(Instruction &Access, const Loop &L, ScalarEvolution &SE) {
  const SCEV *S = SE.getSCEV(getLoadStorePointerOperand(&Access));
  if (!SE.isLoopInvariant(S, &L)) {
    const auto *Recurrence = dyn_cast<SCEVAddRecExpr>(S);
    if (!Recurrence || Recurrence->getLoop() != &L || !Recurrence->isAffine() ||
        !isa<SCEVConstant>(Recurrence->getStepRecurrence(SE)))
      return std::nullopt;
  }
  const SCEV *Taken = backedgesOf(L, SE);
  std::optional<ScalarEvolution::LoopGuards> Unused; // needed only if Taken is not known
  const auto [Begin, End] = getStartAndEndForAccess(&L, S, getLoadStoreType(&Access), Taken, Taken,
                                                    &SE, nullptr, nullptr, nullptr, Unused);
  if (!isKnownBefore(L, Begin, SE) || !isKnownBefore(L, End, SE))
    return std::nullopt;
  return Touched{Begin, End};
}

/// Returns whether \p Phi is a sum whose value \p Store stores in each iteration.
bool isStored(PHINode &Phi, const StoreInst &Store, const Loop &L) {
  return Phi.getIncomingValueForBlock(L.getLoopLatch()) == Store.getValueOperand() &&
         findSum(Phi, L, &Store);
}

/// Finds the sums of one loop that may be kept in registers.
class Finder {
public:
  Finder(const Loop &L, const DominatorTree &DT, ScalarEvolution &SE, AAResults &AA)
      : L(L), DT(DT), SE(SE), AA(AA) {}

  /// Returns the sums at addresses that the loop does not change, with the comparisons that they
  /// need. Returns nothing if there are no such sums, or if touchedBy() fails for an access.
  std::optional<Promotable> find();

private:
  bool collectAccesses();
  void findSums();
  bool mayBeInBlocks(PHINode &Phi) const;
  bool comparePlaces();
  bool isAlways(const Instruction *I) const {
    return DT.dominates(I->getParent(), L.getLoopLatch());
  }

  const Loop &L;
  const DominatorTree &DT;
  ScalarEvolution &SE;
  AAResults &AA;
  SmallVector<LoadInst *> Loads;
  SmallVector<StoreInst *> Stores;
  Promotable Found;
};

/// Returns whether the loop accesses memory by simple loads and stores only, and by few.
bool Finder::collectAccesses() {
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block)
      if (auto *Load = dyn_cast<LoadInst>(&I); Load && Load->isSimple())
        Loads.push_back(Load);
      else if (auto *Store = dyn_cast<StoreInst>(&I); Store && Store->isSimple())
        Stores.push_back(Store);
      else if (I.mayReadOrWriteMemory() || (isa<CallBase>(I) && !isa<IntrinsicInst>(I)))
        return false;
  return Loads.size() + Stores.size() <= MaxAccesses;
}

void Finder::findSums() {
  for (StoreInst *Store : Stores) {
    Value *Place = Store->getPointerOperand();
    if (!L.isLoopInvariant(Place) || !isAlways(Store))
      continue;
    const auto IsOfPlace = [&](const auto *I) { return I->getPointerOperand() == Place; };
    if (count_if(Stores, IsOfPlace) != 1)
      continue;
    const auto *Load = find_if(Loads, IsOfPlace);
    if (Load == Loads.end()) {
      if (any_of(L.getHeader()->phis(), [&](PHINode &Phi) { return isStored(Phi, *Store, L); }))
        Found.Sums.push_back({.Load = nullptr, .Store = Store});
    } else if (count_if(Loads, IsOfPlace) == 1 && isAlways(*Load) && DT.dominates(*Load, Store) &&
               isSumInMemory(**Load, *Store, L)) {
      Found.Sums.push_back({.Load = *Load, .Store = Store});
    }
  }
}

bool Finder::mayBeInBlocks(PHINode &Phi) const {
  return counterOf(Phi, L, SE) || findSum(Phi, L) ||
         any_of(Found.Sums, [&](const SumInMemory &S) { return isStored(Phi, *S.Store, L); });
}

/// Finds the pairs of places that have to be compared: each sum with all accesses that are not its
/// own, unless alias analysis separates them. That analysis sees only what all versions know.
bool Finder::comparePlaces() {
  SmallVector<Instruction *> Accesses(Loads.begin(), Loads.end());
  Accesses.append(Stores.begin(), Stores.end());
  for (const SumInMemory &S : Found.Sums) {
    const std::optional<Touched> Place = touchedBy(*S.Store, L, SE);
    for (Instruction *Other : Accesses) {
      if (Other == S.Load || Other == S.Store ||
          !isModOrRefSet(AA.getModRefInfo(Other, MemoryLocation::get(S.Store))))
        continue;
      const std::optional<Touched> Bytes = touchedBy(*Other, L, SE);
      if (!Place || !Bytes)
        return false;
      Found.Compared.push_back({*Place, *Bytes});
    }
  }
  return true;
}

std::optional<Promotable> Finder::find() {
  const SCEV *Trips = L.isInnermost() ? tripsOf(L, SE) : nullptr;
  if (!Trips || !isKnownBefore(L, Trips, SE) || !L.isSafeToClone() || !collectAccesses())
    return std::nullopt;
  findSums();
  unsigned Lanes = 0;
  for (const SumInMemory &S : Found.Sums)
    Lanes = std::max(Lanes, numLanes(*S.Store->getValueOperand()->getType()));
  if (Found.Sums.empty() || !mayHaveBlocks(*Trips, Lanes) ||
      !all_of(L.getHeader()->phis(), [&](PHINode &Phi) { return mayBeInBlocks(Phi); }) ||
      haveBetterLoops(L, {}, Found.Sums, SE) || !comparePlaces())
    return std::nullopt;
  return std::move(Found);
}

/// Makes the copy of one loop whose sums are in registers.
class Promoter {
public:
  Promoter(Loop &L, const Promotable &What, ScalarEvolution &SE)
      : L(L), What(What), F(*L.getHeader()->getParent()), B(F.getContext()), Expander(SE, "apart"),
        Preheader(L.getLoopPreheader()), Header(L.getHeader()), Latch(L.getLoopLatch()),
        Exit(L.getExitBlock()) {}

  /// Returns the header of the copy.
  BasicBlock *promote();

private:
  BasicBlock *create(const char *Name) {
    return BasicBlock::Create(F.getContext(), Name, &F, Header);
  }
  Value *areApart();
  void keepInRegisters();
  Value *mapped(Value *V) const {
    const auto At = Copies.find(V);
    return At == Copies.end() ? V : &*At->second;
  }

  Loop &L;
  const Promotable &What;
  Function &F;
  IRBuilder<> B;
  SCEVExpander Expander;
  BasicBlock *const Preheader, *const Header, *const Latch, *const Exit;
  BasicBlock *Before = nullptr, *After = nullptr; ///< blocks around the copy
  ValueToValueMapTy Copies;
};

/// Returns an i1 that is true if no access of the loop, except those of the sum, touches the memory
/// of a sum.
Value *Promoter::areApart() {
  Instruction *Here = Preheader->getTerminator();
  const auto Expand = [&](const Touched &Bytes) {
    return ByteRange{.Begin = Expander.expandCodeFor(Bytes.Begin, B.getPtrTy(), Here),
                     .End = Expander.expandCodeFor(Bytes.End, B.getPtrTy(), Here)};
  };
  Value *All = B.getTrue();
  for (const auto &[Place, Other] : What.Compared) {
    const ByteRange X = Expand(Place), Y = Expand(Other);
    B.SetInsertPoint(Here);
    All = B.CreateAnd(All, createComparison(B, X, Y));
  }
  return All;
}

void Promoter::keepInRegisters() {
  auto *Top = cast<BasicBlock>(mapped(Header)), *Bottom = cast<BasicBlock>(mapped(Latch));
  for (const SumInMemory &S : What.Sums) {
    auto *Store = cast<StoreInst>(mapped(S.Store));
    Value *Next = Store->getValueOperand();
    if (S.Load) {
      auto *Load = cast<LoadInst>(mapped(S.Load));
      B.SetInsertPoint(Top, Top->begin());
      PHINode *Phi = B.CreatePHI(Load->getType(), 2, "sum");
      Load->replaceAllUsesWith(Phi);
      Phi->addIncoming(Next, Bottom);
      Load->moveBefore(Before->getTerminator()->getIterator());
      Phi->addIncoming(Load, Before);
    }
    B.SetInsertPoint(After, After->begin());
    PHINode *Result = B.CreatePHI(Next->getType(), 1, "sum.result");
    Result->addIncoming(Next, Bottom);
    Store->moveBefore(After->getTerminator()->getIterator());
    Store->setOperand(0, Result);
  }
}

BasicBlock *Promoter::promote() {
  Instruction *Jump = Preheader->getTerminator();
  B.SetInsertPoint(Jump);
  Value *Apart = areApart();
  Before = create("sum.promoted");
  BasicBlock *Otherwise = create("sum.in.memory");
  After = create("sum.stored");
  Copies[Preheader] = Before;
  Copies[Exit] = After;
  copyLoop(L, F, Copies, /*KeepsLines=*/true);
  B.SetInsertPoint(Before);
  B.CreateBr(cast<BasicBlock>(mapped(Header)));
  B.SetInsertPoint(Otherwise);
  B.CreateBr(Header);
  B.SetInsertPoint(After);
  B.CreateBr(Exit);
  Header->replacePhiUsesWith(Preheader, Otherwise);
  B.SetInsertPoint(Jump);
  B.CreateCondBr(Apart, Before, Otherwise);
  Jump->eraseFromParent();
  // Values that are used after the loop leave the copy through new phis.
  for (PHINode &Phi : Exit->phis()) {
    B.SetInsertPoint(After, After->begin());
    PHINode *Last = B.CreatePHI(Phi.getType(), 1);
    Last->addIncoming(mapped(Phi.getIncomingValueForBlock(Latch)), cast<BasicBlock>(mapped(Latch)));
    Phi.addIncoming(Last, After);
  }
  keepInRegisters();
  return cast<BasicBlock>(mapped(Header));
}

} // namespace

unsigned promoteSums(Function &F, FunctionAnalysisManager &FAM) {
  SmallPtrSet<const BasicBlock *, 8> Seen;
  unsigned NumLoops = 0;
  const auto PromoteOne = [&] {
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    auto &AA = FAM.getResult<AAManager>(F);
    const auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
    for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder()) {
      const std::optional<Promotable> What =
          Seen.insert(L->getHeader()).second ? Finder(*L, DT, SE, AA).find() : std::nullopt;
      if (!What)
        continue;
      Seen.insert(Promoter(*L, *What, SE).promote());
      ++NumLoops;
      return true;
    }
    return false;
  };
  simplifyLoops(F, FAM);
  while (PromoteOne())
    simplifyLoops(F, FAM);
  return NumLoops;
}

} // namespace specrt
