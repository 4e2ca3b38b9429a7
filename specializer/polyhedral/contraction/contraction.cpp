//===- specializer/polyhedral/contraction/contraction.cpp - recognises contractions -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/contraction/contraction.h"
#include "polly/ScopInfo.h"
#include "specializer/polyhedral/contraction/contraction_accesses.h"
#include "specializer/rounding/sum_marks.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace specrt {
namespace {

constexpr unsigned MaxOperands = 4; ///< of each kind; more do not fit the registers
constexpr unsigned MaxTreeSize = 32;

/// Returns whether \p I cannot trap, whatever the unused lanes of a vector contain.
bool isHarmless(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::FNeg:
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::ICmp:
  case Instruction::FCmp:
  case Instruction::Select:
    return true;
  case Instruction::Call:
    break;
  default:
    return false;
  }
  switch (cast<CallInst>(I).getIntrinsicID()) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
    return true;
  default:
    return false;
  }
}

/// Chooses the coordinates of a contraction.
class CoordinateSearch {
public:
  explicit CoordinateSearch(Contraction &C) : C(C) {
    Addresses.push_back(&C.Result);
    for (LinearAddress &Copy : C.Copies)
      Addresses.push_back(&Copy);
    for (auto &Entry : C.Loads)
      Addresses.push_back(&Entry.second);
  }

  void run() {
    unsigned NumDims = unsigned(C.Result.PerDim.size());
    C.Shear.assign(NumDims, SmallVector<int, 4>(NumDims, 0));
    for (unsigned D = 1; D < NumDims; ++D)
      for (unsigned O = 0; O < D; ++O)
        Pairs.push_back({D, O});
    // Tries factors of -1, 0 and 1 for every pair; in deep nests only those of the innermost three
    // loops.
    if (NumDims > 4)
      erase_if(Pairs, [&](const auto &P) { return P.second + 3 < NumDims; });
    BestScore = score();
    search(0, 0);
    for (auto [Pair, Factor] : zip(Pairs, Best))
      shear(Pair.first, Pair.second, Factor);
  }

private:
  /// Prefers accesses that depend on few dimensions, then few changes.
  int score() const {
    int Score = 0;
    for (const LinearAddress *A : Addresses)
      Score += int(count(A->PerDim, 0)) * 64;
    return Score;
  }

  void search(size_t Next, int NumChanges) {
    if (Next == Pairs.size()) {
      if (int Score = score() - NumChanges; Score > BestScore) {
        BestScore = Score;
        Best = Current;
      }
      return;
    }
    for (int Factor : {0, 1, -1}) {
      shear(Pairs[Next].first, Pairs[Next].second, Factor);
      Current.push_back(Factor);
      search(Next + 1, NumChanges + (Factor != 0));
      Current.pop_back();
      shear(Pairs[Next].first, Pairs[Next].second, -Factor);
    }
  }

  void shear(unsigned D, unsigned O, int Factor) {
    C.Shear[D][O] += Factor;
    for (LinearAddress *A : Addresses)
      A->PerDim[O] -= Factor * A->PerDim[D];
  }

  SmallVector<std::pair<unsigned, unsigned>, 6> Pairs;
  SmallVector<int, 6> Current, Best;
  int BestScore = 0;
  Contraction &C;
  SmallVector<LinearAddress *, 8> Addresses;
};

/// Returns the operands of \p I without the called function.
iterator_range<User::const_op_iterator> dataOperands(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  return Call ? Call->args() : make_range(I.op_begin(), I.op_end());
}

/// Classifies the values below the stored one for one choice of i, j and k.
class Classifier {
public:
  explicit Classifier(Contraction &C) : C(C) {}

  bool run() {
    C.Kinds.clear();
    C.Rows.clear();
    C.Columns.clear();
    C.NumOperations = 0;
    if (classify(C.Stored) != OperandKind::Result)
      return false;
    collect(C.Stored);
    return !TooLarge && !C.Rows.empty() && !C.Columns.empty() && C.Rows.size() <= MaxOperands &&
           C.Columns.size() <= MaxOperands;
  }

private:
  OperandKind classify(Value *V) {
    if (auto Known = C.Kinds.find(V); Known != C.Kinds.end())
      return Known->second;
    OperandKind Kind = classifyNew(V);
    C.Kinds[V] = Kind;
    TooLarge |= C.Kinds.size() > MaxTreeSize;
    return Kind;
  }

