//===- specializer/polyhedral/ragged/quadratic_rows.cpp - rows at quadratic addresses ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/ragged/quadratic_rows.h"
#include "analysis/memory/linear_form.h"
#include "analysis/memory/scev_value.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>

using namespace llvm;

namespace specrt {
namespace {

/// Limits on rows and columns of an array.
constexpr int64_t MaxRows = 1 << 16;
constexpr int64_t MaxIterations = 1 << 20;
/// Limit on the points at which a subscript is evaluated.
constexpr uint64_t MaxPoints = 1 << 23;
/// Limit on coefficients and offsets: products with MaxIterations stay far below 2^63.
constexpr int64_t MaxNumber = int64_t{1} << 40;

int64_t floorDiv(int64_t A, int64_t B) { return A / B - (A % B != 0 && (A < 0) != (B < 0)); }
int64_t triangle(int64_t N) { return N * (N - 1) / 2; }

/// Returns \p Offset if it may be an offset into an array.
std::optional<int64_t> small(std::optional<int64_t> Offset) {
  return Offset && *Offset > -MaxOffset && *Offset < MaxOffset ? Offset : std::nullopt;
}

/// Curvature * C(o + Slope * p, 2) + Rest, where o and p are the iteration numbers of two loops.
struct Quadratic {
  const Loop *Outer = nullptr, *Inner = nullptr; ///< null: Slope is 0
  int64_t Curvature = 0, Slope = 0;
  LinearForm Rest;
};

/// One access by row and column. The row is o + Slope * p + Step; rows begin at Curvature * C(row,
/// 2) + Linear * row.
struct Candidate {
  Instruction *Access;
  Quadratic Subscript; ///< in elements
  int64_t Step = 0, Linear = 0;

  LinearForm row() const {
    LinearForm Row(Step);
    Row.add(Subscript.Outer, 1);
    if (Subscript.Inner)
      Row.add(Subscript.Inner, Subscript.Slope);
    return Row;
  }

  /// Uses C(x + s, 2) = C(x, 2) + s x + C(s, 2).
  LinearForm column() const {
    const int64_t Q = Subscript.Curvature;
    LinearForm Column = Subscript.Rest;
    Column.Constant -= Q * triangle(Step);
    Column.add(Subscript.Outer, -Q * Step);
    if (Subscript.Inner)
      Column.add(Subscript.Inner, -Q * Step * Subscript.Slope);
    Column.add(row(), -Linear);
    return Column;
  }
};

/// The range of a row's columns.
struct Hull {
  int64_t Low = std::numeric_limits<int64_t>::max(), High = std::numeric_limits<int64_t>::min();
};
using Hulls = std::map<int64_t, Hull>;

bool isCurved(int64_t Curvature) {
  return Curvature != 0 && std::abs(Curvature) <= MaxNumber / MaxIterations;
}

/// The accesses through one pointer.
class Finder {
public:
  Finder(Value *Base, ScalarEvolution &SE) : Base(Base), SE(SE) {}

  bool add(Instruction &Access);
  std::optional<RaggedArray> find();

private:
  std::optional<Quadratic> quadratic(const SCEV *Offset);
  std::optional<Quadratic> fit(ScevValue &Value);
  std::optional<Quadratic> fitOne(ScevValue &Value);
  std::optional<Quadratic> fitTwo(ScevValue &Value);
  bool addRows(const Candidate &C, Hulls &Rows);
  bool areDisjoint(const Hulls &Rows) const;
  bool chooseStep(Candidate &C);
  std::optional<RaggedArray> describe();

