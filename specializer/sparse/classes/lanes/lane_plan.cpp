//===- specializer/sparse/classes/lanes/lane_plan.cpp - memory accesses of rows in lanes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/classes/lanes/lane_plan.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace specrt {
namespace {

/// Bytes that are loaded together for each lane.
constexpr uint64_t GroupBytes = 16;

bool isElement(Type *T) {
  return T->isFloatTy() || T->isDoubleTy() || T->isIntegerTy(8) || T->isIntegerTy(16) ||
         T->isIntegerTy(32) || T->isIntegerTy(64);
}

/// Returns whether \p I computed in vectors gives the same bits in each lane.
bool hasVectorForm(const Instruction &I) {
  if (!isElement(I.getType()) && !I.getType()->isIntegerTy(1))
    return false;
  if (const auto *Call = dyn_cast<IntrinsicInst>(&I))
    switch (Call->getIntrinsicID()) {
    case Intrinsic::fabs:
    case Intrinsic::sqrt:
    case Intrinsic::fma:
    case Intrinsic::copysign:
    case Intrinsic::smax:
    case Intrinsic::smin:
    case Intrinsic::umax:
    case Intrinsic::umin:
      return true;
    default:
      return false;
    }
  return isa<BinaryOperator, UnaryOperator, CastInst, SelectInst, CmpInst, FreezeInst>(I) &&
         all_of(I.operands(), [](const Use &U) {
           return isElement(U->getType()) || U->getType()->isIntegerTy(1);
         });
}

} // namespace

LaneRelation LaneRelation::neighbours(unsigned Lanes, const specrt_row_class &Class) {
  return {.Lanes = Lanes,
          .Rows = Lanes,
          .OfT = 1,
          .OfOrigins = SmallVector<int64_t>(Class.num_entries, 0)};
}

LaneRelation LaneRelation::ofBlock(unsigned Rows, const specrt_row_class &Class) {
  LaneRelation Relation = {.Lanes = unsigned(PowerOf2Ceil(Rows)), .Rows = Rows, .OfRow = 1};
  for (const specrt_row_entry &Entry : ArrayRef(Class.entries, Class.num_entries))
    Relation.OfOrigins.push_back(Entry.apart);
  return Relation;
}

std::optional<int64_t> LanePlan::apart(const SymbolSum &Form) const {
  uint64_t Sum = 0;
  for (const SymbolSum::Term &Each : Form.terms()) {
    const std::optional<int64_t> Apart = Symbols[Each.Symbol].Apart;
    if (!Apart)
      return std::nullopt;
    Sum += Each.Times * uint64_t(*Apart);
  }
  return int64_t(Sum);
}

class LanePlanner {
public:
  LanePlanner(const RowLoop &Rows, const specrt_row_class &Class, const ClassScript &Script,
              const LaneRelation &Lanes)
      : Rows(Rows), Class(Class), Script(Script), DL(Rows.L->getHeader()->getDataLayout()) {
    Plan.Lanes = Lanes;
  }

  bool plan();
  LanePlan take() { return std::move(Plan); }

private:
  using Apart = std::optional<int64_t>;
  using Symbol = LaneSymbol::Kind;

  SymbolSum newSymbol(const LaneSymbol &New) {
    Plan.Symbols.push_back(New);
    return SymbolSum::symbol(unsigned(Plan.Symbols.size() - 1));
  }
  const SymbolSum *integer(const Value &V);
  void use(const SymbolSum &Form) {
    for (const SymbolSum::Term &Each : Form.terms())
      Plan.Symbols[Each.Symbol].IsUsed = true;
  }
  void useOperands(const Instruction &I);
  SymbolSum entry(unsigned Number);
  void beginRow();
  void set(const Value &V, const std::optional<SymbolSum> &Form);
  bool addPhis(const RowStep &Step);
  std::optional<SymbolSum> linear(const Instruction &I);
  bool addPlain(const Instruction &I, LaneStep &To);
  bool addAccess(const Instruction &I, LaneStep &To);
  bool addValue(const RowStep &Step, LaneStep &To);
  bool addStep(const RowStep &Step, LaneStep &To);
  void setSymbol(const Instruction &I, LaneStep &To, Apart By);
  void group();
  bool isOfRowBefore(const SymbolSum &Form, const SymbolSum &Store) const;
  void keepStored();

