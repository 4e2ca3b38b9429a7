//===- specializer/polyhedral/model/reload_scalars.cpp - turns forwarded values into loads -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/model/reload_scalars.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/MemorySSAUpdater.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace specrt {
namespace {

constexpr unsigned MaxWeb = 16; ///< phis that feed each other

/// Phis that feed each other, and the place in memory whose contents they equal.
struct Web {
  SmallSetVector<PHINode *, 8> Phis;
  const SCEV *Address = nullptr;
  Instruction *Access = nullptr; ///< some load or store of the place
  Align Alignment;               ///< common alignment of all loads and stores of the values
  AAMDNodes Aliasing;
};

class Finder {
public:
  Finder(Function &F, FunctionAnalysisManager &FAM)
      : SE(FAM.getResult<ScalarEvolutionAnalysis>(F)), DT(FAM.getResult<DominatorTreeAnalysis>(F)),
        LI(FAM.getResult<LoopAnalysis>(F)), Memory(FAM.getResult<MemorySSAAnalysis>(F).getMSSA()) {}

  /// Returns the web of \p Start, or one without an address.
  Web find(PHINode &Start) {
    Web W;
    if (!collect(Start, W))
      return W;
    for (auto [Access, Pointer] : accesses(W)) {
      W.Address = SE.getSCEV(Pointer);
      W.Access = Access;
      W.Alignment = getLoadStoreAlignment(Access);
      W.Aliasing = Access->getAAMetadata();
      if (isEverywhereInMemory(W) && isAvailable(W))
        return W;
    }
    W.Address = nullptr;
    return W;
  }

private:
  bool collect(PHINode &Start, Web &W) {
    SmallVector<PHINode *, 8> Work = {&Start};
    while (!Work.empty()) {
      PHINode *Phi = Work.pop_back_val();
      if (!W.Phis.insert(Phi))
        continue;
      if (W.Phis.size() > MaxWeb)
        return false;
      for (Value *Incoming : Phi->incoming_values())
        if (auto *Other = dyn_cast<PHINode>(Incoming))
          Work.push_back(Other);
    }
    return true;
  }

  using AccessAndPointer = std::pair<Instruction *, Value *>;

  /// Returns the loads among the values, and the stores of them.
  static SmallVector<AccessAndPointer, 8> accesses(const Web &W) {
    SmallVector<AccessAndPointer, 8> Result;
    for (PHINode *Phi : W.Phis)
      for (Value *Leaf : Phi->incoming_values()) {
        if (isa<PHINode>(Leaf) || isa<Constant>(Leaf))
          continue;
        if (auto *Load = dyn_cast<LoadInst>(Leaf); Load && Load->isSimple())
          Result.push_back({Load, Load->getPointerOperand()});
        for (User *U : Leaf->users())
          if (auto *Store = dyn_cast<StoreInst>(U);
              Store && Store->getValueOperand() == Leaf && Store->isSimple())
            Result.push_back({Store, Store->getPointerOperand()});
      }
    return Result;
  }

  MemoryLocation location(const Web &W) { return MemoryLocation::get(W.Access); }

  /// Returns the last access that may have written the place before the end of \p Block.
  MemoryAccess *writerAtEnd(const BasicBlock *Block, const Web &W) {
    return clobber(stateAtEnd(Block), W);
  }

  MemoryAccess *clobber(MemoryAccess *State, const Web &W) {
    return Memory.getWalker()->getClobberingMemoryAccess(State, location(W));
  }

  /// Returns the memory state at the end of \p Block.
  MemoryAccess *stateAtEnd(const BasicBlock *Block) {
    for (auto *Node = DT.getNode(const_cast<BasicBlock *>(Block)); Node; Node = Node->getIDom()) {
      if (auto *Defs = Memory.getBlockDefs(Node->getBlock()))
        return const_cast<MemoryAccess *>(&*Defs->rbegin());
    }
    return Memory.getLiveOnEntryDef();
  }

