//===- specializer/sparse/zeros/zero_walk.cpp - describes elements by the loops around them -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/zeros/zero_walk.h"
#include "specializer/loops/loop_shape.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace specrt {

std::optional<uint32_t> zerosKind(const Type *T) {
  if (T->isDoubleTy())
    return SPECRT_ZEROS_DOUBLE;
  if (T->isFloatTy())
    return SPECRT_ZEROS_FLOAT;
  if (!T->isIntegerTy())
    return std::nullopt;
  switch (T->getIntegerBitWidth()) {
  case 8:
    return SPECRT_ZEROS_INT8;
  case 16:
    return SPECRT_ZEROS_INT16;
  case 32:
    return SPECRT_ZEROS_INT32;
  case 64:
    return SPECRT_ZEROS_INT64;
  default:
    return std::nullopt;
  }
}

bool ZeroWalk::isListed(const Loop &L) const {
  return !Dimensions.empty() && Dimensions.back().Of == &L &&
         all_of(ArrayRef(Dimensions).drop_back(), [](const Dimension &D) {
           return all_of(D.Slope, [](const SCEV *S) { return S->isZero(); });
         });
}

namespace {

/// A branch in the loop around that decides whether a loop runs.
struct Guard {
  const BranchInst *Branch = nullptr;
  bool EntersIfTrue = false;
};

/// Returns the guard of \p L in \p Around; nothing if there is none, or more than one.
Guard guardOf(const Loop &L, const Loop &Around, const DominatorTree &DT) {
  Guard Found;
  for (const BasicBlock *BB = L.getLoopPreheader(); BB && BB != Around.getHeader();) {
    const DomTreeNode *Node = DT.getNode(BB)->getIDom();
    const BasicBlock *const Before = Node ? Node->getBlock() : nullptr;
    const auto *Branch = Before ? dyn_cast<BranchInst>(Before->getTerminator()) : nullptr;
    if (!Branch)
      return {};
    // A loop in between always ends, and must lead here by all of its exits.
    const auto Left = find_if(Around, [&](const Loop *Sub) { return Sub->contains(Before); });
    if (Left != Around.end() && !(*Left)->getUniqueExitBlock())
      return {};
    if (Branch->isConditional() && Left == Around.end()) {
      const auto Leads = [&](unsigned K) {
        return DT.dominates(BasicBlockEdge(Before, Branch->getSuccessor(K)), BB);
      };
      const bool IfTrue = Leads(0), IfFalse = Leads(1);
      if (IfTrue != IfFalse) {
        if (Found.Branch)
          return {};
        Found = {Branch, IfTrue};
      }
    }
    BB = Before;
  }
  return Found;
}

} // namespace

