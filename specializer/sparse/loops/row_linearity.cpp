//===- specializer/sparse/loops/row_linearity.cpp - rows that follow from others ---===//
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

/// How a value is linear: in its own bits, and in 64 when it is extended. Of that width, all is
/// one.
enum : uint8_t { Nothing = 0, Modular = 1, Signed = 2 | Modular, Unsigned = 4 | Modular, All = 7 };

bool isSigned(uint8_t Of) { return (Of & Signed) == Signed; }
bool isUnsigned(uint8_t Of) { return (Of & Unsigned) == Unsigned; }
/// Of those that a value was, it is what its flags leave.
uint8_t kept(uint8_t Of, bool AsSigned, bool AsUnsigned) {
  return Of & (Modular | (AsSigned ? Signed : Nothing) | (AsUnsigned ? Unsigned : Nothing));
}

/// Counters of inner loops move by no more bits than that, so that rows with all trips that a trace
/// can have are far from where 64 bits end.
constexpr unsigned MaxStepBits = 21;
/// SPECRT_ROW_PLACE has four bits for one.
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
  /// Is what was read or carried, and so is a word of the trace, as wide as memory has it?
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

/// The value stays what it was, by its flags or because it is known to be small.
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

/// Control says which of the values a phi gets.
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

/// The greatest solution: what is computed in a cycle is linear if that follows from itself, for in
/// the end a row is a sequence of operations, each of which keeps what is linear so.
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

/// What is read beside that which decides, through the same pointer, would not be seen in rows that
/// nobody looks at, unless it is always at the same place.
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

/// By how much \p S, an address in a row, grows from row to row, whatever the row reads; null: that
/// is not known.
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

/// Do all accesses through each base that is written move by the same from row to row?
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
  // Of 64 bits, nothing is above those that are there.
  if (!Compare.isSigned() && isUnsigned(Of) && bitsOf(*X) < 64)
    return ComparedWords{ComparedWords::ByZero, false};
  return ComparedWords{ComparedWords::High, IsUnsigned};
}

/// Does the loop, of which traces say nothing, do the same in all rows?
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

/// Is the trip count of \p Inner the same as long as what its last comparison compares grows by the
/// same on both sides? It does if one side counts, and the other is known when the loop begins:
/// then it grows by the same in all comparisons before.
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
  // Others may wrap on the way, and then they would come in another order.
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

/// Is \p V computed by arithmetic from instructions that \p End accepts?
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

/// What rows give to the next one must be known before anything that this one reads there.
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
  if (Rows.MayWait || Rows.hasNotes() || Rows.Bases.size() > MaxPlacedBases)
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
