//===- specializer/sparse/loops/row_linearity.cpp - proves that rows predict others -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/loops/row_linearity.h"
#include "specializer/sparse/loops/row_loop.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace specrt {
namespace {

/// How a value is linear: modulo its width, and in 64 bits when sign- or zero-extended. For 64-bit
/// values these are the same.
enum : uint8_t { Nothing = 0, Modular = 1, Signed = 2 | Modular, Unsigned = 4 | Modular, All = 7 };

bool isSigned(uint8_t Of) { return (Of & Signed) == Signed; }
bool isUnsigned(uint8_t Of) { return (Of & Unsigned) == Unsigned; }
/// Returns the kinds in \p Of that an operation's flags preserve.
uint8_t kept(uint8_t Of, bool AsSigned, bool AsUnsigned) {
  return Of & (Modular | (AsSigned ? Signed : Nothing) | (AsUnsigned ? Unsigned : Nothing));
}

/// Limit on the step of inner counters, so that rows with all trip counts that a trace can have are
/// far from a 64-bit wrap.
constexpr unsigned MaxStepBits = 21;
/// SPECRT_ROW_PLACE has four bits for a base.
constexpr size_t MaxPlacedBases = 16;

class Proof {
public:
  Proof(const RowLoop &Rows, const LoopInfo &LI, const DominatorTree &DT, ScalarEvolution &SE)
      : Rows(Rows), L(*Rows.L), LI(LI), DT(DT), SE(SE) {}

  bool find();
  RowLinearity take() { return std::move(Found); }

private:
  const Instruction *within(const Value *V) const {
    const auto *I = dyn_cast<Instruction>(V);
    return I && L.contains(I) ? I : nullptr;
  }
  static unsigned bitsOf(const Value &V) {
    if (V.getType()->isPointerTy())
      return V.getType()->getPointerAddressSpace() == 0 ? 64 : 0;
    const auto *T = dyn_cast<IntegerType>(V.getType());
    return T && T->getBitWidth() <= 64 ? T->getBitWidth() : 0;
  }
  /// Returns whether a value that is read or carried has the width of a memory access, so that a
  /// word of the trace is complete.
  static bool isWhole(unsigned Bits) { return Bits == 8 || Bits == 16 || Bits == 32 || Bits == 64; }
  uint8_t of(const Value *V) const;
  uint8_t compute(const Instruction &I) const;
  uint8_t ofArithmetic(const BinaryOperator &I) const;
  uint8_t ofCast(const CastInst &I) const;
  uint8_t ofPhi(const PHINode &Phi) const;
  uint8_t ofNarrowing(const TruncInst &I) const;
  void computeAll();

  bool areAccessesLinear() const;
  const SCEV *stepOfRows(const SCEV *S) const;
  bool checkWrites() const;
  bool checkBranch(const BasicBlock &BB, const BranchInst &Branch);
  bool isTheSameInAllRows(const Loop &Opaque) const;
  bool checkCounted(const Loop &Inner, const ICmpInst *Compare);
  std::optional<ComparedWords> wordsOf(const ICmpInst &Compare) const;
  bool followsFrom(const Value *V, function_ref<bool(const Instruction &)> End) const;
  bool isCounter(const Instruction &I) const {
    return any_of(Rows.Counters, [&](const RowCounter &C) { return C.Phi == &I; });
  }
  bool checkCarried();
  void findFirst();
  void findLeading();

