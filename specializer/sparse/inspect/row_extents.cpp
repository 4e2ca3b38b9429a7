//===- specializer/sparse/inspect/row_extents.cpp - byte ranges that inspected rows access -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/inspect/row_extents.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace specrt {
namespace {

constexpr uint64_t PageBytes = 4096; ///< lower bound

Value *least(IRBuilderBase &B, Value *X, Value *Y) {
  return B.CreateSelect(B.CreateICmpULT(X, Y), X, Y);
}

Value *most(IRBuilderBase &B, Value *X, Value *Y) {
  return B.CreateSelect(B.CreateICmpUGT(X, Y), X, Y);
}

AllocaInst *slot(IRBuilderBase &B, const char *Name) {
  BasicBlock &Entry = B.GetInsertBlock()->getParent()->getEntryBlock();
  return IRBuilder<>(&Entry, Entry.begin()).CreateAlloca(B.getInt64Ty(), nullptr, Name);
}

} // namespace

RowExtents::RowExtents(const RowLoop &Rows, const LoopInfo &LI, IRBuilderBase &B, Value *Trace)
    : Rows(Rows), LI(LI), Trace(Trace) {
  const auto Array = [&](size_t Offset) {
    return B.CreateLoad(B.getPtrTy(), B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Trace, Offset));
  };
  Lows = Array(offsetof(specrt_row_trace, low));
  Highs = Array(offsetof(specrt_row_trace, high));
  AllLows = Array(offsetof(specrt_row_trace, all_low));
  AllHighs = Array(offsetof(specrt_row_trace, all_high));
  Scattered = slot(B, "rows.scattered");
  B.CreateStore(B.getInt64(0), Scattered);
  for (unsigned Base = 0; Base < bases(); ++Base) {
    Extent.push_back(range(B, "rows.low", "rows.high"));
    Apart.push_back(decides(Base) ? range(B, "rows.apart.low", "rows.apart.high") : Range());
    const bool IsStored = isWritten(Base) || hasNotes(Base);
    Written.push_back(IsStored ? range(B, "rows.written.low", "rows.written.high") : Range());
    Circles.emplace_back();
    B.CreateStore(B.getInt64(UINT64_MAX), ofBase(B, Lows, Base));
    B.CreateStore(B.getInt64(0), ofBase(B, Highs, Base));
  }
  for (const Instruction *I : Rows.Circular)
    if (Circle &Of = Circles[Rows.BaseOf.lookup(I)]; !Of.Circular.Low)
      Of = {range(B, "rows.circular.low", "rows.circular.high"),
            range(B, "rows.direct.low", "rows.direct.high"),
            Rows.Bases[Rows.BaseOf.lookup(I)].FirstIsDirect ? slot(B, "rows.first") : nullptr};
}

/// Returns a new, empty range.
RowExtents::Range RowExtents::range(IRBuilderBase &B, const char *Low, const char *High) {
  const Range New = {slot(B, Low), slot(B, High)};
  makeEmpty(B, New);
  return New;
}

void RowExtents::makeEmpty(IRBuilderBase &B, Range Some) {
  B.CreateStore(B.getInt64(UINT64_MAX), Some.Low);
  B.CreateStore(B.getInt64(0), Some.High);
}

void RowExtents::widen(IRBuilderBase &B, Range Some, Value *From, Value *To) {
  B.CreateStore(least(B, From, load(B, Some.Low)), Some.Low);
  B.CreateStore(most(B, To, load(B, Some.High)), Some.High);
}

void RowExtents::beginRow(IRBuilderBase &B) {
  for (const Circle &Of : Circles)
    if (Of.First)
      B.CreateStore(B.getInt64(1), Of.First);
  for (unsigned Base = 0; Base < bases(); ++Base)
    if (isWritten(Base))
      makeEmpty(B, Extent[Base]);
}

/// Returns an i1 that is true if the original has already written to memory that is to be read
/// through \p Base; null if it writes nothing. Notes are known, so they are not checked.
Value *RowExtents::wasWritten(IRBuilderBase &B, unsigned Base, Value *From, Value *To) {
  Value *Any = nullptr;
  for (const auto &[Number, Of] : enumerate(Written)) {
    if (!Of.Low || (Number == Base && hasNotes(Base)))
      continue;
    Value *Overlaps =
        B.CreateAnd(B.CreateICmpULT(From, load(B, Of.High)), B.CreateICmpULT(load(B, Of.Low), To));
    Any = Any ? B.CreateOr(Any, Overlaps) : Overlaps;
  }
  return Any;
}

