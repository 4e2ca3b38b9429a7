//===- specializer/fast/sum_places.cpp - moves sums from memory to registers ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/fast/sum_places.h"
#include "specializer/fast/sum_chains.h"
#include "specializer/fast/sum_trees.h"
#include "specializer/loops/loop_shape.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace specrt {
namespace {

constexpr const char *ConditionMark = "specrt.sum.apart";

/// Loops with more accesses stay as they are, because each sum is compared with each access.
constexpr size_t MaxAccesses = 16;

/// Loops with fewer constant iterations stay as they are: they have too few blocks (sum_trees.h).
constexpr unsigned MinIterations = 32;

/// The bytes that an access may touch while the loop runs: [First, Last + Size).
struct Touched {
  const SCEV *First, *Last;
  uint64_t Size;
};

/// A loop with sums in memory.
struct Promotable {
  SmallVector<SumInMemory, 2> Sums;
  SmallVector<Touched, 2> Places; ///< memory of the sums
  SmallVector<Touched, 8> Others; ///< memory of all other accesses
};

/// Returns the bytes that \p Access touches in \p L; nothing if its address is not an affine
/// function of the iteration number with a constant step.
std::optional<Touched> touchedBy(Instruction &Access, const Loop &L, ScalarEvolution &SE) {
  const uint64_t Size = Access.getDataLayout().getTypeStoreSize(getLoadStoreType(&Access));
  const SCEV *S = SE.getSCEV(getLoadStorePointerOperand(&Access));
  if (SE.isLoopInvariant(S, &L))
    return Touched{S, S, Size};
  const auto *Recurrence = dyn_cast<SCEVAddRecExpr>(S);
  if (!Recurrence || Recurrence->getLoop() != &L || !Recurrence->isAffine())
    return std::nullopt;
  const auto *Step = dyn_cast<SCEVConstant>(Recurrence->getStepRecurrence(SE));
  if (!Step)
    return std::nullopt;
  const SCEV *Taken =
      SE.getTruncateOrZeroExtend(backedgesOf(L, SE), Recurrence->getStepRecurrence(SE)->getType());
  const SCEV *Begin = Recurrence->getStart();
  const SCEV *End = SE.getAddExpr(Begin, SE.getMulExpr(Taken, Step));
  return Step->getAPInt().isNegative() ? Touched{End, Begin, Size} : Touched{Begin, End, Size};
}

/// Returns whether \p Phi is a sum whose value \p Store stores in each iteration.
bool isStored(PHINode &Phi, const StoreInst &Store, const Loop &L) {
  return Phi.getIncomingValueForBlock(L.getLoopLatch()) == Store.getValueOperand() &&
         findSum(Phi, L, &Store);
}

/// Returns the sums at addresses that \p L does not change, with the bytes of all accesses. Returns
/// nothing if there are no such sums, or if touchedBy() fails for an access.
std::optional<Promotable> findPromotable(const Loop &L, const DominatorTree &DT,
                                         ScalarEvolution &SE) {
  const SCEV *Trips = L.isInnermost() ? tripsOf(L, SE) : nullptr;
  if (!Trips || !isKnownBefore(L, Trips, SE) || !L.isSafeToClone())
    return std::nullopt;
  const auto *Known = dyn_cast<SCEVConstant>(Trips);
  if (Known && Known->getAPInt().ult(MinIterations))
    return std::nullopt;
  SmallVector<LoadInst *> Loads;
  SmallVector<StoreInst *> Stores;
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block)
      if (auto *Load = dyn_cast<LoadInst>(&I))
        Loads.push_back(Load);
      else if (auto *Store = dyn_cast<StoreInst>(&I))
        Stores.push_back(Store);
      else if (I.mayReadOrWriteMemory() || (isa<CallBase>(I) && !isa<IntrinsicInst>(I)))
        return std::nullopt;
  if (Loads.size() + Stores.size() > MaxAccesses)
    return std::nullopt;
  Promotable Found;
  const auto IsAlways = [&](const Instruction *I) {
    return DT.dominates(I->getParent(), L.getLoopLatch());
  };
  for (StoreInst *Store : Stores) {
    Value *Place = Store->getPointerOperand();
    if (!L.isLoopInvariant(Place) || !IsAlways(Store))
      continue;
    const auto IsOfPlace = [&](const auto *I) { return I->getPointerOperand() == Place; };
    if (count_if(Stores, IsOfPlace) != 1)
      continue;
    const auto *Load = find_if(Loads, IsOfPlace);
    if (Load == Loads.end()) {
      if (any_of(L.getHeader()->phis(), [&](PHINode &Phi) { return isStored(Phi, *Store, L); }))
        Found.Sums.push_back({.Load = nullptr, .Store = Store});
    } else if (count_if(Loads, IsOfPlace) == 1 && IsAlways(*Load) && DT.dominates(*Load, Store) &&
               isSumInMemory(**Load, *Store, L)) {
      Found.Sums.push_back({.Load = *Load, .Store = Store});
    }
  }
  const auto MayBeInBlocks = [&](PHINode &Phi) {
    return counterOf(Phi, L, SE) || findSum(Phi, L) ||
           any_of(Found.Sums, [&](const SumInMemory &S) { return isStored(Phi, *S.Store, L); });
  };
  if (Found.Sums.empty() || !all_of(L.getHeader()->phis(), MayBeInBlocks) ||
      haveBetterLoops(L, {}, Found.Sums, SE))
    return std::nullopt;
  const auto Add = [&](Instruction &Access) {
    const std::optional<Touched> Bytes = touchedBy(Access, L, SE);
    if (!Bytes || !isKnownBefore(L, Bytes->First, SE) || !isKnownBefore(L, Bytes->Last, SE))
      return false;
    const auto IsOfSum = [&](const SumInMemory &S) {
      return &Access == S.Load || &Access == S.Store;
    };
    if (none_of(Found.Sums, IsOfSum))
      Found.Others.push_back(*Bytes);
    else if (isa<StoreInst>(Access))
      Found.Places.push_back(*Bytes);
    return true;
  };
  const auto AddSimple = [&](auto *Access) { return Access->isSimple() && Add(*Access); };
  return all_of(Loads, AddSimple) && all_of(Stores, AddSimple) ? std::optional(Found)
                                                               : std::nullopt;
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
  Value *areApart(const Touched &X, const Touched &Y);
  void cloneLoop();
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

Value *Promoter::areApart(const Touched &X, const Touched &Y) {
  Instruction *Here = Preheader->getTerminator();
  const auto Expand = [&](const SCEV *S) { return Expander.expandCodeFor(S, B.getPtrTy(), Here); };
  const auto EndsBefore = [&](const Touched &First, const Touched &Second) {
    Value *Last = Expand(First.Last), *Begin = Expand(Second.First);
    B.SetInsertPoint(Here);
    return B.CreateICmpULE(B.CreatePtrAdd(Last, B.getInt64(First.Size)), Begin);
  };
  Value *IsFirst = EndsBefore(X, Y);
  Value *IsSecond = EndsBefore(Y, X);
  return B.CreateOr(IsFirst, IsSecond);
}

/// Returns an i1 that is true if no access of the loop, except those of the sum, touches the memory
/// of a sum.
Value *Promoter::areApart() {
  Value *All = B.getTrue();
  for (auto [I, Place] : enumerate(What.Places)) {
    for (const Touched &Other : What.Others)
      All = B.CreateAnd(All, areApart(Place, Other));
    for (const Touched &Other : ArrayRef(What.Places).drop_front(I + 1))
      All = B.CreateAnd(All, areApart(Place, Other));
  }
  return All;
}

void Promoter::cloneLoop() {
  SmallVector<MDNode *, 4> Scopes;
  identifyNoAliasScopesToClone(L.getBlocks(), Scopes);
  SmallVector<BasicBlock *, 8> Blocks;
  Copies[Preheader] = Before;
  Copies[Exit] = After;
  for (BasicBlock *Block : L.blocks()) {
    BasicBlock *Copy = CloneBasicBlock(Block, Copies, ".register", &F);
    Copy->moveBefore(Header);
    Copies[Block] = Copy;
    Blocks.push_back(Copy);
  }
  remapInstructionsInBlocks(Blocks, Copies);
  cloneAndAdaptNoAliasScopes(Scopes, Blocks, F.getContext(), "register");
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
  cloneLoop();
  B.SetInsertPoint(Before);
  B.CreateBr(cast<BasicBlock>(mapped(Header)));
  B.SetInsertPoint(Otherwise);
  B.CreateBr(Header);
  B.SetInsertPoint(After);
  B.CreateBr(Exit);
  Header->replacePhiUsesWith(Preheader, Otherwise);
  B.SetInsertPoint(Jump);
  B.CreateCondBr(Apart, Before, Otherwise)
      ->setMetadata(ConditionMark, MDNode::get(F.getContext(), {}));
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

SmallVector<Instruction *> accessesOf(const Loop &L) {
  SmallVector<Instruction *> Accesses;
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block)
      if (I.mayReadOrWriteMemory())
        Accesses.push_back(&I);
  return Accesses;
}

const StoreInst *asStoreOfSum(const Instruction *I, const Loop &L) {
  const auto *Store = dyn_cast<StoreInst>(I);
  return Store && L.isLoopInvariant(Store->getPointerOperand()) ? Store : nullptr;
}

/// Returns the loop with sums in memory that \p Condition enters through its successor \p Number;
/// null if there is none.
const Loop *loopBehind(const BranchInst &Condition, unsigned Number, const LoopInfo &LI) {
  const BasicBlock *Block = Condition.getSuccessor(Number);
  if (const BasicBlock *Next = Block->getSingleSuccessor(); Next && !LI.isLoopHeader(Block))
    Block = Next;
  const Loop *L = LI.isLoopHeader(Block) ? LI.getLoopFor(Block) : nullptr;
  return L && !L->contains(Condition.getParent()) &&
                 any_of(accessesOf(*L),
                        [&](const Instruction *I) { return asStoreOfSum(I, *L) != nullptr; })
             ? L
             : nullptr;
}

/// Returns whether no other access of \p L can touch a sum.
bool isApart(const Loop &L, AAResults &AA) {
  const SmallVector<Instruction *> Accesses = accessesOf(L);
  return all_of(Accesses, [&](const Instruction *I) {
    const StoreInst *Store = asStoreOfSum(I, L);
    return !Store || all_of(Accesses, [&](const Instruction *Other) {
      return getLoadStorePointerOperand(Other) == Store->getPointerOperand() ||
             !isModOrRefSet(AA.getModRefInfo(Other, MemoryLocation::get(Store)));
    });
  });
}

} // namespace