  const RowLoop &Rows;
  const Loop &L;
  const LoopInfo &LI;
  const DominatorTree &DT;
  ScalarEvolution &SE;
  DenseMap<const Value *, uint8_t> Known; ///< of instructions of the loop
  RowLinearity Found;
};

uint8_t Proof::of(const Value *V) const {
  const unsigned Bits = bitsOf(*V);
  if (Bits == 0)
    return Nothing;
  const Instruction *I = within(V);
  if (!I)
    return All;
  const uint8_t Is = Known.lookup(I);
  return Bits == 64 && Is != Nothing ? uint8_t(All) : Is;
}

uint8_t Proof::ofArithmetic(const BinaryOperator &I) const {
  const Value *X = I.getOperand(0), *Y = I.getOperand(1);
  const uint8_t Of = of(X) & of(Y);
  switch (I.getOpcode()) {
  case Instruction::Or:
    return cast<PossiblyDisjointInst>(I).isDisjoint() ? Of : uint8_t(Nothing);
  case Instruction::Mul:
    if (within(X) && within(Y))
      return Nothing;
    break;
  case Instruction::Shl:
    if (within(Y))
      return Nothing;
    break;
  case Instruction::Add:
  case Instruction::Sub:
    break;
  default:
    return Nothing;
  }
  if (bitsOf(I) == 64)
    return Of;
  return Of &
         ((I.hasNoSignedWrap() ? Signed : Nothing) | (I.hasNoUnsignedWrap() ? Unsigned : Nothing));
}

/// Handles truncation: the value is preserved according to flags or because it is known to be
/// small.
uint8_t Proof::ofNarrowing(const TruncInst &I) const {
  const uint8_t Of = of(I.getOperand(0));
  const SCEV *S = SE.getSCEV(I.getOperand(0));
  const unsigned Bits = bitsOf(I);
  const bool FitsSigned = I.hasNoSignedWrap() || SE.getSignedRange(S).getMinSignedBits() <= Bits;
  const bool FitsUnsigned = I.hasNoUnsignedWrap() || SE.getUnsignedRange(S).getActiveBits() <= Bits;
  return kept(Of, FitsSigned, FitsUnsigned);
}

uint8_t Proof::ofCast(const CastInst &I) const {
  const uint8_t Of = of(I.getOperand(0));
  if (bitsOf(I) == 0)
    return Nothing;
  switch (I.getOpcode()) {
  case Instruction::SExt:
    return isSigned(Of) ? Signed : Nothing;
  case Instruction::ZExt: {
    const bool IsSame = cast<PossiblyNonNegInst>(I).hasNonNeg() && isSigned(Of);
    return IsSame || isUnsigned(Of) ? All : Nothing;
  }
  case Instruction::Trunc:
    return ofNarrowing(cast<TruncInst>(I));
  case Instruction::PtrToInt:
    return bitsOf(I) == 64 ? Of : uint8_t(Nothing);
  default:
    return Nothing;
  }
}

/// Handles phis: control determines which of its values a phi gets.
uint8_t Proof::ofPhi(const PHINode &Phi) const {
  if (Phi.getParent() == L.getHeader()) {
    if (is_contained(Rows.Carried, &Phi))
      return isWhole(bitsOf(Phi)) ? All : Nothing;
    if (!isCounter(Phi))
      return Nothing;
    const auto *Rec = cast<SCEVAddRecExpr>(SE.getSCEV(const_cast<PHINode *>(&Phi)));
    return kept(All, Rec->hasNoSignedWrap(), Rec->hasNoUnsignedWrap());
  }
  uint8_t Of = All;
  for (const Value *Incoming : Phi.incoming_values())
    Of &= of(Incoming);
  return Of;
}

uint8_t Proof::compute(const Instruction &I) const {
  if (const auto *Phi = dyn_cast<PHINode>(&I))
    return ofPhi(*Phi);
  if (const auto *Two = dyn_cast<BinaryOperator>(&I))
    return ofArithmetic(*Two);
  if (const auto *Cast = dyn_cast<CastInst>(&I))
    return ofCast(*Cast);
  if (isa<LoadInst>(I))
    return isWhole(bitsOf(I)) && Rows.Deciding.contains(&I) ? All : Nothing;
  if (const auto *Gep = dyn_cast<GetElementPtrInst>(&I)) {
    uint8_t Of = of(Gep->getPointerOperand());
    for (const Value *Index : Gep->indices())
      if (!isSigned(of(Index)))
        Of = Nothing;
    return Of;
  }
  return Nothing;
}

/// Computes the greatest solution. A cyclic computation is linear if that follows from itself: a
/// row executes a finite sequence of operations, each of which preserves linearity.
void Proof::computeAll() {
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      if (bitsOf(I) > 0)
        Known[&I] = All;
  for (bool Changes = true; Changes;) {
    Changes = false;
    for (const BasicBlock *BB : L.blocks())
      for (const Instruction &I : *BB) {
        const auto At = Known.find(&I);
        if (At == Known.end() || At->second == Nothing)
          continue;
        const uint8_t Now = compute(I) & At->second;
        Changes |= Now != At->second;
        At->second = Now;
      }
  }
}

/// Returns whether all accesses are linear. Data that is read through a deciding base without
/// deciding itself must be at an invariant place, because skipped rows would not show where it is.
bool Proof::areAccessesLinear() const {
  return all_of(Rows.BaseOf, [&](const auto &Access) {
    const auto [I, Base] = Access;
    const Value *Pointer = getLoadStorePointerOperand(I);
    const bool MayMove =
        !(Rows.Bases[Base].Flags & SPECRT_ROWS_DECIDES) || Rows.Deciding.contains(I);
    return of(Pointer) != Nothing &&
           (MayMove || SE.isLoopInvariant(SE.getSCEV(const_cast<Value *>(Pointer)), &L));
  });
}

/// Returns by how much the address \p S grows from row to row, independent of what rows read; null
/// if unknown.
const SCEV *Proof::stepOfRows(const SCEV *S) const {
  while (true) {
    if (SE.isLoopInvariant(S, &L))
      return SE.getZero(Type::getInt64Ty(SE.getContext()));
    const auto *Rec = dyn_cast<SCEVAddRecExpr>(S);
    if (!Rec || !Rec->isAffine())
      return nullptr;
    const SCEV *Step = Rec->getStepRecurrence(SE);
    if (!SE.isLoopInvariant(Step, &L))
      return nullptr;
    if (Rec->getLoop() == &L)
      return Step;
    S = Rec->getStart();
  }
}

/// Returns whether all accesses through each written base move by the same amount per row.
bool Proof::checkWrites() const {
  SmallVector<const SCEV *> Steps(Rows.Bases.size(), nullptr);
  return all_of(Rows.BaseOf, [&](const auto &Access) {
    const auto [I, Base] = Access;
    if (!(Rows.Bases[Base].Flags & SPECRT_ROWS_WRITTEN))
      return true;
    const SCEV *Step = stepOfRows(SE.getSCEV(const_cast<Value *>(getLoadStorePointerOperand(I))));
    if (!Steps[Base])
      Steps[Base] = Step;
    return Step && Step == Steps[Base];
  });
}

std::optional<ComparedWords> Proof::wordsOf(const ICmpInst &Compare) const {
  const Value *X = Compare.getOperand(0), *Y = Compare.getOperand(1);
  const uint8_t Of = of(X) & of(Y);
  if (Of == Nothing)
    return std::nullopt;
  const auto IsPositive = [&](const Value *V) {
    return V->getType()->isIntegerTy() && SE.isKnownNonNegative(SE.getSCEV(const_cast<Value *>(V)));
  };
  const bool IsUnsigned =
      Compare.isUnsigned() && !Compare.hasSameSign() && !(IsPositive(X) && IsPositive(Y));
  if (!IsUnsigned && isSigned(Of))
    return ComparedWords{ComparedWords::BySign, false};
  // 64-bit values have no higher bits.
  if (!Compare.isSigned() && isUnsigned(Of) && bitsOf(*X) < 64)
    return ComparedWords{ComparedWords::ByZero, false};
  return ComparedWords{ComparedWords::High, IsUnsigned};
}

/// Returns whether \p Opaque, which traces do not describe, has the same control in all rows.
bool Proof::isTheSameInAllRows(const Loop &Opaque) const {
  for (const BasicBlock *BB : Opaque.blocks()) {
    const auto *Branch = cast<BranchInst>(BB->getTerminator());
    if (!Branch->isConditional() || !within(Branch->getCondition()))
      continue;
    const Loop *Of = LI.getLoopFor(BB);
    if (Of->getExitingBlock() != BB)
      return false;
    const SCEV *Taken = SE.getBackedgeTakenCount(Of);
    if (isa<SCEVCouldNotCompute>(Taken) || !SE.isLoopInvariant(Taken, &L))
      return false;
  }
  return true;
}

/// Returns whether the trip count of \p Inner is unchanged as long as both sides of its last
/// comparison grow by the same amount. This holds if one side counts and the other is known when
/// the loop begins: then all earlier comparisons change by the same amount.
bool Proof::checkCounted(const Loop &Inner, const ICmpInst *Compare) {
  if (!Compare || !Inner.contains(Compare))
    return false;
  const auto Counts = [&](Value *X, const Value *Y) {
    if (const auto *I = dyn_cast<Instruction>(Y); I && Inner.contains(I))
      return false;
    const auto *Rec = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(X));
    if (!Rec || Rec->getLoop() != &Inner || !Rec->isAffine())
      return false;
    const auto *Step = dyn_cast<SCEVConstant>(Rec->getStepRecurrence(SE));
    return Step && Step->getAPInt().getSignificantBits() <= MaxStepBits;
  };
  Value *X = Compare->getOperand(0), *Y = Compare->getOperand(1);
  if (!SE.isSCEVable(X->getType()) || (!Counts(X, Y) && !Counts(Y, X)))
    return false;
  const std::optional<ComparedWords> Words = wordsOf(*Compare);
  // Other operands may wrap on the way, which changes their order.
  if (!Words || (Words->Are == ComparedWords::High && !Compare->isEquality()))
    return false;
  Found.Compared[Compare] = *Words;
  return true;
}