/// Returns whether the address is computed from the iteration number within the innermost loop.
bool RowExtents::isCounted(const Instruction &I) const {
  return !isReadWithin(*LI.getLoopFor(I.getParent()), *getLoadStorePointerOperand(&I));
}

void RowExtents::access(const Instruction &I, Instruction &Copy, Value *From) {
  IRBuilder<> B(&Copy);
  const unsigned Base = Rows.BaseOf.lookup(&I);
  const uint64_t Bytes = I.getDataLayout().getTypeStoreSize(getLoadStoreType(&I));
  Value *To = B.CreateAdd(From, B.getInt64(Bytes));
  if (isa<StoreInst>(I))
    widen(B, Written[Base], From, To);
  if (const Circle &Of = Circles[Base]; Of.Circular.Low)
    noteCircle(B, Of, Rows.Circular.contains(&I), From, To);
  const bool Decides = Rows.Deciding.contains(&I);
  if (Decides || Rows.Pointers.contains(I))
    if (Value *IsStale = wasWritten(B, Base, From, To))
      leaveIf(IsStale, Copy, SPECRT_ROWS_OVERWRITTEN);
  if (isWritten(Base) || (!decides(Base) && !isInPieces(Base) && !isCounted(I))) {
    widen(B, Extent[Base], From, To);
    return;
  }
  Value *Jumps = B.CreateICmpNE(From, load(B, Extent[Base].High));
  Followers.push_back({&Copy, Jumps, From, To, Base,
                       isInPieces(Base) ? Kind::Piece
                       : Decides        ? Kind::Deciding
                       : decides(Base)  ? Kind::Near
                                        : Kind::Counted});
}

void RowExtents::noteCircle(IRBuilderBase &B, const Circle &Of, bool IsCircular, Value *From,
                            Value *To) {
  widen(B, IsCircular ? Of.Circular : Of.Direct, From, To);
  if (!Of.First)
    return;
  Value *IsFirst = B.CreateIsNotNull(load(B, Of.First));
  widen(B, Of.Direct, B.CreateSelect(IsFirst, From, load(B, Of.Direct.Low)),
        B.CreateSelect(IsFirst, To, load(B, Of.Direct.High)));
  B.CreateStore(B.getInt64(0), Of.First);
}

Value *RowExtents::isFar(IRBuilderBase &B, Value *Low, Value *High, Value *From) const {
  Value *Near = B.getInt64(SPECRT_ROWS_NEAR_BYTES);
  Value *Is = B.CreateOr(B.CreateICmpUGT(B.CreateSub(Low, Near), From),
                         B.CreateICmpUGT(From, B.CreateAdd(High, Near)));
  return B.CreateAnd(Is, B.CreateIsNotNull(High)); // otherwise the range is empty
}

/// Handles an access that does not follow the one before it. If the base decides, an access near
/// the range of all before it extends that range; otherwise it extends Apart.
void RowExtents::jump(IRBuilderBase &B, const Follower &F) {
  const Range All = Extent[F.Base], Rest = Apart[F.Base];
  if (F.Is == Kind::Counted) {
    widen(B, All, F.From, F.To);
    return;
  }
  if (F.Is == Kind::Piece) {
    Type *Pointer = B.getPtrTy(), *Word = B.getInt64Ty();
    auto *T = FunctionType::get(B.getVoidTy(), {Pointer, B.getInt32Ty(), Word, Word}, false);
    Value *Tell =
        B.CreateLoad(Pointer, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Trace,
                                                           offsetof(specrt_row_trace, jump)));
    B.CreateCall(T, Tell, {Trace, B.getInt32(F.Base), load(B, All.High), F.From})
        ->setDoesNotThrow();
    B.CreateStore(F.To, All.High);
    return;
  }
  Value *Low = load(B, All.Low), *High = load(B, All.High);
  Value *RestLow = load(B, Rest.Low), *RestHigh = load(B, Rest.High);
  Value *Is = isFar(B, Low, High, F.From);
  if (F.Is == Kind::Deciding) {
    Value *IsScattered = B.CreateAnd(Is, isFar(B, RestLow, RestHigh, F.From));
    B.CreateStore(B.CreateOr(load(B, Scattered), B.CreateZExt(IsScattered, B.getInt64Ty())),
                  Scattered);
  }
  B.CreateStore(B.CreateSelect(Is, Low, least(B, F.From, Low)), All.Low);
  B.CreateStore(B.CreateSelect(Is, High, most(B, F.To, High)), All.High);
  B.CreateStore(B.CreateSelect(Is, least(B, F.From, RestLow), RestLow), Rest.Low);
  B.CreateStore(B.CreateSelect(Is, most(B, F.To, RestHigh), RestHigh), Rest.High);
}