  OperandKind classifyNew(Value *V) {
    if (is_contained(C.Before, V))
      return OperandKind::Result;
    if (auto Load = C.Loads.find(V); Load != C.Loads.end())
      return classifyLoad(Load->second);
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !C.Stmt->getParent()->contains(I))
      return isa<Constant>(V) || isa<Argument>(V) || I ? OperandKind::Uniform
                                                       : fail(OperandKind::Result);
    // The model may have moved it here from another statement, for which no code is generated.
    if (TooLarge || !is_contained(C.Stmt->getInstructions(), I) || !isHarmless(*I))
      return fail(OperandKind::Result);
    OperandKind Kind = OperandKind::Uniform;
    for (Value *Operand : dataOperands(*I))
      Kind = join(Kind, classify(Operand));
    return Kind;
  }

  OperandKind classifyLoad(const LinearAddress &Address) {
    bool Row = C.Row >= 0 && Address.PerDim[unsigned(C.Row)] != 0;
    bool Column = Address.PerDim[C.Column] != 0;
    if (Row && Column)
      return fail(OperandKind::Result);
    return Column ? OperandKind::Column : OperandKind::Row;
  }

  static OperandKind join(OperandKind A, OperandKind B) {
    if (A == B || B == OperandKind::Uniform)
      return A;
    return A == OperandKind::Uniform ? B : OperandKind::Result;
  }

  OperandKind fail(OperandKind Kind) {
    TooLarge = true;
    return Kind;
  }

  /// Collects the maximal row and column values.
  void collect(Value *V) {
    if (is_contained(C.Before, V))
      return;
    switch (C.Kinds.lookup(V)) {
    case OperandKind::Uniform:
      return;
    case OperandKind::Row:
      return remember(C.Rows, V);
    case OperandKind::Column:
      return remember(C.Columns, V);
    case OperandKind::Result:
      break;
    }
    auto *I = cast<Instruction>(V);
    if (!Visited.insert(I).second)
      return;
    ++C.NumOperations;
    for (Value *Operand : dataOperands(*I))
      collect(Operand);
  }

  void remember(SmallVectorImpl<Value *> &List, Value *V) {
    // Packed values are stored as elements of the result's type.
    TooLarge |= V->getType() != C.Element;
    if (!is_contained(List, V))
      List.push_back(V);
  }

  Contraction &C;
  SmallPtrSet<Instruction *, 16> Visited;
  bool TooLarge = false;
};

/// Returns whether an operand may be the result that it is combined with. Copies are in arrays that
/// the statement does not read.
bool readsOwnResult(const Contraction &C) {
  isl::set Domain = C.Stmt->getDomain();
  isl::map SameResult = C.alongReduction();
  isl::map Write = C.Result.Access->getLatestAccessRelation().intersect_domain(Domain);
  return any_of(C.Loads, [&](const auto &Load) {
    polly::MemoryAccess *Read = Load.second.Access;
    if (Read->getLatestScopArrayInfo() != C.Result.Access->getLatestScopArrayInfo())
      return false;
    isl::map Readers = Read->getLatestAccessRelation().intersect_domain(Domain).reverse();
    return !Write.apply_range(Readers).intersect(SameResult).is_empty().is_true();
  });
}

/// Returns whether several results of a block may be the same element, as a kernel holds all
/// results at once. Dependences exclude that if the order of updates matters, but commuting integer
/// updates have no dependences.
bool overlapsOwnResult(const Contraction &C) {
  if (!C.Element->isIntegerTy())
    return false;
  SmallVector<unsigned, 4> Outer;
  for (unsigned D = 0; D < C.numDims(); ++D)
    if (D != C.Column && D != C.Reduced && int(D) != C.Row)
      Outer.push_back(D);
  isl::map Element =
      C.Result.Access->getLatestAccessRelation().intersect_domain(C.Stmt->getDomain());
  isl::map InBlock = isl::map::from_multi_aff(C.coordinates(Outer));
  isl::map Same =
      Element.apply_range(Element.reverse()).intersect(InBlock.apply_range(InBlock.reverse()));
  return !Same.is_subset(C.alongReduction()).is_true();
}

} // namespace