/// Returns the trip count of a loop that is skipped unless that is positive; null if unknown. When
/// the loop runs, this is the trip count of SCEV.
const SCEV *ZeroWalks::guardedTrips(const Loop &L) const {
  const Loop *Around = L.getParentLoop();
  const auto [Branch, EntersIfTrue] =
      Around && L.getLoopPreheader() ? guardOf(L, *Around, DT) : Guard();
  if (!Branch || !DT.dominates(Branch->getParent(), Around->getLoopLatch()))
    return nullptr;
  auto *Test = dyn_cast<ICmpInst>(Branch->getCondition());
  if (!Test || !Test->getOperand(0)->getType()->isIntegerTy() ||
      Test->getOperand(0)->getType()->getIntegerBitWidth() > 64)
    return nullptr;
  auto Enters = EntersIfTrue ? Test->getPredicate() : Test->getInversePredicate();
  const SCEV *More = SE.getSCEV(Test->getOperand(0)), *Less = SE.getSCEV(Test->getOperand(1));
  if (ICmpInst::isLT(Enters)) {
    std::swap(More, Less);
    Enters = ICmpInst::getSwappedPredicate(Enters);
  }
  const bool AreNumbers = SE.isKnownNonNegative(More) && SE.isKnownNonNegative(Less);
  const bool IsSigned = Enters == CmpInst::ICMP_SGT || (AreNumbers && Enters == CmpInst::ICMP_UGT);
  if (!IsSigned && Enters != CmpInst::ICMP_UGT && Enters != CmpInst::ICMP_NE)
    return nullptr;
  if (!Less->isZero()) {
    // The difference must not wrap, and NE does not say which operand is larger.
    if (!IsSigned && !AreNumbers)
      return nullptr;
    if (SE.getSignedRange(More).signedSubMayOverflow(SE.getSignedRange(Less)) !=
        ConstantRange::OverflowResult::NeverOverflows)
      return nullptr;
    More = SE.getMinusSCEV(More, Less);
    if (Enters == CmpInst::ICMP_NE && !SE.isKnownNonNegative(More)) {
      More = SE.getNegativeSCEV(More);
      if (!SE.isKnownNonNegative(More))
        return nullptr;
    }
  }
  Type *Word = Type::getInt64Ty(SE.getContext());
  const SCEV *Known = tripsOf(L, SE);
  const SCEV *Narrow = SE.getNoopOrZeroExtend(More, Word),
             *Wide = SE.getNoopOrSignExtend(More, Word);
  if (Known != Narrow && Known != Wide)
    return nullptr;
  return IsSigned ? Wide : Narrow;
}

/// Returns whether \p Where is skipped in at most one iteration of \p Inner, and the loop around
/// reads the \p Element at \p Address elsewhere in that case. A sweep that skips the diagonal by
/// `if (j != i)` divides by it, and reads x[i] in all other rows.
bool ZeroWalks::readsAllBeside(const Loop &Inner, const BasicBlock &Where, const SCEV *Address,
                               const Type &Element) const {
  const BasicBlock *Before = Where.getSinglePredecessor();
  const auto *Branch = Before ? dyn_cast<BranchInst>(Before->getTerminator()) : nullptr;
  const auto *Row = dyn_cast<SCEVAddRecExpr>(Address);
  const Loop *Around = Inner.getParentLoop();
  if (!Branch || !Branch->isConditional() || !Row || Row->getLoop() != &Inner || !Around ||
      !Around->getLoopLatch() || !DT.dominates(Before, Inner.getLoopLatch()))
    return false;
  const auto *Test = dyn_cast<ICmpInst>(Branch->getCondition());
  if (!Test || !Test->isEquality() ||
      (Test->getPredicate() == CmpInst::ICMP_NE) != (Branch->getSuccessor(0) == &Where))
    return false;
  const SCEV *One = SE.getSCEV(Test->getOperand(0)), *Other = SE.getSCEV(Test->getOperand(1));
  if (SE.isLoopInvariant(One, &Inner))
    std::swap(One, Other);
  const auto *Counter = dyn_cast<SCEVAddRecExpr>(One);
  if (!Counter || Counter->getLoop() != &Inner || !Counter->isAffine() ||
      !Counter->getStepRecurrence(SE)->isOne() || !SE.isLoopInvariant(Other, &Inner))
    return false;
  // Another iteration of the loop around visits the same elements and skips another one.
  const auto *Moving = dyn_cast<SCEVAddRecExpr>(Other);
  const SCEV *Rounds = tripsOf(*Around, SE), *Trips = tripsOf(Inner, SE);
  if (Moving && Moving->getLoop() == Around && Moving->isAffine() && Rounds && Trips &&
      SE.isKnownNonZero(Moving->getStepRecurrence(SE)) &&
      SE.isLoopInvariant(Row->getStart(), Around) && SE.isLoopInvariant(Trips, Around) &&
      SE.isKnownPredicate(CmpInst::ICMP_UGT, Rounds, SE.getOne(Rounds->getType())))
    return true;
  const SCEV *LeftOut = Row->evaluateAtIteration(SE.getMinusSCEV(Other, Counter->getStart()), SE);
  for (const BasicBlock *BB : Around->blocks()) {
    if (Inner.contains(BB) || !DT.dominates(BB, Around->getLoopLatch()))
      continue;
    for (const Instruction &I : *BB)
      if (const auto *Load = dyn_cast<LoadInst>(&I); Load && Load->getType() == &Element)
        if (SE.getSCEV(const_cast<Value *>(Load->getPointerOperand())) == LeftOut)
          return true;
  }
  return false;
}

