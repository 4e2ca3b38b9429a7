//===- specializer/sparse/classes/lanes/lane_body.cpp - code for rows in vector lanes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/classes/lanes/lane_body.h"
#include "specializer/sparse/loops/row_inputs.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace specrt {

LaneBody::LaneValue LaneBody::valueOf(Value &V) const {
  if (const auto Known = Map.find(&V); Known != Map.end())
    return Known->second;
  Value *Mapped = Outer.lookup(&V);
  return {.Data = Mapped ? Mapped : &V};
}

bool LaneBody::isSame(const LaneValue &V) const {
  if (lanes() == 1)
    return true;
  return V.Form ? Plan.apart(*V.Form) == 0 : !V.Data->getType()->isVectorTy();
}

LaneBody::Words LaneBody::computeSymbol(IRBuilderBase &B, const LaneSymbol &S) {
  switch (S.Is) {
  case LaneSymbol::Kind::T:
    return {Of.T};
  case LaneSymbol::Kind::Row:
    return Words(ArrayRef(Of.Row));
  case LaneSymbol::Kind::Origin: {
    Words Each;
    for (const ArrayRef<Value *> Origins : Of.Origins)
      Each.push_back(Origins[S.Number]);
    return Each;
  }
  case LaneSymbol::Kind::Offset:
    if (!Of.Offsets.empty())
      return {Of.Offsets[S.Number]};
    return {B.CreateSub(Of.Origins.front()[S.Number], Of.Row.front())};
  case LaneSymbol::Kind::Counter: {
    const RowCounter &C = Rows.Counters[S.Number];
    Value *Start = C.Phi->getIncomingValueForBlock(Rows.L->getLoopPreheader());
    Words Each;
    for (unsigned Lane = 0; Lane < lanes(); ++Lane) {
      Value *Row = integer(B, Plan.row(), Lane, B.getInt64Ty());
      Value *V = counterInRow(B, C, scalar(B, *Start, Lane), Row);
      Each.push_back(B.CreateSExt(V, B.getInt64Ty()));
    }
    return Each;
  }
  case LaneSymbol::Kind::Input: {
    Value *V = valueOf(*const_cast<Value *>(S.V)).Data;
    return {V->getType()->isPointerTy() ? V : B.CreateSExt(V, B.getInt64Ty())};
  }
  case LaneSymbol::Kind::Step: {
    Words Each;
    for (unsigned Lane = 0; Lane < (S.Apart ? 1 : lanes()); ++Lane) {
      Value *V = copy(B, *Script[S.Number].I, Lane);
      Each.push_back(V->getType()->isPointerTy() ? V : B.CreateSExt(V, B.getInt64Ty()));
    }
    return Each;
  }
  }
  llvm_unreachable("all kinds");
}

/// Returns symbol number \p Number in lane \p Lane.
Value *LaneBody::symbol(IRBuilderBase &B, unsigned Number, unsigned Lane) {
  Lane = Plan.lanes().rowOf(Lane);
  const LaneSymbol &S = Plan.symbols()[Number];
  if (Symbols[Number].empty())
    Symbols[Number] = computeSymbol(B, S);
  const Words &Each = Symbols[Number];
  if (Each.size() > 1)
    return Each[Lane];
  Value *First = Each.front();
  if (const auto Further = int64_t(Lane) * S.Apart.value_or(0))
    return B.CreateAdd(First, B.getInt64(uint64_t(Further)));
  return First;
}