void RowExtents::finish(BasicBlock *Exit) {
  for (const Follower &F : Followers) {
    Instruction *Then = nullptr, *Else = nullptr;
    SplitBlockAndInsertIfThenElse(F.Jumps, F.Copy->getIterator(), &Then, &Else);
    IRBuilder<> Jumps(Then), Follows(Else);
    jump(Jumps, F);
    Follows.CreateStore(F.To, Extent[F.Base].High);
  }
  // After such a read, the inspector would follow other integers than the original, with
  // unpredictable addresses, because it writes nothing.
  for (const Departure &D : Departures) {
    Instruction *Then = SplitBlockAndInsertIfThen(D.Condition, D.Here->getIterator(), false);
    IRBuilder<> B(Then);
    B.CreateStore(
        B.getInt64(D.Why),
        B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Trace, offsetof(specrt_row_trace, trouble)));
    ReplaceInstWithInst(Then, BranchInst::Create(Exit));
  }
}

Value *RowExtents::arePredicted(IRBuilderBase &B) const {
  Value *Are = B.getTrue();
  for (unsigned Base = 0; Base < bases(); ++Base)
    if (isWritten(Base))
      Are = B.CreateAnd(
          Are, B.CreateICmpUGE(load(B, Extent[Base].Low), load(B, ofBase(B, AllHighs, Base))));
    else if (decides(Base))
      Are = B.CreateAnd(Are, B.CreateIsNull(load(B, Apart[Base].High)));
  return Are;
}

void RowExtents::pass(IRBuilderBase &B) {
  for (unsigned Base = 0; Base < bases(); ++Base) {
    if (!isWritten(Base))
      continue;
    Value *Low = ofBase(B, AllLows, Base), *High = ofBase(B, AllHighs, Base);
    B.CreateStore(least(B, load(B, Extent[Base].Low), load(B, Low)), Low);
    B.CreateStore(most(B, load(B, Extent[Base].High), load(B, High)), High);
  }
}

void RowExtents::store(IRBuilderBase &B) {
  const auto Store = [&](Range Of, Value *ToLow, Value *ToHigh, unsigned Base) {
    B.CreateStore(load(B, Of.Low), ofBase(B, ToLow, Base));
    B.CreateStore(load(B, Of.High), ofBase(B, ToHigh, Base));
  };
  for (unsigned Base = 0; Base < bases(); ++Base) {
    if (isWritten(Base)) {
      Store(Extent[Base], Lows, Highs, Base);
      continue;
    }
    Store(Extent[Base], AllLows, AllHighs, Base);
    if (decides(Base))
      Store(Apart[Base], Lows, Highs, Base);
  }
}

void RowExtents::storeTrouble(IRBuilderBase &B) {
  Value *Place =
      B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Trace, offsetof(specrt_row_trace, trouble));
  for (const Circle &Of : Circles) {
    if (!Of.Circular.Low)
      continue;
    // Pages that other accesses read can be read completely.
    Value *Low = B.CreateAnd(load(B, Of.Direct.Low), ~(PageBytes - 1));
    Value *High = B.CreateAnd(B.CreateAdd(load(B, Of.Direct.High), B.getInt64(PageBytes - 1)),
                              ~(PageBytes - 1));
    Value *IsBeyond = B.CreateOr(B.CreateICmpULT(load(B, Of.Circular.Low), Low),
                                 B.CreateICmpUGT(load(B, Of.Circular.High), High));
    Value *Known = load(B, Place);
    Value *Now = B.CreateSelect(IsBeyond, B.getInt64(SPECRT_ROWS_CIRCULAR), Known);
    B.CreateStore(B.CreateSelect(B.CreateIsNull(Known), Now, Known), Place);
  }
}

void RowExtents::beforeTelling(IRBuilderBase &B) {
  store(B);
  B.CreateStore(load(B, Scattered), B.CreateConstInBoundsGEP1_64(
                                        B.getInt8Ty(), Trace, offsetof(specrt_row_trace, trouble)));
}

/// Resets the ranges after a report, which has joined what lay apart with the rest.
void RowExtents::afterTelling(IRBuilderBase &B) {
  for (unsigned Base = 0; Base < bases(); ++Base)
    if (decides(Base)) {
      B.CreateStore(load(B, ofBase(B, AllLows, Base)), Extent[Base].Low);
      B.CreateStore(load(B, ofBase(B, AllHighs, Base)), Extent[Base].High);
      makeEmpty(B, Apart[Base]);
    }
}

} // namespace specrt