bool Proof::checkBranch(const BasicBlock &BB, const BranchInst &Branch) {
  if (!Branch.isConditional() || &BB == L.getLoopLatch())
    return true;
  if (const Loop *Opaque = Rows.opaqueAround(LI, &BB))
    return isTheSameInAllRows(*Opaque);
  const auto *Compare = dyn_cast<ICmpInst>(Branch.getCondition());
  if (const Loop *Of = LI.getLoopFor(&BB); Rows.leavesCounted(*Of, BB))
    return checkCounted(*Of, Compare);
  if (!within(Branch.getCondition()))
    return true;
  const std::optional<ComparedWords> Words = Compare ? wordsOf(*Compare) : std::nullopt;
  if (Words)
    Found.Compared[Compare] = *Words;
  return Words.has_value();
}

/// Returns whether \p V is computed by arithmetic from instructions that \p End accepts.
bool Proof::followsFrom(const Value *V, function_ref<bool(const Instruction &)> End) const {
  SmallSetVector<const Instruction *, 16> Work;
  const auto Add = [&](const Value *Some) {
    if (const Instruction *I = within(Some))
      Work.insert(I);
  };
  Add(V);
  for (unsigned I = 0; I < Work.size(); ++I) {
    if (End(*Work[I]))
      continue;
    if (!isa<BinaryOperator, CastInst, GetElementPtrInst>(Work[I]))
      return false;
    for (const Value *Operand : Work[I]->operands())
      Add(Operand);
  }
  return true;
}

