//===- specializer/sparse/class_body.cpp - the rows of a class, straight on ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/class_body.h"
#include "specializer/sparse/loop_copy.h"
#include "specializer/sparse/row_code.h"

using namespace llvm;

namespace specrt {

/// What a walk along the trace knows. Without a builder nothing is copied.
struct ClassBody::Walk {
  IRBuilderBase *B = nullptr;
  Value *Row = nullptr, *T = nullptr;
  ArrayRef<Value *> Origins;
  ValueToValueMapTy Map;
  DenseMap<const Value *, Value *> Wide; ///< narrow values as i64, sign-extended
  unsigned Entry = 0;                    ///< the next of the trace
  uint64_t Blocks = 0;                   ///< looked at
  SmallVector<const StoreInst *> Stores; ///< of notes
  SmallVector<Value *> Stored;           ///< with a builder: those notes
  const BasicBlock *From = nullptr;
  /// The loops with trip counts that are being executed: trips that are still to come.
  SmallVector<std::pair<const Loop *, int64_t>> Inside;

  Value *of(Value *V) const {
    if (isa<Constant>(V) && !Map.count(V))
      return V;
    return Map.lookup(V);
  }
};

namespace {
/// A trace makes code; more of it would not be faster.
constexpr uint64_t MaxBlocks = 4096;
} // namespace

/// The next entry of the trace; null when it is of another kind.
const specrt_row_entry *ClassBody::take(Walk &W, uint32_t Kind) const {
  if (W.Entry >= Class.num_entries || Class.entries[W.Entry].kind != Kind)
    return nullptr;
  return &Class.entries[W.Entry++];
}

/// Entry number \p Entry in this row: where it began, and so much per row.
Value *ClassBody::affine(Walk &W, unsigned Entry, Type *Wanted) const {
  IRBuilderBase &B = *W.B;
  Value *V = W.Origins[Entry];
  if (const int64_t Delta = Class.entries[Entry].number) {
    // Between values of 64 bits a difference may wrap.
    const bool IsNarrow = Wanted->isIntegerTy() && Wanted->getIntegerBitWidth() <= 32;
    Value *Since = B.CreateMul(W.T, B.getInt64(uint64_t(Delta)), "", /*HasNUW=*/false, IsNarrow);
    V = B.CreateAdd(V, Since, "", /*HasNUW=*/false, IsNarrow);
  }
  if (Wanted->isPointerTy())
    return B.CreateIntToPtr(V, Wanted);
  if (Wanted == B.getInt64Ty())
    return V;
  // The inspector has read a value of this width.
  Value *Narrow = B.CreateTrunc(V, Wanted, "", /*IsNUW=*/false, /*IsNSW=*/true);
  W.Wide[Narrow] = V;
  return Narrow;
}

/// Phis of the row loop's header follow from the row's number, or are the first of the trace.
void ClassBody::mapHeader(Walk &W) {
  IRBuilderBase &B = *W.B;
  for (const RowCounter &C : Rows.Counters) {
    Value *Start = W.of(C.Phi->getIncomingValueForBlock(Rows.L->getLoopPreheader()));
    W.Map[C.Phi] = counterInRow(B, C, Start, W.Row);
  }
  for (auto [I, Phi] : enumerate(Rows.Carried))
    W.Map[Phi] = affine(W, unsigned(I), Phi->getType());
}

/// A loop that stays one. Returns where it leads to.
const BasicBlock *ClassBody::copyOpaque(Walk &W, const Loop &Inner) {
  if (!W.B)
    return Inner.getExitBlock();
  Function &F = *W.B->GetInsertBlock()->getParent();
  BasicBlock *Before = W.B->GetInsertBlock();
  BasicBlock *After = BasicBlock::Create(F.getContext(), "rows.after", &F);
  W.Map[Inner.getLoopPreheader()] = Before;
  W.Map[Inner.getExitBlock()] = After;
  copyLoop(Inner, F, W.Map);
  W.B->CreateBr(cast<BasicBlock>(W.Map.lookup(Inner.getHeader())));
  W.B->SetInsertPoint(After);
  return Inner.getExitBlock();
}

/// \p I, when it only extends a value that is known without; else null.
Value *ClassBody::extended(const Walk &W, const Instruction &I) {
  if (!I.getType()->isIntegerTy(64) || !(isa<SExtInst>(I) || (isa<ZExtInst>(I) && I.hasNonNeg())))
    return nullptr;
  return W.Wide.lookup(W.of(I.getOperand(0)));
}

/// Notes are in registers.
bool ClassBody::storeNote(Walk &W, const Instruction &I) {
  const auto &Store = cast<StoreInst>(I);
  W.Stores.push_back(&Store);
  if (W.B)
    W.Stored.push_back(W.of(const_cast<Value *>(Store.getValueOperand())));
  return true;
}

/// Which note is loaded? False when the trace does not say it.
bool ClassBody::takeSource(Walk &W, const Instruction &Load,
                           const specrt_row_entry *&Source) const {
  Source = take(W, SPECRT_ROW_SOURCE);
  if (!Source || Source->number < 0 || uint64_t(Source->number) > W.Stores.size())
    return false;
  return Source->number == 0 ||
         Rows.BaseOf.lookup(W.Stores[size_t(Source->number) - 1]) == Rows.BaseOf.lookup(&Load);
}

/// Copies \p BB and finds out which block comes next, null at the end of the row. False when the
/// trace does not say it.
bool ClassBody::step(Walk &W, const BasicBlock *BB, const BasicBlock *&Next) {
  const bool IsRowHeader = BB == Rows.L->getHeader();
  if (!IsRowHeader && W.B) {
    // All at once: they may refer to each other.
    SmallVector<std::pair<const PHINode *, Value *>> Phis;
    for (const PHINode &Phi : BB->phis())
      Phis.emplace_back(&Phi, W.of(Phi.getIncomingValueForBlock(W.From)));
    for (auto [Phi, V] : Phis)
      W.Map[Phi] = V;
  }
  const Loop *Around = LI.getLoopFor(BB);
  const bool IsCounted = Around != Rows.L && !Rows.Stepped.contains(Around);
  if (IsCounted && BB == Around->getHeader() &&
      (W.Inside.empty() || W.Inside.back().first != Around || W.Inside.back().second-- <= 0))
    return false;

  for (const Instruction &I : *BB) {
    if (isa<PHINode>(I) || I.isTerminator() || isOnlySaid(I))
      continue;
    const specrt_row_entry *Entry = nullptr, *Source = nullptr;
    if (Rows.isOfNote(I) && !(isa<StoreInst>(I) ? storeNote(W, I) : takeSource(W, I, Source)))
      return false;
    const unsigned Number = W.Entry;
    if (Rows.Deciding.contains(&I)) {
      Entry = take(W, SPECRT_ROW_VALUE);
      if (!Entry)
        return false;
    }
    if (!W.B || (Rows.isOfNote(I) && isa<StoreInst>(I)))
      continue;
    if (Source && Source->number > 0) {
      W.Map[&I] = W.Stored[size_t(Source->number - 1)];
      continue;
    }
    if (Entry && Entry->mode == SPECRT_ROW_AFFINE) {
      W.Map[&I] = affine(W, Number, I.getType());
      continue;
    }
    if (Value *Known = extended(W, I)) {
      W.Map[&I] = Known;
      continue;
    }
    Instruction *Copy = I.clone();
    Copy->setDebugLoc({});
    W.B->Insert(Copy);
    W.Map[&I] = Copy;
    RemapInstruction(Copy, W.Map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
  }

  const auto *Branch = cast<BranchInst>(BB->getTerminator());
  W.From = BB;
  if (BB == Rows.L->getLoopLatch()) {
    Next = nullptr;
    return true;
  }
  if (!Branch->isConditional()) {
    Next = Branch->getSuccessor(0);
  } else if (Rows.leavesCounted(*Around, *BB)) {
    const bool Stays = W.Inside.back().second > 0;
    Next = Branch->getSuccessor(Around->contains(Branch->getSuccessor(0)) == Stays ? 0 : 1);
    if (!Stays)
      W.Inside.pop_back();
  } else {
    const specrt_row_entry *Entry = take(W, SPECRT_ROW_BRANCH);
    if (!Entry)
      return false;
    Next = Branch->getSuccessor(Entry->number ? 0 : 1);
  }
  // Into a loop?
  const Loop *Entered = LI.getLoopFor(Next);
  if (Entered != Around && Entered->getHeader() == Next && Entered->contains(Next) &&
      !Entered->contains(BB)) {
    if (Rows.Opaque.contains(Entered)) {
      Next = copyOpaque(W, *Entered);
      W.From = Entered->getExitingBlock();
      return true;
    }
    if (Rows.Stepped.contains(Entered))
      return true;
    const specrt_row_entry *Trips = take(W, SPECRT_ROW_TRIPS);
    if (!Trips)
      return false;
    W.Inside.emplace_back(Entered, Trips->number);
  }
  return true;
}

bool ClassBody::walk(Walk &W) {
  W.Entry = unsigned(Rows.Carried.size());
  for (const BasicBlock *BB = Rows.L->getHeader(); BB;) {
    const BasicBlock *Next = nullptr;
    if (++W.Blocks > MaxBlocks || !step(W, BB, Next))
      return false;
    BB = Next;
  }
  return W.Entry == Class.num_entries && W.Inside.empty();
}

bool ClassBody::fits() {
  if (Class.step == 0 || Class.num_entries < Rows.Carried.size())
    return false;
  // Nobody could load what the row before has given.
  for (unsigned I = 0; I < Rows.Carried.size(); ++I)
    if (Class.entries[I].kind != SPECRT_ROW_VALUE || Class.entries[I].mode != SPECRT_ROW_AFFINE)
      return false;
  Walk W;
  return walk(W);
}

void ClassBody::build(IRBuilderBase &B, Value *Row, Value *T, ArrayRef<Value *> Origins) {
  Walk W;
  W.B = &B;
  W.Row = Row;
  W.T = T;
  W.Origins = Origins;
  for (const auto &Entry : Outer)
    W.Map[Entry.first] = Entry.second;
  mapHeader(W);
  [[maybe_unused]] const bool Fits = walk(W);
  assert(Fits && "checked before");
}

} // namespace specrt
