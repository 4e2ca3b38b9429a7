//===- specializer/sparse/zeros/zero_walk.cpp - elements as loops around them -===//
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

/// The trips of a loop that is left out where that is no positive number; null: it cannot be said.
/// Where the loop runs they are those that SCEV knows.
const SCEV *ZeroWalks::guardedTrips(const Loop &L) const {
  const BranchInst *Guard = L.getLoopGuardBranch();
  const Loop *Around = L.getParentLoop();
  if (!Guard || !Around || !DT.dominates(Guard->getParent(), Around->getLoopLatch()))
    return nullptr;
  auto *Test = dyn_cast<ICmpInst>(Guard->getCondition());
  if (!Test || !Test->getOperand(0)->getType()->isIntegerTy() ||
      Test->getOperand(0)->getType()->getIntegerBitWidth() > 64)
    return nullptr;
  const bool EntersIfTrue = Guard->getSuccessor(0) == L.getLoopPreheader();
  auto Enters = EntersIfTrue ? Test->getPredicate() : Test->getInversePredicate();
  const SCEV *More = SE.getSCEV(Test->getOperand(0)), *Less = SE.getSCEV(Test->getOperand(1));
  if (ICmpInst::isLT(Enters)) {
    std::swap(More, Less);
    Enters = ICmpInst::getSwappedPredicate(Enters);
  }
  const bool IsSigned = Enters == CmpInst::ICMP_SGT;
  if (!IsSigned && Enters != CmpInst::ICMP_UGT && Enters != CmpInst::ICMP_NE)
    return nullptr;
  // Zeros on one side: what is compared with them cannot wrap. Otherwise the difference might.
  if (!Less->isZero())
    return nullptr;
  Type *Word = Type::getInt64Ty(SE.getContext());
  const SCEV *Known = tripsOf(L, SE);
  const SCEV *Narrow = SE.getNoopOrZeroExtend(More, Word),
             *Wide = SE.getNoopOrSignExtend(More, Word);
  if (Known != Narrow && Known != Wide)
    return nullptr;
  return IsSigned ? Wide : Narrow;
}

/// Does the block run in each iteration of all loops from \p Inner to \p Nest, but for loops that
/// are left out where they have no iterations? These are added to \p Guarded.
bool ZeroWalks::alwaysRuns(const Loop &Nest, const Loop &Inner, const BasicBlock &Where,
                           GuardedLoops &Guarded) const {
  if (!Inner.getLoopLatch())
    return false;
  if (!DT.dominates(&Where, Inner.getLoopLatch())) {
    // What was moved out of a loop is read only where that runs.
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

/// As a sum of a number that is known before the nest, and of multiples of the counters around.
/// What depends on loops with which the address does not vary is meant for their last iteration, or
/// their first, whichever has more.
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

/// A loop with which the address does not vary, and that has no iterations, leaves nothing.
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

std::optional<ZeroWalk> ZeroWalks::within(Loop &Nest, const Loop &Inner, const BasicBlock &Where,
                                          const SCEV *Address, const Type *Element,
                                          bool Alike) const {
  ZeroWalk Walk;
  Walk.Nest = &Nest;
  const std::optional<uint32_t> Kind = zerosKind(Element);
  GuardedLoops Guarded;
  if (!Kind || !Nest.getLoopPreheader() || !alwaysRuns(Nest, Inner, Where, Guarded))
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