/// Returns whether the block runs in each iteration of all loops from \p Inner to \p Nest, except
/// for loops that are skipped if they have no iterations, which are added to \p Guarded. An \p
/// Element at \p Address counts as accessed if the nest reads it elsewhere.
bool ZeroWalks::alwaysRuns(const Loop &Nest, const Loop &Inner, const BasicBlock &Where,
                           const SCEV *Address, const Type &Element, GuardedLoops &Guarded) const {
  if (!Inner.getLoopLatch())
    return false;
  if (!DT.dominates(&Where, Inner.getLoopLatch()) &&
      !(&Inner != &Nest && readsAllBeside(Inner, Where, Address, Element))) {
    // Code hoisted out of a loop reads only if the loop runs.
    const auto Of = find_if(Inner, [&](Loop *L) { return L->getLoopPreheader() == &Where; });
    const SCEV *Trips = Of == Inner.end() ? nullptr : guardedTrips(**Of);
    if (!Trips)
      return false;
    Guarded[*Of] = Trips;
  }
  for (const Loop *L = &Inner;; L = L->getParentLoop()) {
    if (!L || !tripsOf(*L, SE))
      return false;
    if (L == &Nest)
      return true;
    if (!L->getParentLoop() || !L->getParentLoop()->getLoopLatch())
      return false;
    if (DT.dominates(L->getLoopPreheader(), L->getParentLoop()->getLoopLatch()))
      continue;
    const SCEV *Trips = guardedTrips(*L);
    if (!Trips)
      return false;
    Guarded[L] = Trips;
  }
}

/// Sets the trip count of dimension \p D as a number known before the nest plus multiples of outer
/// counters. Where it depends on loops in which the address is invariant, takes their first or last
/// iteration, whichever has more trips. Returns false if that is not possible.
bool ZeroWalks::setTrips(ZeroWalk &Walk, size_t D, bool Alike, const GuardedLoops &Guarded) const {
  ZeroWalk::Dimension &Set = Walk.Dimensions[D];
  const SCEV *Left = Guarded.contains(Set.Of) ? Guarded.lookup(Set.Of) : tripsOf(*Set.Of, SE);
  Set.Slope.assign(D, SE.getZero(Type::getInt64Ty(SE.getContext())));
  while (const auto *Varying = dyn_cast<SCEVAddRecExpr>(Left)) {
    const Loop *With = Varying->getLoop();
    if (!Walk.Nest->contains(With))
      break;
    const SCEV *Step = Varying->getStepRecurrence(SE);
    if (!Varying->isAffine() || !isKnownBefore(*Walk.Nest, Step, SE))
      return false;
    const auto Found = find_if(ArrayRef(Walk.Dimensions).take_front(D),
                               [&](const ZeroWalk::Dimension &E) { return E.Of == With; });
    if (const auto Outer = size_t(Found - Walk.Dimensions.begin()); Outer < D) {
      Set.Slope[Outer] = Step;
      Left = Varying->getStart();
    } else if (Alike) {
      return false;
    } else if (SE.isKnownNonPositive(Step)) {
      Left = Varying->getStart();
    } else if (SE.isKnownNonNegative(Step)) {
      Left = Varying->evaluateAtIteration(
          SE.getMinusSCEV(tripsOf(*With, SE), SE.getOne(Left->getType())), SE);
    } else {
      return false;
    }
  }
  Set.Trips = Left;
  return isKnownBefore(*Walk.Nest, Left, SE);
}