  /// A load that each lane executes for itself.
  struct OwnLoad {
    size_t Step;
    Type *Of;
    bool IsGrouped = false;
  };

  const RowLoop &Rows;
  const specrt_row_class &Class;
  const ClassScript &Script;
  const DataLayout &DL;
  LanePlan Plan;
  SymbolSum T;
  unsigned RowSymbol = 0;
  /// Integers known in the row; only values that determine addresses are in this map.
  DenseMap<const Value *, SymbolSum> Integers;
  DenseSet<const Value *> Data;
  SmallVector<std::optional<SymbolSum>> Notes; ///< nothing: data
  std::vector<OwnLoad> OwnLoads;
  /// Loads of lanes from memory that rows may write, and stores, by step.
  SmallVector<size_t> ChangingLoads, Stores;
};

/// Returns the form of \p V; null if it does not determine addresses.
const SymbolSum *LanePlanner::integer(const Value &V) {
  if (Data.contains(&V) || !V.getType()->isIntOrPtrTy())
    return nullptr;
  const auto Known = Integers.find(&V);
  if (Known != Integers.end())
    return &Known->second;
  const auto *Number = dyn_cast<ConstantInt>(&V);
  SymbolSum Form = Number && Number->getBitWidth() <= 64
                       ? SymbolSum(Number->getSExtValue())
                       : newSymbol({.Is = Symbol::Input, .Apart = 0, .V = &V});
  return &(Integers[&V] = std::move(Form));
}

/// Marks the operands of \p I as used by code.
void LanePlanner::useOperands(const Instruction &I) {
  for (const Use &U : I.operands())
    if (const SymbolSum *Form = isa<Function>(U) ? nullptr : integer(*U))
      use(*Form);
}

/// Returns the form of an affine entry.
SymbolSum LanePlanner::entry(unsigned Number) {
  const specrt_row_entry &Entry = Class.entries[Number];
  const LaneRelation &Lanes = Plan.Lanes;
  if (Lanes.Is == LaneRelation::Kind::OwnRows && SPECRT_ROW_FOLLOWS_PATTERN(Entry)) {
    SymbolSum Form = newSymbol({.Is = Symbol::Offset, .Apart = 0, .Number = Number});
    Form.add(Plan.Row, uint64_t(Entry.number));
    return Form;
  }
  if (Lanes.Is == LaneRelation::Kind::OwnSegments && (Entry.ties & SPECRT_ROW_FOLLOWS)) {
    SymbolSum Form = Entry.ties & SPECRT_ROW_BESIDE
                         ? SymbolSum(Entry.beside)
                         : newSymbol({.Is = Symbol::Offset, .Apart = 0, .Number = Number});
    Form.add(Plan.Row);
    return Form;
  }
  const Apart Of = Lanes.Is != LaneRelation::Kind::Related ? Apart() : Lanes.OfOrigins[Number];
  SymbolSum Form = newSymbol({.Is = Symbol::Origin, .Apart = Of, .Number = Number});
  if (Lanes.Is != LaneRelation::Kind::OwnRows)
    Form.add(T, uint64_t(Entry.number));
  return Form;
}

void LanePlanner::beginRow() {
  const LaneRelation &Lanes = Plan.Lanes;
  T = newSymbol({.Is = Symbol::T, .Apart = Lanes.OfT});
  const Apart OfRow = Lanes.Is != LaneRelation::Kind::Related ? Apart() : Lanes.OfRow;
  Plan.Row = newSymbol({.Is = Symbol::Row, .Apart = OfRow});
  RowSymbol = Plan.Row.terms().front().Symbol;
  if (Lanes.Is != LaneRelation::Kind::OwnRows)
    Plan.Row.add(T, Class.step);
  for (auto [I, C] : enumerate(Rows.Counters)) {
    SymbolSum Form = *integer(*C.Phi->getIncomingValueForBlock(Rows.L->getLoopPreheader()));
    Form.add(Plan.Row, uint64_t(C.Step.getSExtValue()));
    if (C.MayWrap)
      Form = newSymbol({.Is = Symbol::Counter, .Apart = Apart(), .Number = unsigned(I)});
    Plan.Header.push_back(Form);
    set(*C.Phi, Form);
  }
  for (auto [I, Phi] : enumerate(Rows.Carried)) {
    Plan.Header.push_back(entry(unsigned(I)));
    set(*Phi, Plan.Header.back());
  }
}