  Value *Base;
  ScalarEvolution &SE;
  int64_t ElementBytes = 0;
  SmallVector<Instruction *, 8> Accesses;
  SmallVector<Candidate, 8> Candidates;
  Hulls Rows;
  int64_t Linear = 0;
};

bool Finder::add(Instruction &Access) {
  const DataLayout &Layout = Access.getDataLayout();
  Type *T = getLoadStoreType(&Access);
  const int64_t Bytes = int64_t(Layout.getTypeStoreSize(T).getKnownMinValue());
  if (T->isVectorTy() || Bytes != int64_t(Layout.getTypeAllocSize(T).getKnownMinValue()) ||
      (ElementBytes != 0 && ElementBytes != Bytes))
    return false;
  ElementBytes = Bytes;
  Accesses.push_back(&Access);
  return true;
}

std::optional<Quadratic> Finder::fitOne(ScevValue &Value) {
  Quadratic Q;
  Q.Outer = Value.loops()[0];
  std::optional<int64_t> Last = constantLastIteration(Q.Outer, SE);
  if (!Last || *Last < 2)
    return std::nullopt;
  auto At = [&](int64_t T) { return small(Value.at({uint64_t(T)})); };
  auto Y0 = At(0), Y1 = At(1), Y2 = At(2);
  if (!Y0 || !Y1 || !Y2)
    return std::nullopt;
  Q.Rest = LinearForm(*Y0);
  Q.Rest.add(Q.Outer, *Y1 - *Y0);
  Q.Curvature = *Y2 - 2 * *Y1 + *Y0;
  if (!isCurved(Q.Curvature) || !Q.Rest.isBelow(MaxNumber))
    return std::nullopt;
  for (int64_t T = 0; T <= *Last; ++T)
    if (At(T) != Q.Curvature * triangle(T) + (*Y1 - *Y0) * T + *Y0)
      return std::nullopt;
  return Q;
}

std::optional<Quadratic> Finder::fitTwo(ScevValue &Value) {
  Quadratic Q;
  unsigned Outer = Value.loops()[0]->contains(Value.loops()[1]) ? 0 : 1;
  Q.Outer = Value.loops()[Outer];
  Q.Inner = Value.loops()[1 - Outer];
  std::optional<int64_t> LastO = constantLastIteration(Q.Outer, SE),
                         LastP = constantLastIteration(Q.Inner, SE);
  if (!Q.Outer->contains(Q.Inner) || !LastO || !LastP || *LastO < 2 || *LastP < 2 ||
      uint64_t(*LastO + 1) * uint64_t(*LastP + 1) > MaxPoints)
    return std::nullopt;
  auto At = [&](int64_t O, int64_t P) {
    uint64_t Iterations[2];
    Iterations[Outer] = uint64_t(O);
    Iterations[1 - Outer] = uint64_t(P);
    return small(Value.at(Iterations));
  };
  auto Y00 = At(0, 0), Y10 = At(1, 0), Y20 = At(2, 0), Y01 = At(0, 1), Y11 = At(1, 1);
  if (!Y00 || !Y10 || !Y20 || !Y01 || !Y11)
    return std::nullopt;
  Q.Curvature = *Y20 - 2 * *Y10 + *Y00;
  const int64_t Mixed = *Y11 - *Y10 - *Y01 + *Y00;
  if (!isCurved(Q.Curvature) || Mixed % Q.Curvature != 0)
    return std::nullopt;
  Q.Slope = Mixed / Q.Curvature;
  if (Q.Slope < -1 || Q.Slope > 1)
    return std::nullopt;
  const int64_t PerO = *Y10 - *Y00, PerP = *Y01 - *Y00 - Q.Curvature * triangle(Q.Slope);
  Q.Rest = LinearForm(*Y00);
  Q.Rest.add(Q.Outer, PerO);
  Q.Rest.add(Q.Inner, PerP);
  if (!Q.Rest.isBelow(MaxNumber))
    return std::nullopt;
  for (int64_t O = 0; O <= *LastO; ++O)
    for (int64_t P = 0; P <= *LastP; ++P)
      if (At(O, P) != Q.Curvature * triangle(O + Q.Slope * P) + PerO * O + PerP * P + *Y00)
        return std::nullopt;
  return Q;
}

std::optional<Quadratic> Finder::fit(ScevValue &Value) {
  if (!Value.isKnown())
    return std::nullopt;
  switch (Value.loops().size()) {
  case 1:
    return fitOne(Value);
  case 2:
    return fitTwo(Value);
  default:
    return std::nullopt;
  }
}

/// Returns \p Offset, which is in bytes, as a quadratic function.
std::optional<Quadratic> Finder::quadratic(const SCEV *Offset) {
  SmallVector<const SCEV *, 2> Others;
  LinearForm Affine;
  if (!splitAffine(Offset, Affine, Others) || Others.empty())
    return std::nullopt;
  ScevValue Value(SE.getAddExpr(Others), SE);
  std::optional<Quadratic> Q = fit(Value);
  if (!Q || !Affine.isBelow(MaxNumber))
    return std::nullopt;
  Q->Rest.add(Affine);
  if (Q->Curvature % ElementBytes != 0 || !Q->Rest.divideBy(ElementBytes))
    return std::nullopt;
  Q->Curvature /= ElementBytes;
  return Q;
}

/// Adds the columns of \p C to \p To: a superset of the accessed ones.
bool Finder::addRows(const Candidate &C, Hulls &To) {
  const Quadratic &Q = C.Subscript;
  std::optional<int64_t> LastO = constantLastIteration(Q.Outer, SE);
  std::optional<int64_t> LastP = Q.Inner ? constantLastIteration(Q.Inner, SE) : 0;
  auto IsKept = [&](const Loop *L) { return L == Q.Outer || L == Q.Inner; };
  std::optional<LinearForm> Low = eliminate(C.column(), SE, IsKept, /*Upper=*/false),
                            High = eliminate(C.column(), SE, IsKept, /*Upper=*/true);
  if (!LastO || !LastP || !Low || !High || !Low->isBelow(MaxNumber) || !High->isBelow(MaxNumber))
    return false;
  const int64_t FirstRow = std::min<int64_t>(0, Q.Slope) * *LastP;
  const int64_t LastRow = *LastO + std::max<int64_t>(0, Q.Slope) * *LastP;
  if (LastRow - FirstRow >= MaxRows)
    return false;
  for (int64_t Row = FirstRow; Row <= LastRow; ++Row) {
    // All p in [From, To] with an o = Row - Slope * p; a linear function has its extremes at the
    // ends.
    int64_t From = 0, Last = *LastP;
    if (Q.Slope > 0)
      From = std::max<int64_t>(From, Row - *LastO), Last = std::min(Last, Row);
    if (Q.Slope < 0)
      From = std::max<int64_t>(From, -Row), Last = std::min(Last, *LastO - Row);
    if (From > Last)
      continue;
    for (int64_t P : {From, Last}) {
      auto At = [&](const LinearForm &Form) {
        return Form.Constant + Form.factor(Q.Outer) * (Row - Q.Slope * P) +
               (Q.Inner ? Form.factor(Q.Inner) * P : 0);
      };
      Hull &Columns = To[Row + C.Step];
      Columns.Low = std::min(Columns.Low, At(*Low));
      Columns.High = std::max(Columns.High, At(*High));
    }
  }
  return int64_t(To.size()) <= MaxRows;
}

bool Finder::areDisjoint(const Hulls &All) const {
  const int64_t Q = Candidates.front().Subscript.Curvature;
  SmallVector<std::pair<int64_t, int64_t>> Places;
  for (const auto &[Row, Columns] : All)
    if (Columns.Low <= Columns.High) {
      const int64_t Begin = Q * triangle(Row) + Linear * Row;
      Places.push_back({Begin + Columns.Low, Begin + Columns.High});
    }
  llvm::sort(Places);
  for (size_t N = 1; N < Places.size(); ++N)
    if (Places[N].first <= Places[N - 1].second)
      return false;
  return true;
}

/// Chooses Step, as the same place can be described with different rows: the choice must keep the
/// rows disjoint.
bool Finder::chooseStep(Candidate &C) {
  const Quadratic &Q = C.Subscript;
  // The first candidate's offset defines where rows begin; the others adapt.
  const int64_t PerRow = Q.Rest.factor(Q.Outer);
  if (Rows.empty())
    Linear = PerRow - floorDiv(PerRow, Q.Curvature) * Q.Curvature;
  C.Linear = Linear;
  const int64_t Usual = floorDiv(PerRow - Linear, Q.Curvature);
  if (std::abs(Usual) > MaxIterations)
    return false;
  for (int64_t Step : {Usual, Usual - 1, Usual + 1}) {
    C.Step = Step;
    Hulls More = Rows;
    if (addRows(C, More) && areDisjoint(More)) {
      Rows = std::move(More);
      return true;
    }
  }
  return false;
}

std::optional<RaggedArray> Finder::find() {
  for (Instruction *Access : Accesses) {
    std::optional<Quadratic> Q =
        quadratic(SE.removePointerBase(SE.getSCEV(getLoadStorePointerOperand(Access))));
    if (!Q || (!Candidates.empty() && Candidates.front().Subscript.Curvature != Q->Curvature) ||
        any_of(Q->Rest.loops(), [&](const Loop *L) { return !L->contains(Access); }) ||
        !Q->Outer->contains(Access) || (Q->Inner && !Q->Inner->contains(Access)))
      return std::nullopt;
    Candidates.push_back({Access, std::move(*Q)});
  }
  // Accesses that run along rows determine where rows begin.
  SmallVector<Candidate *, 8> Order;
  for (Candidate &C : Candidates)
    Order.push_back(&C);
  llvm::sort(Order, [](const Candidate *A, const Candidate *B) {
    const size_t OfA = A->Subscript.Rest.loops().size(), OfB = B->Subscript.Rest.loops().size();
    return OfA != OfB ? OfA > OfB : A < B;
  });
  for (Candidate *C : Order)
    if (!chooseStep(*C))
      return std::nullopt;
  return describe();
}

std::optional<RaggedArray> Finder::describe() {
  int64_t Low = std::numeric_limits<int64_t>::max(), High = std::numeric_limits<int64_t>::min();
  for (const Hull &Columns : make_second_range(Rows)) {
    Low = std::min(Low, Columns.Low);
    High = std::max(High, Columns.High);
  }
  RaggedArray Array;
  Array.Base = Base;
  Array.ElementBytes = ElementBytes;
  Array.Curvature = Candidates.front().Subscript.Curvature;
  Array.FirstRow = Rows.begin()->first;
  Array.Slope = Linear;
  Array.Shift = ColumnMargin - Low;
  // Not a power of two, for which LLVM would copy rows to avoid cache conflicts.
  Array.Pitch = (High - Low + 2 * ColumnMargin) / 8 * 8 + 24;
  const int64_t NumRows = Rows.rbegin()->first - Array.FirstRow + 1;
  if (High - Low > MaxRows || NumRows > MaxRows || NumRows * Array.Pitch > MaxNumber / ElementBytes)
    return std::nullopt;
  Type *Integer = Type::getInt64Ty(Base->getContext());
  for (const Candidate &C : Candidates) {
    LinearForm Row = C.row(), Column = C.column();
    Row.Constant -= Array.FirstRow;
    Column.Constant += Array.Shift;
    Array.Accesses.push_back(
        {C.Access, {Row.expression(SE, Integer)}, Column.expression(SE, Integer)});
  }
  return Array;
}

bool isAffine(const SCEV *Offset) {
  LinearForm Form;
  SmallVector<const SCEV *, 2> Others;
  return splitAffine(Offset, Form, Others) && Others.empty();
}

/// The accesses of \p F by their base pointers.
using AccessesByBase = MapVector<Value *, SmallVector<Instruction *, 8>>;

AccessesByBase accessesOf(Function &F, ScalarEvolution &SE) {
  AccessesByBase ByBase;
  for (Instruction &I : instructions(F))
    if (Value *Pointer = getLoadStorePointerOperand(&I))
      if (const auto *Root = dyn_cast<SCEVUnknown>(SE.getPointerBase(SE.getSCEV(Pointer))))
        ByBase[Root->getValue()].push_back(&I);
  return ByBase;
}

bool isCurved(Instruction *Access, ScalarEvolution &SE, const LoopInfo &LI) {
  return LI.getLoopFor(Access->getParent()) &&
         !isAffine(SE.removePointerBase(SE.getSCEV(getLoadStorePointerOperand(Access))));
}

/// Returns whether \p Base is available before all loops.
bool isFromOutside(const Value *Base, const Function &F) {
  auto *Definition = dyn_cast<Instruction>(Base);
  return Definition ? Definition->getParent() == &F.getEntryBlock() : isa<Argument>(Base);
}

} // namespace

bool isOnlyAccessedBy(const Value *Base, ArrayRef<Instruction *> Accesses) {
  SmallVector<const Value *, 8> Worklist{Base};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Worklist.empty()) {
    const Value *Pointer = Worklist.pop_back_val();
    if (!Seen.insert(Pointer).second)
      continue;
    for (const Use &U : Pointer->uses()) {
      const User *By = U.getUser();
      if (isa<GetElementPtrInst>(By) || isa<PHINode>(By))
        Worklist.push_back(By);
      else if (!is_contained(Accesses, By) ||
               (isa<StoreInst>(By) && U.getOperandNo() != StoreInst::getPointerOperandIndex()))
        return false;
    }
  }
  return true;
}

bool isSimpleAccess(const Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple();
  auto *Store = dyn_cast<StoreInst>(&I);
  return Store && Store->isSimple();
}

bool hasCurvedSubscripts(Function &F, ScalarEvolution &SE, LoopInfo &LI) {
  return any_of(accessesOf(F, SE), [&](const auto &Entry) {
    return any_of(Entry.second, [&](Instruction *Access) { return isCurved(Access, SE, LI); });
  });
}

SmallVector<RaggedArray, 2> findQuadraticRows(Function &F, ScalarEvolution &SE, LoopInfo &LI) {
  SmallVector<RaggedArray, 2> Found;
  for (auto &[Base, Accesses] : accessesOf(F, SE)) {
    if (!isFromOutside(Base, F) ||
        none_of(Accesses, [&](Instruction *Access) { return isCurved(Access, SE, LI); }) ||
        !isOnlyAccessedBy(Base, Accesses))
      continue;
    Finder Rows(Base, SE);
    if (all_of(Accesses, [&](Instruction *I) { return isSimpleAccess(*I) && Rows.add(*I); }))
      if (std::optional<RaggedArray> Array = Rows.find())
        Found.push_back(std::move(*Array));
  }
  return Found;
}

} // namespace specrt