/// Returns the value of \p Form in lane \p Lane. Adds terms that are invariant in a segment first,
/// and constants last.
Value *LaneBody::integer(IRBuilderBase &B, const SymbolSum &Form, unsigned Lane, Type *Wanted) {
  Value *Base = nullptr, *Fixed = nullptr, *Moving = nullptr;
  const std::optional<int64_t> Apart = Plan.apart(Form);
  const auto Add = [&](Value *&To, Value *V) { To = To ? B.CreateAdd(To, V) : V; };
  for (const SymbolSum::Term &Each : Form.terms()) {
    const LaneSymbol &S = Plan.symbols()[Each.Symbol];
    Value *V = symbol(B, Each.Symbol, Apart ? 0 : Lane);
    if (V->getType()->isPointerTy()) {
      if (!Base && Each.Times == 1 && Wanted->isPointerTy()) {
        Base = V;
        continue;
      }
      V = B.CreatePtrToInt(V, B.getInt64Ty());
    }
    V = B.CreateMul(V, B.getInt64(Each.Times));
    Add(S.Is == LaneSymbol::Kind::T || S.Is == LaneSymbol::Kind::Step ? Moving : Fixed, V);
  }
  const uint64_t Number = Form.constant() + uint64_t(Apart.value_or(0)) * Plan.lanes().rowOf(Lane);
  if (Base) {
    for (Value *Part : {Fixed, Moving})
      if (Part)
        Base = B.CreatePtrAdd(Base, Part);
    return Number ? B.CreatePtrAdd(Base, B.getInt64(Number)) : Base;
  }
  if (Moving)
    Add(Fixed, Moving);
  if (Number || !Fixed)
    Add(Fixed, B.getInt64(Number));
  if (Wanted->isPointerTy())
    return B.CreateIntToPtr(Fixed, Wanted);
  // Linear values do not wrap in their width.
  return Wanted == B.getInt64Ty()
             ? Fixed
             : B.CreateTrunc(Fixed, Wanted, "", /*IsNUW=*/false, Wanted->getIntegerBitWidth() > 1);
}

/// Returns \p V in lane \p Lane if it is an integer; other values must be equal in all lanes.
Value *LaneBody::scalar(IRBuilderBase &B, Value &V, unsigned Lane) {
  const LaneValue Known = valueOf(V);
  return Known.Form ? integer(B, *Known.Form, Lane, V.getType()) : Known.Data;
}

Value *LaneBody::gather(IRBuilderBase &B, ArrayRef<Value *> Each) const {
  Value *All = PoisonValue::get(FixedVectorType::get(Each.front()->getType(), lanes()));
  for (auto [Lane, V] : enumerate(Each))
    All = B.CreateInsertElement(All, V, uint64_t(Lane));
  return All;
}

Value *LaneBody::vector(IRBuilderBase &B, Value &V) {
  const LaneValue Known = valueOf(V);
  if (lanes() == 1)
    return scalar(B, V, 0);
  if (isSame(Known))
    return B.CreateVectorSplat(lanes(), scalar(B, V, 0));
  if (Known.Data)
    return Known.Data;
  Words Each;
  for (unsigned Lane = 0; Lane < lanes(); ++Lane)
    Each.push_back(scalar(B, V, Lane));
  return gather(B, Each);
}

/// Maps all phis of a block at once, as they may refer to each other.
void LaneBody::mapPhis(const RowStep &Step) {
  SmallVector<std::pair<const PHINode *, LaneValue>> Now;
  for (const PHINode &Phi : Step.Block->phis())
    Now.emplace_back(&Phi, valueOf(*Phi.getIncomingValueForBlock(Step.From)));
  for (auto &[Phi, V] : Now)
    Map[Phi] = V;
}

/// Emits a scalar copy of \p I.
Instruction *LaneBody::copy(IRBuilderBase &B, const Instruction &I, unsigned Lane) {
  Instruction *Copy = I.clone();
  Copy->setDebugLoc({});
  for (Use &U : Copy->operands())
    if (!isa<Function>(U))
      U.set(scalar(B, *U, Lane));
  B.Insert(Copy);
  return Copy;
}

/// Emits \p I for all lanes.
Value *LaneBody::compute(IRBuilderBase &B, const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  SmallVector<Value *, 4> Operands;
  for (const Use &U : Call ? Call->args() : I.operands())
    Operands.push_back(U);
  if (all_of(Operands, [&](Value *V) { return isSame(valueOf(*V)); }))
    return copy(B, I, 0);
  for (Value *&V : Operands)
    V = vector(B, *V);
  auto *Wide = FixedVectorType::get(I.getType(), lanes());
  Instruction *New = nullptr;
  if (Call)
    New = B.CreateIntrinsic(Call->getIntrinsicID(), {Wide}, Operands);
  else if (const auto *Binary = dyn_cast<BinaryOperator>(&I))
    New = BinaryOperator::Create(Binary->getOpcode(), Operands[0], Operands[1]);
  else if (const auto *Unary = dyn_cast<UnaryOperator>(&I))
    New = UnaryOperator::Create(Unary->getOpcode(), Operands[0]);
  else if (const auto *Cast = dyn_cast<CastInst>(&I))
    New = CastInst::Create(Cast->getOpcode(), Operands[0], Wide);
  else if (const auto *Compare = dyn_cast<CmpInst>(&I))
    New = CmpInst::Create(Compare->getOpcode(), Compare->getPredicate(), Operands[0], Operands[1]);
  else if (isa<SelectInst>(I))
    New = SelectInst::Create(Operands[0], Operands[1], Operands[2]);
  else
    New = new FreezeInst(Operands[0]);
  New->copyIRFlags(&I);
  if (!New->getParent())
    B.Insert(New);
  return New;
}