/// Handles loops in which the address is invariant: without iterations, they leave no elements.
bool ZeroWalks::leaveOutIdle(ZeroWalk &Walk, const GuardedLoops &Guarded) const {
  for (const auto &[L, Trips] : Guarded) {
    if (any_of(Walk.Dimensions, [L = L](const auto &D) { return D.Of == L; }))
      continue;
    if (Walk.Dimensions.empty() || !isKnownBefore(*Walk.Nest, Trips, SE))
      return false;
    const SCEV *Runs = SE.getUMinExpr(SE.getOne(Trips->getType()),
                                      SE.getSMaxExpr(SE.getZero(Trips->getType()), Trips));
    const SCEV *&First = Walk.Dimensions.front().Trips;
    First = SE.getMulExpr(First, Runs);
  }
  return true;
}

/// Removes loops whose first or last iteration accesses all elements of the others. The elements of
/// iteration d + 1 are among those of iteration d if the loop's step moves the address by as much
/// as one step of each of some inner loops, and these have at least one iteration less in d + 1:
///     { [k, i, j] -> A[k + 1 + i, k + 1 + j] : i, j < n - 1 - k }  equals that of k = 0,
///     { [i, j] -> x[n - i + j] : j < i }                           equals that of the last i.
void ZeroWalks::leaveOutNested(ZeroWalk &Walk) const {
  Type *const Word = Type::getInt64Ty(SE.getContext());
  const auto Wide = [&](const SCEV *S) { return SE.getTruncateOrSignExtend(S, Word); };
  // Returns whether [d + 1, x] accesses what [d, x + Moved] does, and that is an iteration. Unless
  // Shrinks, the same with [d, x] and [d + 1, x + Moved].
  const auto IsAmong = [&](size_t D, unsigned Moved, bool Shrinks) {
    const auto IsMoved = [&](size_t I) { return (Moved >> (I - D - 1) & 1) != 0; };
    const auto OneOnward = [&](const SCEV *S) { return Shrinks ? S : SE.getNegativeSCEV(S); };
    const SCEV *Rest = OneOnward(Wide(Walk.Dimensions[D].Step));
    for (size_t I = D + 1; I < Walk.Dimensions.size(); ++I) {
      const ZeroWalk::Dimension &Inner = Walk.Dimensions[I];
      const SCEV *TooMany = OneOnward(Wide(Inner.Slope[D]));
      for (size_t J = D + 1; J < I; ++J)
        if (IsMoved(J))
          TooMany = SE.getMinusSCEV(TooMany, Wide(Inner.Slope[J]));
      if (IsMoved(I)) {
        TooMany = SE.getAddExpr(TooMany, SE.getOne(Word));
        Rest = SE.getMinusSCEV(Rest, Wide(Inner.Step));
      }
      if (!SE.isKnownNonPositive(TooMany))
        return false;
    }
    return Rest->isZero();
  };
  const auto AreAmong = [&](size_t D, bool Shrinks) {
    const unsigned NumChoices = 1U << (Walk.Dimensions.size() - D - 1);
    for (unsigned Moved = 1; Moved < NumChoices; ++Moved)
      if (IsAmong(D, Moved, Shrinks))
        return true;
    return false;
  };
  for (size_t D = 0; D < Walk.Dimensions.size();) {
    ZeroWalk::Dimension &Of = Walk.Dimensions[D];
    const bool Shrinks = AreAmong(D, true);
    const bool Grows = !Shrinks && AreAmong(D, false) &&
                       all_of(Of.Slope, [](const SCEV *S) { return S->isZero(); });
    if (!Shrinks && !Grows) {
      ++D;
      continue;
    }
    const SCEV *Last = SE.getMinusSCEV(Wide(Of.Trips), SE.getOne(Word));
    if (Grows)
      Walk.Base = SE.getAddExpr(Walk.Base, SE.getMulExpr(Wide(Of.Step), Last));
    for (ZeroWalk::Dimension &Inner : drop_begin(Walk.Dimensions, D + 1)) {
      const SCEV *Slope = Inner.Slope[D];
      if (Grows)
        Inner.Trips = SE.getAddExpr(Wide(Inner.Trips), SE.getMulExpr(Wide(Slope), Last));
      Inner.Slope.erase(Inner.Slope.begin() + static_cast<ptrdiff_t>(D));
    }
    Walk.Dimensions.erase(Walk.Dimensions.begin() + static_cast<ptrdiff_t>(D));
  }
}