/// Sets the form of \p V; nothing marks it as data.
void LanePlanner::set(const Value &V, const std::optional<SymbolSum> &Form) {
  if (Form) {
    Data.erase(&V);
    Integers[&V] = *Form;
  } else {
    Integers.erase(&V);
    Data.insert(&V);
  }
}

bool LanePlanner::addPhis(const RowStep &Step) {
  SmallVector<std::pair<const PHINode *, std::optional<SymbolSum>>> Now;
  for (const PHINode &Phi : Step.Block->phis()) {
    const Value &V = *Phi.getIncomingValueForBlock(Step.From);
    const SymbolSum *Form = integer(V);
    if (!Form && !isElement(V.getType()))
      return false;
    Now.emplace_back(&Phi, Form ? std::optional(*Form) : std::nullopt);
  }
  for (auto &[Phi, Form] : Now)
    set(*Phi, Form);
  return true;
}

/// Returns \p I, whose operands all have forms, as a form; nothing if it is not linear.
std::optional<SymbolSum> LanePlanner::linear(const Instruction &I) {
  const auto Of = [&](unsigned Operand) { return *integer(*I.getOperand(Operand)); };
  const bool IsExact =
      I.getType()->isIntegerTy(64) || (isa<OverflowingBinaryOperator>(I) && I.hasNoSignedWrap());
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub: {
    if (!IsExact)
      return std::nullopt;
    SymbolSum Sum = Of(0);
    Sum.add(Of(1), I.getOpcode() == Instruction::Add ? 1 : ~uint64_t{0});
    return Sum;
  }
  case Instruction::Or: {
    if (!I.getType()->isIntegerTy(64) || !cast<PossiblyDisjointInst>(I).isDisjoint())
      return std::nullopt;
    SymbolSum Sum = Of(0);
    Sum.add(Of(1));
    return Sum;
  }
  case Instruction::Mul:
    for (unsigned Number : {0u, 1u})
      if (const auto Factor = Of(Number).number(); Factor && IsExact)
        return Of(1 - Number).times(*Factor);
    return std::nullopt;
  case Instruction::Shl:
    if (const auto By = Of(1).number(); By && *By < 63 && IsExact)
      return Of(0).times(uint64_t{1} << *By);
    return std::nullopt;
  case Instruction::SExt:
    return Of(0);
  case Instruction::ZExt:
    return I.hasNonNeg() ? std::optional(Of(0)) : std::nullopt;
  case Instruction::Trunc:
    return I.hasNoSignedWrap() ? std::optional(Of(0)) : std::nullopt;
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
    return I.getOperand(0)->getType()->isIntegerTy(64) || I.getType()->isIntegerTy(64)
               ? std::optional(Of(0))
               : std::nullopt;
  case Instruction::Freeze:
    return Of(0);
  case Instruction::GetElementPtr: {
    SmallMapVector<Value *, APInt, 4> Variable;
    APInt Constant(64, 0);
    if (!cast<GEPOperator>(I).collectOffset(DL, 64, Variable, Constant))
      return std::nullopt;
    SymbolSum Sum = Of(0);
    Sum.add(SymbolSum(Constant.getSExtValue()));
    for (const auto &[Index, Scale] : Variable) {
      const SymbolSum *Form = integer(*Index);
      if (!Form)
        return std::nullopt;
      Sum.add(*Form, Scale.getZExtValue());
    }
    return Sum;
  }
  default:
    return std::nullopt;
  }
}

/// Makes the result of \p I a symbol of its own.
void LanePlanner::setSymbol(const Instruction &I, LaneStep &To, Apart By) {
  useOperands(I);
  To.Is = LaneStep::Kind::Symbol;
  To.Apart = By == 0 ? By : std::nullopt;
  const auto Number = unsigned(&To - Plan.Steps.data());
  To.Form = newSymbol({.Is = Symbol::Step, .Apart = To.Apart, .Number = Number});
  set(I, To.Form);
}

