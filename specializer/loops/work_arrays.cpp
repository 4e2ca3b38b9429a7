//===- specializer/loops/work_arrays.cpp - arrays that each iteration writes anew ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/work_arrays.h"
#include "analysis/memory/linear_form.h"
#include "specializer/loops/loop_shape.h"
#include "specializer/polyhedral/storage/expand_storage.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include <algorithm>
#include <deque>

using namespace llvm;

namespace specrt {
namespace {

/// Limits the time of the proof to some milliseconds.
constexpr unsigned MaxSteps = 1 << 20;

/// One iteration of a loop, executed on the sets of bytes of one array.
class AbstractIteration {
public:
  AbstractIteration(const Loop &L, const Value &Base, FunctionAnalysisManager &FAM)
      : L(L), Base(Base), SE(FAM.getResult<ScalarEvolutionAnalysis>(function())),
        LI(FAM.getResult<LoopAnalysis>(function())),
        DT(FAM.getResult<DominatorTreeAnalysis>(function())) {}

  /// Returns false if \p Accesses or the loops around them cannot be executed.
  bool prepare(ArrayRef<ArrayAccess> Accesses);
  /// Returns whether each byte is written before it is read, and whether all iterations of the loop
  /// certainly write the same bytes.
  bool run() { return execute(Bodies.front(), /*IsCertain=*/true) && !May.test(Certain); }
  const BitVector &written() const { return Certain; }

private:
  /// A constant plus multiples of the iteration numbers of loops in L, from the outermost one.
  struct Expression {
    int64_t Constant = 0;
    SmallVector<int64_t, 4> Factors;
  };
  struct Body;
  /// An access or a loop. It is certain if each iteration around it executes it.
  struct Step {
    Expression Offset;
    uint64_t Bytes = 0;
    bool IsWrite = false;
    const Body *Inner = nullptr;
    bool IsCertain = false;
  };
  struct Body {
    unsigned Depth;                 ///< loops around it in L
    std::optional<Expression> Last; ///< the number of the last iteration
    bool Varies;                    ///< iterations access different bytes
    SmallVector<Step, 0> Steps;
  };

  Function &function() const { return *L.getHeader()->getParent(); }
  std::optional<Expression> expressionOf(const SCEV *S, const SCEV *Pointer) const;
  bool addLoop(const Loop &Inner);
  bool addAccess(const ArrayAccess &Access, Body &To);
  static bool dependsOn(const Body &Of, unsigned Depth);
  int64_t valueOf(const Expression &Of) const;
  bool execute(const Body &Of, bool IsCertain);
  bool execute(const Step &Of, bool IsCertain);