std::optional<ZeroWalk> ZeroWalks::within(Loop &Nest, const Loop &Inner, const BasicBlock &Where,
                                          const SCEV *Address, const Type *Element,
                                          bool Alike) const {
  ZeroWalk Walk;
  Walk.Nest = &Nest;
  const std::optional<uint32_t> Kind = zerosKind(Element);
  GuardedLoops Guarded;
  if (!Kind || !Nest.getLoopPreheader() ||
      !alwaysRuns(Nest, Inner, Where, Address, *Element, Guarded))
    return std::nullopt;
  Walk.Kind = *Kind;
  Walk.Base = Address;
  while (const auto *Varying = dyn_cast<SCEVAddRecExpr>(Walk.Base)) {
    if (!Nest.contains(Varying->getLoop()))
      break;
    const SCEV *Step = Varying->getStepRecurrence(SE);
    if (!Varying->isAffine() || !isKnownBefore(Nest, Step, SE) ||
        Walk.Dimensions.size() == SPECRT_ZEROS_MAX_LOOPS)
      return std::nullopt;
    Walk.Dimensions.insert(Walk.Dimensions.begin(), {Varying->getLoop(), Step, nullptr, {}});
    Walk.Base = Varying->getStart();
  }
  if (!isKnownBefore(Nest, Walk.Base, SE))
    return std::nullopt;
  for (size_t D = 0; D < Walk.Dimensions.size(); ++D)
    if (!setTrips(Walk, D, Alike, Guarded))
      return std::nullopt;
  if (!Alike)
    leaveOutNested(Walk);
  if (!leaveOutIdle(Walk, Guarded))
    return std::nullopt;
  return Walk;
}

Value *ZeroWalks::write(IRBuilderBase &B, const ZeroWalk &Walk) const {
  Type *Word = B.getInt64Ty();
  Instruction *Here = &*B.GetInsertPoint();
  BasicBlock &Entry = Here->getFunction()->getEntryBlock();
  static_assert(sizeof(specrt_zeros_walk) % 8 == 0 && offsetof(specrt_zeros_walk, loops) == 24);
  constexpr unsigned Words = sizeof(specrt_zeros_walk) / 8;
  Value *Room = IRBuilder<>(&Entry, Entry.begin())
                    .CreateAlloca(ArrayType::get(Word, Words), nullptr, "zeros.walk");
  unsigned Next = 0;
  auto Put = [&](Value *V) { B.CreateStore(V, B.CreateConstInBoundsGEP1_64(Word, Room, Next++)); };
  auto PutNumber = [&](const SCEV *S) {
    Put(Expander.expandCodeFor(SE.getTruncateOrSignExtend(S, Word), Word, Here));
  };
  Put(Expander.expandCodeFor(Walk.Base, Walk.Base->getType(), Here));
  Put(B.getInt64(Walk.Kind | uint64_t{Walk.Dimensions.size()} << 32));
  Put(B.getInt64(static_cast<uint32_t>(Walk.MinExponent) | uint64_t{Walk.Array} << 32));
  for (const ZeroWalk::Dimension &D : Walk.Dimensions) {
    PutNumber(D.Step);
    PutNumber(D.Trips);
    for (unsigned I = 0; I < SPECRT_ZEROS_MAX_LOOPS - 1; ++I)
      if (I < D.Slope.size())
        PutNumber(D.Slope[I]);
      else
        Put(B.getInt64(0));
  }
  return Room;
}

} // namespace specrt