void LaneBody::askFor(IRBuilderBase &B, SymbolSum Ahead, int64_t Further) {
  Ahead.add(SymbolSum(Further));
  Value *Where = integer(B, Ahead, 0, B.getPtrTy());
  B.CreateIntrinsic(Intrinsic::prefetch, {B.getPtrTy()},
                    {Where, B.getInt32(0), B.getInt32(3), B.getInt32(1)});
}

/// Prefetches what the lanes read through one base; the base's first load prefetches for all.
void LaneBody::askAheadOfLanes(IRBuilderBase &B, const LoadInst &I, const LaneStep &Is) {
  const auto IsOwn = [](const LaneStep &Step) {
    return Step.Is == LaneStep::Kind::Each || Step.Is == LaneStep::Kind::Group;
  };
  const unsigned Base = Rows.BaseOf.lookup(&I);
  if (!IsOwn(Is) || !Is.Apart || !Asked.try_emplace(Base, Is.Form, 0).second)
    return;
  SmallSetVector<int64_t, 16> Lines;
  for (auto [Step, Of] : zip_equal(Plan.steps(), Script)) {
    if (!IsOwn(Step) || Step.Apart != Is.Apart || Rows.BaseOf.lookup(Of.I) != Base)
      continue;
    if (const std::optional<int64_t> Further = Step.Form.distanceFrom(Is.Form))
      for (unsigned Lane = 0; Lane < lanes(); ++Lane)
        Lines.insert(divideFloorSigned(*Further + *Is.Apart * Lane, LineBytes));
  }
  const int64_t Ahead = *Is.Apart < 0 ? -BytesAhead : BytesAhead;
  for (const int64_t Line : Lines)
    askFor(B, Is.Form, Ahead + Line * LineBytes);
}

/// Prefetches for single rows, whose loads through one base are consecutive: one prefetch per line.
void LaneBody::askAhead(IRBuilderBase &B, const LoadInst &I, const LaneStep &Is) {
  if (lanes() > 1)
    return askAheadOfLanes(B, I, Is);
  auto [At, IsNew] = Asked.try_emplace(Rows.BaseOf.lookup(&I), Is.Form, -LineBytes);
  const std::optional<int64_t> Further = Is.Form.distanceFrom(At->second.first);
  if (!Further || *Further < At->second.second + LineBytes)
    return;
  At->second.second = *Further - *Further % LineBytes;
  askFor(B, Is.Form, BytesAhead);
}

Value *LaneBody::load(IRBuilderBase &B, const LoadInst &I, const LaneStep &Is) {
  if (ReadsAhead)
    askAhead(B, I, Is);
  if (lanes() == 1)
    return B.CreateAlignedLoad(I.getType(), integer(B, Is.Form, 0, B.getPtrTy()), I.getAlign());
  auto *Wide = FixedVectorType::get(I.getType(), lanes());
  const auto At = [&](unsigned Lane) { return integer(B, Is.Form, Lane, B.getPtrTy()); };
  switch (Is.Is) {
  case LaneStep::Kind::Once:
    return B.CreateAlignedLoad(I.getType(), At(0), I.getAlign());
  case LaneStep::Kind::Together:
    return B.CreateAlignedLoad(Wide, At(0), I.getAlign());
  case LaneStep::Kind::Reversed:
    return B.CreateVectorReverse(B.CreateAlignedLoad(Wide, At(lanes() - 1), I.getAlign()));
  case LaneStep::Kind::Group:
    return loadOfGroup(B, I, Is);
  default: {
    Words Each;
    for (unsigned Lane = 0; Lane < lanes(); ++Lane)
      Each.push_back(B.CreateAlignedLoad(I.getType(), At(Lane), I.getAlign()));
    return gather(B, Each);
  }
  }
}