  MemoryAccess *stateAtBegin(const BasicBlock *Block) {
    if (MemoryPhi *Phi = Memory.getMemoryAccess(Block))
      return Phi;
    auto *Dominator = DT.getNode(const_cast<BasicBlock *>(Block))->getIDom();
    return Dominator ? stateAtEnd(Dominator->getBlock()) : Memory.getLiveOnEntryDef();
  }

  bool isSameAddress(Value *Pointer, const Web &W, const BasicBlock *Block) {
    const SCEV *Address = SE.getSCEV(Pointer);
    return Address == W.Address || Address == addressWhere(Block, W.Address);
  }

  /// Returns \p Address in a block that is only entered if a counter has a certain value, for which
  /// LLVM substitutes the counter.
  const SCEV *addressWhere(const BasicBlock *Block, const SCEV *Address) {
    const BasicBlock *From = Block->getSinglePredecessor();
    auto *Branch = From ? dyn_cast<BranchInst>(From->getTerminator()) : nullptr;
    auto *Compare =
        Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
    if (!Compare || !Compare->isEquality() || Branch->getSuccessor(0) == Branch->getSuccessor(1))
      return nullptr;
    bool IsEqual =
        (Branch->getSuccessor(0) == Block) == (Compare->getPredicate() == CmpInst::ICMP_EQ);
    auto *Counter = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Compare->getOperand(0)));
    auto *Recurrence = dyn_cast<SCEVAddRecExpr>(Address);
    if (!IsEqual || !Counter || !Recurrence || Counter->getLoop() != Recurrence->getLoop() ||
        !Counter->isAffine() || !Counter->getStepRecurrence(SE)->isOne())
      return nullptr;
    const SCEV *Value = SE.getSCEV(Compare->getOperand(1));
    if (!SE.isLoopInvariant(Value, Counter->getLoop()))
      return nullptr;
    return Recurrence->evaluateAtIteration(SE.getMinusSCEV(Value, Counter->getStart()), SE);
  }

  /// Records that \p Access accesses the place on a path to the phis.
  static bool add(const Instruction &Access, Web &W) {
    W.Alignment = std::min(W.Alignment, getLoadStoreAlignment(&Access));
    W.Aliasing = W.Aliasing.merge(Access.getAAMetadata());
    return true;
  }

  /// Returns whether the place holds \p Leaf at the end of \p Block.
  bool holds(Value *Leaf, const BasicBlock *Block, Web &W) {
    MemoryAccess *Writer = writerAtEnd(Block, W);
    if (auto *Definition = dyn_cast<MemoryDef>(Writer))
      if (auto *Store = dyn_cast_or_null<StoreInst>(Definition->getMemoryInst()))
        if (Store->isSimple() && Store->getValueOperand() == Leaf &&
            isSameAddress(Store->getPointerOperand(), W, Block))
          return add(*Store, W);
    auto *Load = dyn_cast<LoadInst>(Leaf);
    return Load && Load->isSimple() && isSameAddress(Load->getPointerOperand(), W, Block) &&
           clobber(Memory.getMemoryAccess(Load)->getDefiningAccess(), W) == Writer && add(*Load, W);
  }

  bool isEverywhereInMemory(Web &W) {
    for (PHINode *Phi : W.Phis)
      if (!isFixed(W.Address, *Phi))
        return false;
    for (PHINode *Phi : W.Phis)
      for (auto [Block, Incoming] : zip(Phi->blocks(), Phi->incoming_values())) {
        if (auto *Other = dyn_cast<PHINode>(Incoming)) {
          if (writerAtEnd(Block, W) != clobber(stateAtBegin(Other->getParent()), W))
            return false;
        } else if (!holds(Incoming, Block, W)) {
          return false;
        }
      }
    return true;
  }

  /// Returns whether the address can be computed at every phi.
  bool isAvailable(const Web &W) {
    SCEVExpander Expander(SE, "reload");
    for (PHINode *Phi : W.Phis)
      if (!Expander.isSafeToExpandAt(W.Address, &*Phi->getParent()->getFirstInsertionPt()))
        return false;
    return true;
  }

  /// Returns whether the place is the same for all incoming values of \p Phi.
  bool isFixed(const SCEV *Address, const PHINode &Phi) {
    const Loop *Inside = LI.getLoopFor(Phi.getParent());
    // Only a header's phi carries values from one iteration to the next.
    if (LI.isLoopHeader(Phi.getParent()) && !SE.isLoopInvariant(Address, Inside))
      return false;
    return !SCEVExprContains(Address, [&](const SCEV *S) {
      auto *Recurrence = dyn_cast<SCEVAddRecExpr>(S);
      return Recurrence && !Recurrence->getLoop()->contains(Inside);
    });
  }

  ScalarEvolution &SE;
  DominatorTree &DT;
  LoopInfo &LI;
  MemorySSA &Memory;
};

