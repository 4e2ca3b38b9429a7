//===- specializer/sparse/loops/jammed_loops.cpp - jams loops of a row into one -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/loops/jammed_loops.h"
#include "specializer/loops/loop_copy.h"
#include "specializer/loops/loop_shape.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace specrt {
namespace {

/// The address, Start + i * Step in iteration i, of all accesses through a base.
struct JamPlace {
  unsigned Base = 0;
  const SCEV *Start = nullptr, *Step = nullptr;

  bool operator==(const JamPlace &) const = default;
};

/// Common properties of the loops of a jam.
struct Jam {
  const SCEV *BackedgeTaken;
  SmallVector<JamPlace> Written; ///< sorted by base

  bool operator==(const Jam &) const = default;
};

class JamFinder {
public:
  JamFinder(const RowLoop &Rows, ScalarEvolution &SE) : Rows(Rows), SE(SE) {}

  /// Returns nothing if the loop cannot be jammed.
  std::optional<Jam> find(const Loop &Inner);

private:
  bool counts(const Loop &Inner);
  std::optional<JamPlace> placeOf(const Instruction &Access, const Loop &Inner);

  const RowLoop &Rows;
  ScalarEvolution &SE;
};

/// Returns whether the loop only carries counters, and leaves no values.
bool JamFinder::counts(const Loop &Inner) {
  for (PHINode &Phi : Inner.getHeader()->phis())
    if (!counterOf(Phi, Inner, SE))
      return false;
  for (const Instruction &I : *Inner.getHeader())
    for (const User *U : I.users())
      if (!Inner.contains(cast<Instruction>(U)))
        return false;
  return true;
}

/// Returns the place of \p Access if it differs in each iteration of \p Inner, and is the same
/// whenever a row executes the loop.
std::optional<JamPlace> JamFinder::placeOf(const Instruction &Access, const Loop &Inner) {
  const auto *Place = dyn_cast<SCEVAddRecExpr>(
      SE.getSCEV(const_cast<Value *>(getLoadStorePointerOperand(&Access))));
  if (!Place || Place->getLoop() != &Inner || !Place->isAffine())
    return std::nullopt;
  const auto *By = dyn_cast<SCEVConstant>(Place->getStepRecurrence(SE));
  const uint64_t Bytes = Access.getDataLayout().getTypeStoreSize(getLoadStoreType(&Access));
  if (!By || By->getAPInt().abs().ult(Bytes))
    return std::nullopt;
  const SCEV *Start = Place->getStart();
  for (const Loop *Around = Inner.getParentLoop(); Around != Rows.L;
       Around = Around->getParentLoop())
    if (!SE.isLoopInvariant(Start, Around))
      return std::nullopt;
  return JamPlace{.Base = Rows.BaseOf.lookup(&Access), .Start = Start, .Step = By};
}

std::optional<Jam> JamFinder::find(const Loop &Inner) {
  if (Inner.getHeader() != Inner.getLoopLatch() || !counts(Inner))
    return std::nullopt;
  Jam Found = {.BackedgeTaken = backedgesOf(Inner, SE), .Written = {}};
  if (!Found.BackedgeTaken || !SE.isLoopInvariant(Found.BackedgeTaken, Rows.L))
    return std::nullopt;
  for (const Instruction &I : *Inner.getHeader()) {
    if (isa<CallBase>(I) && !isOnlySaid(I) && I.mayReadOrWriteMemory())
      return std::nullopt;
    const auto Of = Rows.BaseOf.find(&I);
    if (Of == Rows.BaseOf.end() || !(Rows.Bases[Of->second].Flags & SPECRT_ROWS_WRITTEN))
      continue;
    const std::optional<JamPlace> Place = placeOf(I, Inner);
    if (!Place)
      return std::nullopt;
    const auto Known =
        find_if(Found.Written, [&](const JamPlace &W) { return W.Base == Place->Base; });
    if (Known == Found.Written.end())
      Found.Written.push_back(*Place);
    else if (*Known != *Place)
      return std::nullopt;
  }
  sort(Found.Written, [](const JamPlace &X, const JamPlace &Y) { return X.Base < Y.Base; });
  return Found.Written.empty() ? std::nullopt : std::optional(Found);
}

} // namespace