/// Loads for each lane as many neighbours as the group has, and transposes them: the first elements
/// of all lanes form one vector, and so on.
Value *LaneBody::loadOfGroup(IRBuilderBase &B, const LoadInst &I, const LaneStep &Is) {
  Group &Loaded = Groups[Is.Group];
  if (!Loaded.empty())
    return Loaded[Is.Place];
  const uint64_t Bytes = I.getDataLayout().getTypeStoreSize(I.getType());
  auto *Neighbours = FixedVectorType::get(I.getType(), Plan.groups()[Is.Group]);
  SymbolSum First = Is.Form;
  First.add(SymbolSum(-int64_t(Bytes * Is.Place)));
  Words Each;
  for (unsigned Lane = 0; Lane < lanes(); ++Lane)
    Each.push_back(B.CreateAlignedLoad(Neighbours, integer(B, First, Lane, B.getPtrTy()),
                                       std::min(I.getAlign(), Align(Bytes))));
  Loaded = transposed(B, Each);
  return Loaded[Is.Place];
}

/// \p Each has one vector of K elements per lane; returns K vectors of lanes. Takes at most two
/// rounds: parts of K lanes are concatenated, which loads can do, and within each part two or four
/// vectors are interleaved, which processors do for all parts at once.
LaneBody::Group LaneBody::transposed(IRBuilderBase &B, ArrayRef<Value *> Each) const {
  const auto K = cast<FixedVectorType>(Each.front()->getType())->getNumElements();
  const unsigned Parts = lanes() / K;
  Group Rows;
  for (unsigned I = 0; I < K; ++I) {
    SmallVector<Value *> OfParts;
    for (unsigned Part = 0; Part < Parts; ++Part)
      OfParts.push_back(Each[Part * K + I]);
    Rows.push_back(concatenateVectors(B, OfParts));
  }
  // Takes elements \p First and \p First + 1, or only \p First, of each part of \p X, then of \p Y.
  const auto Interleave = [&](Value *X, Value *Y, ArrayRef<unsigned> OfPart) {
    SmallVector<int> Mask;
    for (unsigned Part = 0; Part < Parts; ++Part)
      for (unsigned Element : OfPart)
        Mask.push_back(int(Element < K ? Part * K + Element : lanes() + Part * K + Element - K));
    return B.CreateShuffleVector(X, Y, Mask);
  };
  if (K == 2)
    return {Interleave(Rows[0], Rows[1], {0, 2}), Interleave(Rows[0], Rows[1], {1, 3})};
  Value *Low01 = Interleave(Rows[0], Rows[1], {0, 4, 1, 5});
  Value *Low23 = Interleave(Rows[2], Rows[3], {0, 4, 1, 5});
  Value *High01 = Interleave(Rows[0], Rows[1], {2, 6, 3, 7});
  Value *High23 = Interleave(Rows[2], Rows[3], {2, 6, 3, 7});
  return {Interleave(Low01, Low23, {0, 1, 4, 5}), Interleave(Low01, Low23, {2, 3, 6, 7}),
          Interleave(High01, High23, {0, 1, 4, 5}), Interleave(High01, High23, {2, 3, 6, 7})};
}

void LaneBody::store(IRBuilderBase &B, const StoreInst &I, const LaneStep &Is, Value *V) {
  const auto At = [&](unsigned Lane) { return integer(B, Is.Form, Lane, B.getPtrTy()); };
  if (lanes() == 1) {
    B.CreateAlignedStore(V, At(0), I.getAlign());
  } else if (Is.Is == LaneStep::Kind::Together) {
    B.CreateAlignedStore(V, At(0), I.getAlign());
  } else if (Is.Is == LaneStep::Kind::Reversed) {
    B.CreateAlignedStore(B.CreateVectorReverse(V), At(lanes() - 1), I.getAlign());
  } else {
    for (unsigned Lane = 0; Lane < Plan.lanes().Rows; ++Lane)
      B.CreateAlignedStore(B.CreateExtractElement(V, uint64_t(Lane)), At(Lane), I.getAlign());
  }
}