  const Loop &L;
  const Value &Base;
  ScalarEvolution &SE;
  const LoopInfo &LI;
  const DominatorTree &DT;
  std::deque<Body> Bodies; ///< that of L comes first
  DenseMap<const Loop *, Body *> BodyOf;
  SmallVector<int64_t, 4> Iterations; ///< [depth] of the loops in L that are being executed
  BitVector Certain, May;             ///< bytes that are written so far
  unsigned NumSteps = 0;
};

std::optional<AbstractIteration::Expression>
AbstractIteration::expressionOf(const SCEV *S, const SCEV *Pointer) const {
  LinearForm Form;
  SmallVector<const SCEV *, 2> Others;
  if (!splitAffine(S, Form, Others) || !Form.isBelow(MaxOffset) ||
      (Pointer ? Others.size() != 1 || Others.front() != Pointer : !Others.empty()))
    return std::nullopt;
  Expression New{.Constant = Form.Constant, .Factors = {}};
  for (const Loop *Varying : Form.loops()) {
    if (Varying == &L || !L.contains(Varying))
      return std::nullopt;
    const unsigned Depth = Varying->getLoopDepth() - L.getLoopDepth() - 1;
    if (New.Factors.size() <= Depth)
      New.Factors.resize(Depth + 1);
    New.Factors[Depth] = Form.factor(Varying);
  }
  return New;
}

/// Adds a body for \p Inner to that of the loop around it.
bool AbstractIteration::addLoop(const Loop &Inner) {
  const Loop *Outer = Inner.getParentLoop();
  const SCEV *Count = backedgesOf(Inner, SE);
  if (!Count || SE.getTypeSizeInBits(Count->getType()) != 64)
    return false;
  Bodies.push_back({.Depth = Inner.getLoopDepth() - L.getLoopDepth() - 1,
                    .Last = expressionOf(Count, nullptr),
                    .Varies = true,
                    .Steps = {}});
  Body &New = Bodies.back();
  BodyOf[&Inner] = &New;
  BodyOf.lookup(Outer)->Steps.push_back(
      {.Offset = {},
       .Inner = &New,
       .IsCertain = DT.dominates(Inner.getHeader(), Outer->getLoopLatch())});
  return true;
}

bool AbstractIteration::addAccess(const ArrayAccess &Access, Body &To) {
  const std::optional<Expression> Offset =
      expressionOf(Access.Address, SE.getUnknown(const_cast<Value *>(&Base)));
  if (!Offset)
    return false;
  const BasicBlock *BB = Access.I->getParent();
  To.Steps.push_back({.Offset = *Offset,
                      .Bytes = Access.Bytes,
                      .IsWrite = Access.IsWrite,
                      .IsCertain = DT.dominates(BB, LI.getLoopFor(BB)->getLoopLatch())});
  return true;
}

/// Returns whether something in \p Of depends on the number of the loop at \p Depth.
bool AbstractIteration::dependsOn(const Body &Of, unsigned Depth) {
  const auto Has = [&](const Expression &E) {
    return E.Factors.size() > Depth && E.Factors[Depth] != 0;
  };
  return any_of(Of.Steps, [&](const Step &S) {
    return S.Inner ? (S.Inner->Last && Has(*S.Inner->Last)) || dependsOn(*S.Inner, Depth)
                   : Has(S.Offset);
  });
}

bool AbstractIteration::prepare(ArrayRef<ArrayAccess> Accesses) {
  MapVector<const Instruction *, SmallVector<const ArrayAccess *, 2>> By;
  SmallPtrSet<const Loop *, 8> Around;
  for (const ArrayAccess &Each : Accesses) {
    By[Each.I].push_back(&Each);
    for (const Loop *In = LI.getLoopFor(Each.I->getParent()); In != &L; In = In->getParentLoop())
      Around.insert(In);
  }
  Bodies.push_back({.Depth = 0, .Last = {}, .Varies = false, .Steps = {}});
  BodyOf[&L] = &Bodies.front();
  LoopBlocksRPO Order(const_cast<Loop *>(&L));
  Order.perform(&LI);
  for (const BasicBlock *BB : Order) {
    const Loop *In = LI.getLoopFor(BB);
    if (In != &L && !Around.contains(In))
      continue;
    if (In != &L && In->getHeader() == BB && !addLoop(*In))
      return false;
    for (const Instruction &I : *BB) {
      auto Here = By.lookup(&I);
      // A copy reads before it writes.
      llvm::stable_sort(
          Here, [](const ArrayAccess *A, const ArrayAccess *B) { return A->IsWrite < B->IsWrite; });
      for (const ArrayAccess *Each : Here)
        if (!addAccess(*Each, *BodyOf.lookup(In)))
          return false;
    }
  }
  unsigned Deepest = 0;
  for (Body &Each : drop_begin(Bodies)) {
    Each.Varies = dependsOn(Each, Each.Depth);
    if (Each.Varies && !Each.Last)
      return false;
    Deepest = std::max(Deepest, Each.Depth + 1);
  }
  Iterations.assign(Deepest, 0);
  return true;
}

int64_t AbstractIteration::valueOf(const Expression &Of) const {
  int64_t Sum = Of.Constant;
  for (auto [Factor, Iteration] : zip(Of.Factors, Iterations))
    Sum += Factor * Iteration;
  return Sum;
}

bool AbstractIteration::execute(const Step &Of, bool IsCertain) {
  if (++NumSteps > MaxSteps)
    return false;
  if (Of.Inner)
    return execute(*Of.Inner, IsCertain);
  const int64_t Begin = valueOf(Of.Offset);
  const int64_t End = Begin + int64_t(Of.Bytes);
  if (Begin < 0 || End > MaxExpandedBytes)
    return false;
  if (size_t(End) > Certain.size()) {
    Certain.resize(unsigned(End));
    May.resize(unsigned(End));
  }
  if (!Of.IsWrite)
    return Begin == End || Certain.find_first_unset_in(unsigned(Begin), unsigned(End)) < 0;
  (IsCertain ? Certain : May).set(unsigned(Begin), unsigned(End));
  return true;
}

bool AbstractIteration::execute(const Body &Of, bool IsCertain) {
  // All iterations of some loops access the same bytes. Later ones find what the first one wrote.
  const int64_t Last = Of.Varies ? valueOf(*Of.Last) : 0;
  if (Last < 0) // A condition keeps the program from this loop, which would never end.
    return !IsCertain;
  for (int64_t I = 0; I <= Last; ++I) {
    if (&Of != &Bodies.front())
      Iterations[Of.Depth] = I;
    for (const Step &Each : Of.Steps)
      if (!execute(Each, IsCertain && Each.IsCertain))
        return false;
  }
  return true;
}

/// Returns whether \p L uses addresses in the array only to access it.
bool isOnlyAccessed(const Value &Base, const Loop &L) {
  const auto IsInArray = [&](const Value *V) {
    return V->getType()->isPointerTy() && getUnderlyingObject(V, /*MaxLookup=*/0) == &Base;
  };
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB) {
      const auto *Store = dyn_cast<StoreInst>(&I);
      if (Store ? IsInArray(Store->getValueOperand())
                : !isa<LoadInst, GetElementPtrInst, PHINode, ICmpInst, MemIntrinsic,
                       LifetimeIntrinsic>(I) &&
                      any_of(I.operands(), [&](const Use &U) { return IsInArray(U.get()); }))
        return false;
    }
  return true;
}

} // namespace

std::optional<WorkArray> workArrayAt(Value &Base, ArrayRef<ArrayAccess> Accesses, const Loop &L,
                                     FunctionAnalysisManager &FAM) {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(*L.getHeader()->getParent());
  const SCEV *Count = backedgesOf(L, SE);
  const auto *Last = Count ? dyn_cast<SCEVConstant>(Count) : nullptr;
  if (!Last || !Last->getAPInt().isIntN(32) || !isOnlyAccessed(Base, L))
    return std::nullopt;
  AbstractIteration Any(L, Base, FAM);
  if (!Any.prepare(Accesses) || !Any.run())
    return std::nullopt;
  const int First = Any.written().find_first();
  if (First < 0)
    return std::nullopt;
  return WorkArray{&Base, uint64_t(First), uint64_t(Any.written().find_last() + 1 - First),
                   int64_t(Last->getAPInt().getZExtValue())};
}

} // namespace specrt