bool LanePlanner::addPlain(const Instruction &I, LaneStep &To) {
  if (isa<LoadInst, StoreInst>(I))
    return addAccess(I, To);
  // A comparison that only decides a branch is not needed, as the script has followed it.
  if (isa<CmpInst>(I) &&
      all_of(I.users(), [](const User *U) { return cast<Instruction>(U)->isTerminator(); }))
    return true;
  const auto IsInteger = [&](const Use &U) { return isa<Function>(U) || integer(*U) != nullptr; };
  if (!I.getType()->isIntOrPtrTy() || !all_of(I.operands(), IsInteger)) {
    useOperands(I);
    To.Is = LaneStep::Kind::Data;
    set(I, std::nullopt);
    return hasVectorForm(I);
  }
  if (std::optional<SymbolSum> Form = linear(I)) {
    To.Is = LaneStep::Kind::Integer;
    To.Form = *Form;
    To.Apart = Plan.apart(*Form);
    set(I, Form);
    return true;
  }
  const bool IsSame = all_of(I.operands(), [&](const Use &U) {
    return isa<Function>(U) || Plan.apart(*integer(*U)) == 0;
  });
  setSymbol(I, To, IsSame ? Apart(0) : Apart());
  return true;
}

/// Plans loads of numbers, and stores.
bool LanePlanner::addAccess(const Instruction &I, LaneStep &To) {
  Type *Of = getLoadStoreType(&I);
  const SymbolSum *Address = integer(*getLoadStorePointerOperand(&I));
  if (!isElement(Of) || !Address)
    return false;
  useOperands(I);
  To.Form = *Address;
  To.Apart = Plan.apart(*Address);
  const auto Bytes = int64_t(DL.getTypeStoreSize(Of).getFixedValue());
  if (To.Apart == 0)
    To.Is = LaneStep::Kind::Once;
  else if (Plan.Lanes.Rows != Plan.Lanes.Lanes)
    To.Is = LaneStep::Kind::Each;
  else if (To.Apart == Bytes)
    To.Is = LaneStep::Kind::Together;
  else if (To.Apart == -Bytes)
    To.Is = LaneStep::Kind::Reversed;
  else
    To.Is = LaneStep::Kind::Each;
  const size_t Number = size_t(&To - Plan.Steps.data());
  if (isa<StoreInst>(I)) {
    Stores.push_back(Number);
    const Value *V = cast<StoreInst>(I).getValueOperand();
    return To.Is != LaneStep::Kind::Once && (integer(*V) || isElement(V->getType()));
  }
  const uint32_t Flags = Rows.Bases[Rows.BaseOf.lookup(&I)].Flags;
  if (To.Is == LaneStep::Kind::Each && !(Flags & (SPECRT_ROWS_WRITTEN | SPECRT_ROWS_NOTES)))
    OwnLoads.push_back({Number, Of});
  else if (To.Is == LaneStep::Kind::Each)
    ChangingLoads.push_back(Number);
  set(I, std::nullopt);
  return true;
}

bool LanePlanner::addValue(const RowStep &Step, LaneStep &To) {
  if (Class.entries[Step.Number].mode != SPECRT_ROW_AFFINE) {
    setSymbol(*Step.I, To, Plan.apart(*integer(*getLoadStorePointerOperand(Step.I))));
    return true;
  }
  To.Is = LaneStep::Kind::Integer;
  To.Form = entry(Step.Number);
  To.Apart = Plan.apart(To.Form);
  set(*Step.I, To.Form);
  return true;
}

bool LanePlanner::addStep(const RowStep &Step, LaneStep &To) {
  switch (Step.Is) {
  case RowStep::Kind::Phis:
    return addPhis(Step);
  case RowStep::Kind::Plain:
    return addPlain(*Step.I, To);
  case RowStep::Kind::Value:
    return addValue(Step, To);
  case RowStep::Kind::Note: {
    const Value *V = cast<StoreInst>(Step.I)->getValueOperand();
    const SymbolSum *Form = integer(*V);
    Notes.push_back(Form ? std::optional(*Form) : std::nullopt);
    return Form || isElement(V->getType());
  }
  case RowStep::Kind::Noted:
    set(*Step.I, Notes[Step.Number]);
    return true;
  case RowStep::Kind::Opaque:
    return false;
  }
  llvm_unreachable("all kinds");
}