void LaneBody::executePlain(IRBuilderBase &B, size_t Number) {
  const Instruction &I = *Script[Number].I;
  const LaneStep &Is = Plan.steps()[Number];
  if (const auto *Store = dyn_cast<StoreInst>(&I)) {
    Stored[Number] = vector(B, *const_cast<Value *>(Store->getValueOperand()));
    store(B, *Store, Is, Stored[Number]);
  } else if (Is.Is == LaneStep::Kind::Kept) {
    Map[&I] = {.Data = Kept.lookup(Number)};
  } else if (const auto *Load = dyn_cast<LoadInst>(&I)) {
    Map[&I] = {.Data = load(B, *Load, Is)};
  } else {
    Map[&I] = {.Data = compute(B, I)};
  }
}

void LaneBody::execute(IRBuilderBase &B, size_t Number) {
  const RowStep &Step = Script[Number];
  const LaneStep &Is = Plan.steps()[Number];
  switch (Step.Is) {
  case RowStep::Kind::Phis:
    return mapPhis(Step);
  case RowStep::Kind::Note:
    Notes.push_back(valueOf(*const_cast<Value *>(cast<StoreInst>(Step.I)->getValueOperand())));
    return;
  case RowStep::Kind::Noted:
    Map[Step.I] = LaneValue(Notes[Step.Number]);
    return;
  case RowStep::Kind::Opaque:
    llvm_unreachable("there is no plan for it");
  case RowStep::Kind::Plain:
  case RowStep::Kind::Value:
    break;
  }
  if (Is.Is == LaneStep::Kind::Nothing)
    return;
  if (Is.Is == LaneStep::Kind::Symbol) // the memory that it reads may change later
    symbol(B, Is.Form.terms().front().Symbol, 0);
  if (Is.Is == LaneStep::Kind::Integer || Is.Is == LaneStep::Kind::Symbol)
    Map[Step.I] = {.Form = &Is.Form};
  else
    executePlain(B, Number);
}

/// Loads the value before the first row.
Value *LaneBody::keptAtFirst(const LoadInst &I, const LaneStep &Is, BasicBlock &Before) {
  IRBuilder<> B(Before.getTerminator());
  const LaneRows Rows = Of;
  Of.T = B.getInt64(0);
  Symbols.assign(Plan.symbols().size(), {});
  Words Each;
  for (unsigned Lane = 0; Lane < lanes(); ++Lane)
    Each.push_back(
        B.CreateAlignedLoad(I.getType(), integer(B, Is.Form, Lane, B.getPtrTy()), I.getAlign()));
  Symbols.assign(Plan.symbols().size(), {});
  Of = Rows;
  return gather(B, Each);
}

void LaneBody::begin(IRBuilderBase &B, const LaneRows &Where, BasicBlock &Before) {
  Symbols.assign(Plan.symbols().size(), {});
  Groups.assign(Plan.groups().size(), {});
  Asked.clear();
  Of = Where;
  const size_t Counters = Rows.Counters.size();
  for (auto [I, Form] : enumerate(Plan.header()))
    Map[I < Counters ? Rows.Counters[I].Phi : Rows.Carried[I - Counters]] = {.Form = &Form};
  for (auto [Number, Is] : enumerate(Plan.steps())) {
    if (Is.Is != LaneStep::Kind::Kept)
      continue;
    const auto &I = cast<LoadInst>(*Script[Number].I);
    PHINode *Phi = B.CreatePHI(FixedVectorType::get(I.getType(), lanes()), 2, "kept");
    Phi->addIncoming(keptAtFirst(I, Is, Before), &Before);
    Kept[Number] = Phi;
  }
}

void LaneBody::end(BasicBlock &Loop) {
  for (const auto &[Number, Phi] : Kept)
    Phi->addIncoming(Stored.lookup(Plan.steps()[Number].Place), &Loop);
}

void executeTogether(IRBuilderBase &B, MutableArrayRef<LaneBody> Bodies, size_t Steps) {
  for (size_t Number = 0; Number < Steps; ++Number)
    for (LaneBody &Body : Bodies)
      Body.execute(B, Number);
}

} // namespace specrt