bool Contraction::comesFromOutside(const Value *V) const {
  auto *I = dyn_cast<Instruction>(V);
  return Kinds.lookup(V) == OperandKind::Uniform && !(I && Stmt->getParent()->contains(I));
}

int64_t Contraction::elementBytes() const {
  return int64_t(Element->getPrimitiveSizeInBits().getFixedValue()) / 8;
}

bool Contraction::isConsecutive(const Value *V) const {
  if (auto Load = Loads.find(V); Load != Loads.end())
    return Load->second.PerDim[Column] == elementBytes() && V->getType() == Element;
  if (Kinds.lookup(V) != OperandKind::Column)
    return true;
  return all_of(dataOperands(*cast<Instruction>(V)),
                [&](const Value *Operand) { return isConsecutive(Operand); });
}

isl::aff Contraction::coordinate(unsigned Dim) const {
  isl::local_space Space(Stmt->getDomain().get_space());
  isl::aff Sum = isl::aff::var_on_domain(Space, isl::dim::set, Dim);
  for (unsigned O = 0; O < Dim; ++O)
    if (int Factor = Shear[Dim][O])
      Sum = Sum.add(
          isl::aff::var_on_domain(Space, isl::dim::set, O).scale(isl::val(Space.ctx(), Factor)));
  return Sum;
}

isl::multi_aff Contraction::coordinates(ArrayRef<unsigned> Dims) const {
  isl::space Domain = Stmt->getDomain().get_space();
  isl::aff_list List(Domain.ctx(), int(Dims.size()));
  for (unsigned Dim : Dims)
    List = List.add(coordinate(Dim));
  isl::space Range = Domain.params().add_unnamed_tuple(unsigned(Dims.size()));
  return isl::multi_aff(Domain.map_from_domain_and_range(Range), List);
}

isl::multi_aff Contraction::coordinates() const {
  SmallVector<unsigned, 4> All;
  for (unsigned D = 0; D < numDims(); ++D)
    All.push_back(D);
  return coordinates(All);
}

isl::map Contraction::alongReduction() const {
  SmallVector<unsigned, 4> Free;
  for (unsigned D = 0; D < numDims(); ++D)
    if (Result.PerDim[D] != 0)
      Free.push_back(D);
  isl::map ToResult = isl::map::from_multi_aff(coordinates(Free));
  return ToResult.apply_range(ToResult.reverse());
}

std::optional<Contraction> recognizeContraction(polly::ScopStmt &Stmt,
                                                function_ref<bool(const isl::aff &)> isFixed) {
  // Sums in lanes read each element once, so tiles do not help.
  const Loop *Around = Stmt.getSurroundingLoop();
  if (!Stmt.isBlockStmt() || (Around && isLoopOfSum(*Around)))
    return std::nullopt;
  Contraction C;
  C.Stmt = &Stmt;
  if (!collectAccesses(Stmt, C) || !C.Element->isSized() ||
      !(C.Element->isDoubleTy() || C.Element->isFloatTy() || C.Element->isIntegerTy(32) ||
        C.Element->isIntegerTy(64)))
    return std::nullopt;
  CoordinateSearch(C).run();
  const SmallVector<int64_t, 4> &Strides = C.Result.PerDim;
  int64_t Bytes = C.elementBytes();
  std::optional<unsigned> Column, Reduced;
  SmallVector<bool, 4> Fixed;
  for (unsigned D = 0; D < Strides.size(); ++D) {
    Fixed.push_back(isFixed(C.coordinate(D)));
    if (Fixed.back())
      continue;
    if (Strides[D] == Bytes)
      Column = D;
    if (Strides[D] == 0)
      Reduced = D;
  }
  if (!Column || !Reduced)
    return std::nullopt;
  for (const LinearAddress &Copy : C.Copies)
    if (Copy.PerDim[*Column] != Bytes || Copy.PerDim[*Reduced] != 0)
      return std::nullopt;
  C.Column = *Column;
  C.Reduced = *Reduced;
  for (int Row = int(Strides.size()); Row-- > -1;) {
    if (Row >= 0 &&
        (Strides[unsigned(Row)] == 0 || unsigned(Row) == *Column || Fixed[unsigned(Row)]))
      continue;
    C.Row = Row;
    if (Classifier(C).run())
      return readsOwnResult(C) || overlapsOwnResult(C) ? std::nullopt : std::optional(std::move(C));
  }
  return std::nullopt;
}

} // namespace specrt