bool isCandidate(PHINode &Phi, ScalarEvolution &SE) {
  Type *T = Phi.getType();
  if (T->isDoubleTy() || T->isFloatTy())
    return true;
  // Excludes counters.
  return T->isIntegerTy() && T->getIntegerBitWidth() >= 8 &&
         isPowerOf2_32(T->getIntegerBitWidth()) && isa<SCEVUnknown>(SE.getSCEV(&Phi));
}

/// Replaces the phis by loads. Analyses stay valid, because no writes are added.
void reload(const Web &W, ScalarEvolution &SE, MemorySSAUpdater &Memory) {
  Type *T = W.Phis.front()->getType();
  SCEVExpander Expander(SE, "reload");
  for (PHINode *Phi : W.Phis) {
    Instruction *At = &*Phi->getParent()->getFirstInsertionPt();
    Value *Pointer = Expander.expandCodeFor(W.Address, nullptr, At->getIterator());
    auto *Load = new LoadInst(T, Pointer, "", /*isVolatile=*/false, W.Alignment, At->getIterator());
    Load->setAAMetadata(W.Aliasing);
    Load->setDebugLoc(Phi->getDebugLoc());
    Memory.insertUse(cast<MemoryUse>(
        Memory.createMemoryAccessInBB(Load, nullptr, Load->getParent(), MemorySSA::Beginning)));
    SE.forgetValue(Phi);
    Phi->replaceAllUsesWith(Load);
  }
  for (PHINode *Phi : W.Phis)
    Phi->eraseFromParent();
}

/// Creates exit phis for values that are used after their loop.
void formExitPhis(Function &F, FunctionAnalysisManager &FAM, const PreservedAnalyses &Preserved) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  bool Changed = false;
  for (Loop *L : LI)
    Changed |= formLCSSARecursively(*L, DT, &LI, &SE);
  if (Changed)
    FAM.invalidate(F, Preserved);
}

} // namespace

unsigned reloadScalars(Function &F, FunctionAnalysisManager &FAM, function_ref<bool()> Expired) {
  PreservedAnalyses Preserved;
  Preserved.preserveSet<CFGAnalyses>();
  formExitPhis(F, FAM, Preserved);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  SmallVector<WeakVH, 16> Candidates;
  for (BasicBlock &Block : F)
    for (PHINode &Phi : Block.phis())
      if (isCandidate(Phi, SE))
        Candidates.push_back(&Phi);
  if (Candidates.empty())
    return 0;
  MemorySSAUpdater Memory(&FAM.getResult<MemorySSAAnalysis>(F).getMSSA());
  Finder Find(F, FAM);
  unsigned Count = 0;
  for (WeakVH &Candidate : Candidates) {
    if (Expired && Expired())
      break;
    // Deleted as part of another phi's web.
    if (!Candidate)
      continue;
    Web W = Find.find(*cast<PHINode>(&*Candidate));
    if (!W.Address)
      continue;
    Count += W.Phis.size();
    reload(W, SE, Memory);
  }
  if (Count)
    FAM.invalidate(F, Preserved);
  return Count;
}

} // namespace specrt