void Proof::findFirst() {
  for (const Instruction *Load : Rows.Deciding)
    if (LI.getLoopFor(Load->getParent()) == &L &&
        DT.dominates(Load->getParent(), L.getLoopLatch()) &&
        followsFrom(getLoadStorePointerOperand(Load),
                    [&](const Instruction &I) { return isCounter(I); }))
      Found.First.insert(Load);
}

/// Returns whether the values that a row carries to the next are known before anything that depends
/// on this row's own reads.
bool Proof::checkCarried() {
  return all_of(Rows.Carried, [&](const PHINode *Phi) {
    const Value *Next = Phi->getIncomingValueForBlock(L.getLoopLatch());
    return isSigned(of(Phi) & of(Next)) && followsFrom(Next, [&](const Instruction &I) {
             return isCounter(I) || Found.First.contains(&I);
           });
  });
}

void Proof::findLeading() {
  SmallSetVector<const Instruction *, 32> Work;
  const auto Add = [&](const Value *V) {
    if (const Instruction *I = within(V))
      Work.insert(I);
  };
  for (const Instruction *Load : Rows.Deciding)
    Add(getLoadStorePointerOperand(Load));
  for (const PHINode *Phi : Rows.Carried)
    Add(Phi->getIncomingValueForBlock(L.getLoopLatch()));
  for (const BasicBlock *BB : L.blocks())
    if (const auto *Branch = cast<BranchInst>(BB->getTerminator());
        Branch->isConditional() && BB != L.getLoopLatch())
      Add(Branch->getCondition());
  for (unsigned I = 0; I < Work.size(); ++I) {
    if (isa<LoadInst>(Work[I]))
      Found.Leading.insert(Work[I]);
    else
      for (const Value *Operand : Work[I]->operands())
        Add(Operand);
  }
}

bool Proof::find() {
  if (Rows.MayDepend || Rows.hasNotes() || Rows.Bases.size() > MaxPlacedBases)
    return false;
  computeAll();
  if (!areAccessesLinear() || !checkWrites())
    return false;
  for (const BasicBlock *BB : L.blocks())
    if (!checkBranch(*BB, *cast<BranchInst>(BB->getTerminator())))
      return false;
  findFirst();
  findLeading();
  return checkCarried();
}

} // namespace

std::optional<RowLinearity> linearityOf(const RowLoop &Rows, const LoopInfo &LI,
                                        const DominatorTree &DT, ScalarEvolution &SE) {
  Proof P(Rows, LI, DT, SE);
  if (!P.find())
    return std::nullopt;
  return P.take();
}

} // namespace specrt