void findJams(RowLoop &Rows, const LoopInfo &LI, ScalarEvolution &SE) {
  if (!Rows.ReportingErrors.empty() || Rows.hasNotes())
    return;
  std::vector<Jam> Known;
  for (const BasicBlock *BB : Rows.L->blocks()) {
    const Loop *Inner = LI.getLoopFor(BB);
    if (Inner->getHeader() != BB || !Rows.Opaque.contains(Inner))
      continue;
    const std::optional<Jam> Of = JamFinder(Rows, SE).find(*Inner);
    if (!Of)
      continue;
    const auto At = llvm::find(Known, *Of);
    Rows.Jams[Inner] = unsigned(At - Known.begin());
    if (At == Known.end())
      Known.push_back(*Of);
  }
}

void JammedLoop::add(const Loop &Inner, function_ref<Value *(Value *)> Of) {
  Part &New = Parts.emplace_back();
  New.Inner = &Inner;
  const auto Add = [&](Value *V) {
    if (const auto *I = dyn_cast<Instruction>(V); I && Inner.contains(I))
      return;
    if (Value *Now = Of(V))
      New.Outer[V] = Now;
  };
  for (const Instruction &I : *Inner.getHeader()) {
    if (const auto *Phi = dyn_cast<PHINode>(&I))
      Add(Phi->getIncomingValueForBlock(Inner.getLoopPreheader()));
    else
      for_each(I.operands(), [&](const Use &U) {
        if (!isa<BasicBlock>(U))
          Add(U);
      });
  }
}

void JammedLoop::build(IRBuilderBase &B) const {
  BasicBlock *Before = B.GetInsertBlock();
  Function &F = *Before->getParent();
  auto *Body = BasicBlock::Create(F.getContext(), "jam", &F);
  auto *After = BasicBlock::Create(F.getContext(), "jam.end", &F);
  B.CreateBr(Body);
  SmallVector<std::pair<PHINode *, Value *>> Counters; // with their next values
  std::vector<std::unique_ptr<ValueToValueMapTy>> Maps;
  for (const Part &P : Parts) {
    auto &Map = *Maps.emplace_back(std::make_unique<ValueToValueMapTy>());
    for (const auto &[V, Now] : P.Outer)
      Map[V] = Now;
    B.SetInsertPoint(Body, Body->getFirstNonPHIIt());
    for (const PHINode &Phi : P.Inner->getHeader()->phis()) {
      Value *Start = Phi.getIncomingValueForBlock(P.Inner->getLoopPreheader());
      PHINode *Copy = B.CreatePHI(Phi.getType(), 2);
      Copy->addIncoming(MapValue(Start, Map, RF_IgnoreMissingLocals), Before);
      Map[&Phi] = Copy;
      Counters.emplace_back(Copy, Phi.getIncomingValueForBlock(P.Inner->getLoopLatch()));
    }
  }
  B.SetInsertPoint(Body);
  size_t Counter = 0;
  for (auto [P, Map] : zip_equal(Parts, Maps)) {
    const BasicBlock &Header = *P.Inner->getHeader();
    for (const Instruction &I : Header) {
      if (isa<PHINode>(I) || I.isTerminator() || isOnlySaid(I))
        continue;
      Instruction *Copy = I.clone();
      Copy->setDebugLoc({});
      B.Insert(Copy);
      (*Map)[&I] = Copy;
      RemapInstruction(Copy, *Map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    }
    for ([[maybe_unused]] const PHINode &Phi : Header.phis()) {
      auto &[Copy, Next] = Counters[Counter++];
      Copy->addIncoming(MapValue(Next, *Map, RF_IgnoreMissingLocals), Body);
    }
  }
  // All of them end in the same iteration.
  const auto &Branch = cast<BranchInst>(*Parts.front().Inner->getLoopLatch()->getTerminator());
  Value *Condition = MapValue(Branch.getCondition(), *Maps.front(), RF_IgnoreMissingLocals);
  const bool StaysOnTrue = Branch.getSuccessor(0) == Parts.front().Inner->getHeader();
  B.CreateCondBr(Condition, StaysOnTrue ? Body : After, StaysOnTrue ? After : Body);
  B.SetInsertPoint(After);
}

} // namespace specrt