unsigned promoteSums(Function &F, FunctionAnalysisManager &FAM) {
  SmallPtrSet<const BasicBlock *, 8> Seen;
  unsigned NumLoops = 0;
  const auto PromoteOne = [&] {
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    const auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
    for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder()) {
      const std::optional<Promotable> What =
          Seen.insert(L->getHeader()).second ? findPromotable(*L, DT, SE) : std::nullopt;
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

unsigned decidePromotions(Function &F, FunctionAnalysisManager &FAM) {
  SmallVector<std::pair<BranchInst *, unsigned>> Decided;
  for (BasicBlock &Block : F) {
    auto *Condition = dyn_cast<BranchInst>(Block.getTerminator());
    if (!Condition || !Condition->isConditional() || !Condition->hasMetadata(ConditionMark))
      continue;
    // Passes may have swapped the successors.
    for (const unsigned Number : {0u, 1u})
      if (const Loop *L = loopBehind(*Condition, Number, FAM.getResult<LoopAnalysis>(F));
          L && isApart(*L, FAM.getResult<AAManager>(F)))
        Decided.push_back({Condition, Number});
  }
  for (auto [Condition, Loop] : Decided)
    Condition->setCondition(ConstantInt::get(Type::getInt1Ty(F.getContext()), Loop));
  return unsigned(Decided.size());
}

} // namespace specrt