/// Finds adjacent loads, as many as GroupBytes hold.
void LanePlanner::group() {
  for (size_t I = 0; I < OwnLoads.size(); ++I) {
    const OwnLoad &First = OwnLoads[I];
    const uint64_t Bytes = DL.getTypeStoreSize(First.Of);
    SmallVector<size_t> Members(GroupBytes / Bytes, SIZE_MAX);
    for (size_t J = I; J < OwnLoads.size(); ++J) {
      const OwnLoad &Other = OwnLoads[J];
      const auto Distance = Plan.Steps[Other.Step].Form.distanceFrom(Plan.Steps[First.Step].Form);
      if (Other.IsGrouped || Other.Of != First.Of || !Distance || *Distance < 0 ||
          uint64_t(*Distance) % Bytes != 0 || uint64_t(*Distance) / Bytes >= Members.size())
        continue;
      size_t &Member = Members[uint64_t(*Distance) / Bytes];
      if (Member == SIZE_MAX)
        Member = J;
    }
    if (First.IsGrouped || Members.size() < 2 || Plan.Lanes.Lanes % Members.size() != 0 ||
        is_contained(Members, SIZE_MAX))
      continue;
    for (auto [Place, Member] : enumerate(Members)) {
      OwnLoads[Member].IsGrouped = true;
      LaneStep &Step = Plan.Steps[OwnLoads[Member].Step];
      Step.Is = LaneStep::Kind::Group;
      Step.Group = unsigned(Plan.Groups.size());
      Step.Place = unsigned(Place);
    }
    Plan.Groups.push_back(unsigned(Members.size()));
  }
}

/// Returns whether \p Store writes another place in each row, and \p Form is the place that it
/// wrote in the previous row.
bool LanePlanner::isOfRowBefore(const SymbolSum &Form, const SymbolSum &Store) const {
  uint64_t OfRow = 0, OfT = 0;
  for (const SymbolSum::Term &Each : Store.terms()) {
    const LaneSymbol &S = Plan.Symbols[Each.Symbol];
    if (Each.Symbol == RowSymbol)
      OfRow = Each.Times;
    else if (S.Is == Symbol::T)
      OfT = Each.Times;
    else if (S.Apart != 0)
      return false;
  }
  return OfRow != 0 && OfT == OfRow * Class.step && Form.distanceFrom(Store) == -int64_t(OfT);
}

/// Keeps values in registers that a lane has just stored. Other lanes write the places of other
/// rows.
void LanePlanner::keepStored() {
  if (Plan.Lanes.Is != LaneRelation::Kind::OwnSegments)
    return;
  for (const size_t Load : ChangingLoads) {
    const unsigned Base = Rows.BaseOf.lookup(Script[Load].I);
    SmallVector<size_t> Through;
    copy_if(Stores, std::back_inserter(Through),
            [&](size_t Store) { return Rows.BaseOf.lookup(Script[Store].I) == Base; });
    if (Through.size() != 1)
      continue;
    const Instruction &Store = *Script[Through.front()].I;
    if (getLoadStoreType(&Store) != Script[Load].I->getType() ||
        !isOfRowBefore(Plan.Steps[Load].Form, Plan.Steps[Through.front()].Form))
      continue;
    Plan.Steps[Load].Is = LaneStep::Kind::Kept;
    Plan.Steps[Load].Place = unsigned(Through.front());
  }
}

bool LanePlanner::plan() {
  beginRow();
  Plan.Steps.resize(Script.size());
  for (auto [Step, To] : zip_equal(Script, Plan.Steps))
    if (!addStep(Step, To))
      return false;
  group();
  keepStored();
  return true;
}

std::optional<LanePlan> LanePlan::make(const RowLoop &Rows, const specrt_row_class &Class,
                                       const ClassScript &Script, const LaneRelation &Lanes) {
  LanePlanner Planner(Rows, Class, Script, Lanes);
  if (!Planner.plan())
    return std::nullopt;
  return Planner.take();
}

unsigned widestElement(const ClassScript &Script) {
  unsigned Bytes = 0;
  for (const RowStep &Step : Script)
    if (Step.I && Step.I->getType()->isFloatingPointTy())
      Bytes = std::max(Bytes, unsigned(Step.I->getType()->getPrimitiveSizeInBits() / 8));
  return Bytes;
}

} // namespace specrt
