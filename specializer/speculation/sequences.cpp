//===- specializer/speculation/sequences.cpp - replaces loads of regular index arrays -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/speculation/sequences.h"
#include "analysis/memory/scev_polynomial.h"
#include "guards/address.h"
#include "guards/memory/sequence.h"
#include "guards/words.h"
#include "specializer/module/optimize.h"
#include "specializer/speculation/element_boxes.h"
#include "specializer/speculation/index_pieces.h"
#include "specializer/speculation/known_loads.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace specrt {
namespace {

/// Limit on offsets; no array is larger.
constexpr int64_t MaxBytes = int64_t{1} << 47;

/// Limit on rounds: indices may be read at other indices, and each round makes the next level
/// readable. Other rounds split loops.
constexpr unsigned MaxRounds = 8;

int64_t plus(int64_t A, int64_t B) {
  return static_cast<int64_t>(static_cast<uint64_t>(A) + static_cast<uint64_t>(B));
}
int64_t times(int64_t A, int64_t B) {
  return static_cast<int64_t>(static_cast<uint64_t>(A) * static_cast<uint64_t>(B));
}

/// One number per dimension of an array.
using Indices = SmallVector<int64_t, 3>;

/// The element that a walk reads: Constant plus, for each of its loops, the iteration number times
/// the element of PerLoop.
struct Place {
  Indices Constant;
  SmallVector<Indices, 3> PerLoop;
};

/// Elements in memory that follow a pattern.
struct Array {
  specrt_base Base{};
  Type *T = nullptr;         ///< type of an element
  int64_t Origin = 0;        ///< bytes from the base to the element from which indices count
  int64_t Start = 0;         ///< the value of that element
  Indices Strides;           ///< bytes, descending
  Indices Steps;             ///< increments of the values
  SmallVector<Box, 2> Boxes; ///< elements that every call reads

  unsigned width() const { return T->getIntegerBitWidth() / 8; }
  /// Computes modulo 2^64, like memory addresses.
  static int64_t sumOf(const Indices &PerDimension, const Indices &Of, int64_t Sum = 0) {
    for (auto [A, B] : zip_equal(PerDimension, Of))
      Sum = plus(Sum, times(A, B));
    return Sum;
  }
};

/// Returns \p Bytes as numbers of strides per dimension, rounded down, or to the nearest element
/// with \p Nearest.
std::optional<Indices> indicesOf(int64_t Bytes, const Indices &Strides, bool Nearest) {
  Indices Result;
  for (int64_t Stride : Strides) {
    const bool IsLast = Result.size() + 1 == Strides.size();
    const int64_t Index = divideFloorSigned(Bytes + (Nearest && !IsLast ? Stride / 2 : 0), Stride);
    Result.push_back(Index);
    Bytes -= Index * Stride;
  }
  if (Bytes != 0)
    return std::nullopt;
  return Result;
}

class Rewriter : KnownLoads {
public:
  Rewriter(Speculative &On, Notes &Refused)
      : KnownLoads(On, Refused), Polynomials(SE, /*AssumeNoWrap=*/false) {}

  /// Returns false if nothing was found.
  bool run();

private:
  void addSeed(LoadInst &Load, const specrt_sequence_fact &Fact);
  std::optional<Place> placeOf(const ElementWalk &Walk, const Array &In, bool Nearest) const;
  std::optional<Box> boxOf(const ElementWalk &Walk, const Place &At, const Indices &Strides) const;
  std::optional<Array> arrayOf(LoadInst &Load, const ElementWalk &Walk,
                               const specrt_sequence_fact &Fact) const;
  bool addTo(Array &Known, const Array &New, const ElementWalk &Walk) const;
  bool addPremises(const Array &Of);
  void rewriteLoads(Array &Of);
  Value *valueAt(const Place &At, const ElementWalk &Walk, const Array &In, LoadInst &Load,
                 SCEVExpander &Expander);
  specrt_polynomial countOf(const Extent &E);

  ScevPolynomials Polynomials;
  SmallVector<Array, 4> Arrays;
};

std::optional<Place> Rewriter::placeOf(const ElementWalk &Walk, const Array &In,
                                       bool Nearest) const {
  std::optional<Indices> Constant = indicesOf(Walk.Offset - In.Origin, In.Strides, Nearest);
  if (!Constant)
    return std::nullopt;
  Place At{*Constant, {}};
  for (const ElementWalk::Part &P : Walk.Parts) {
    std::optional<Indices> Steps = indicesOf(P.Stride, In.Strides, Nearest);
    if (!Steps)
      return std::nullopt;
    At.PerLoop.push_back(*Steps);
  }
  return At;
}

/// Returns the elements that the walk reads.
std::optional<Box> Rewriter::boxOf(const ElementWalk &Walk, const Place &At,
                                   const Indices &Strides) const {
  Box Covered;
  for (size_t D = 0; D < At.Constant.size(); ++D) {
    Extent E{At.Constant[D], {0, nullptr}};
    for (auto [Part, Steps] : zip_equal(Walk.Parts, At.PerLoop)) {
      if (Steps[D] == 0)
        continue;
      const Backedges Count = Certain.backedges(*Part.L);
      if (Count.Number && E.isNumber()) {
        int64_t Length;
        if (MulOverflow(Steps[D], *Count.Number, Length) || std::abs(Length) > MaxBytes)
          return std::nullopt;
        E.First += std::min<int64_t>(Length, 0);
        *E.Count.Number += std::abs(Length);
      } else if (Count.Expression && Steps[D] == 1 && E.Count.Number == 0) {
        E.Count = Count;
      } else {
        return std::nullopt;
      }
    }
    int64_t Farthest;
    if (MulOverflow(std::max(std::abs(E.First), E.isNumber() ? std::abs(E.last()) : 0), Strides[D],
                    Farthest) ||
        Farthest > MaxBytes)
      return std::nullopt;
    Covered.push_back(E);
  }
  return Covered;
}

/// Returns the value that a fact gives for \p Element, extrapolated beyond its pieces.
int64_t valueOf(const specrt_sequence_fact &Fact, int64_t Element) {
  const specrt_sequence_piece *Piece = Fact.pieces;
  for (const specrt_sequence_piece &P : ArrayRef(Fact.pieces, Fact.num_pieces))
    if (P.first <= Element)
      Piece = &P;
  return plus(Piece->value, times(Piece->step, Element - Piece->first));
}

/// Returns the elements that \p Load reads, as an array that begins with the lowest one.
std::optional<Array> Rewriter::arrayOf(LoadInst &Load, const ElementWalk &Walk,
                                       const specrt_sequence_fact &Fact) const {
  std::optional<specrt_base> Base = baseOf(*Walk.Base);
  if (!Base || Walk.Parts.empty())
    return std::nullopt;
  Array New;
  New.Base = *Base;
  New.T = Load.getType();
  New.Origin = Walk.Offset;
  for (const ElementWalk::Part &P : Walk.Parts) {
    New.Strides.push_back(std::abs(P.Stride));
    if (P.Stride > 0)
      continue;
    const Backedges Count = Certain.backedges(*P.L);
    if (!Count.Number)
      return std::nullopt;
    New.Origin += P.Stride * *Count.Number;
  }
  sort(New.Strides, std::greater<>());
  New.Strides.erase(unique(New.Strides), New.Strides.end());
  if (New.Strides.size() > SequenceGuard::MaxDimensions)
    return std::nullopt;
  New.Start = valueOf(Fact, 0);
  for (int64_t Stride : New.Strides)
    New.Steps.push_back(plus(valueOf(Fact, Stride / New.width()), times(-1, valueOf(Fact, 0))));
  return New;
}

/// Returns whether \p New, which \p Walk reads, belongs to \p Known, and extends \p Known in this
/// case.
bool Rewriter::addTo(Array &Known, const Array &New, const ElementWalk &Walk) const {
  if (!isSameBase(Known.Base, New.Base) || Known.T != New.T || Known.Strides != New.Strides ||
      Known.Steps != New.Steps)
    return false;
  std::optional<Place> At = placeOf(Walk, Known, /*Nearest=*/true);
  std::optional<Box> Covered = At ? boxOf(Walk, *At, Known.Strides) : std::nullopt;
  if (!Covered)
    return false;
  Indices Lowest;
  for (const Extent &E : *Covered)
    Lowest.push_back(E.First);
  if (New.Start != Array::sumOf(Lowest, Known.Steps, Known.Start))
    return false;
  Known.Boxes.push_back(*Covered);
  return true;
}

void Rewriter::addSeed(LoadInst &Load, const specrt_sequence_fact &Fact) {
  std::optional<ElementWalk> Walk = ElementWalk::of(Load, SE);
  if (!Walk)
    return refuse(Load, SPECRT_NOTE_PLAIN,
                  "where they are read is no linear function of loop "
                  "counters");
  if (!Certain.readsAll(Load, *Walk))
    return refuse(Load, SPECRT_NOTE_NOT_ALWAYS_READ, "not every call reads all of them");
  std::optional<Array> New = arrayOf(Load, *Walk, Fact);
  if (!New)
    return refuse(Load, SPECRT_NOTE_PLAIN, "where they lie is not known before the loop");
  if (Fact.num_pieces > 1 && New->Strides.size() == 1)
    return; // see index_pieces.h
  if (any_of(Arrays, [&](Array &Known) { return addTo(Known, *New, *Walk); }))
    return;
  std::optional<Place> At = placeOf(*Walk, *New, /*Nearest=*/true);
  std::optional<Box> Covered = At ? boxOf(*Walk, *At, New->Strides) : std::nullopt;
  if (!Covered)
    return refuse(Load, SPECRT_NOTE_PLAIN, "how many there are is not known before the loop");
  New->Boxes.push_back(*Covered);
  Arrays.push_back(std::move(*New));
}

/// Returns the number of backedges plus one.
specrt_polynomial Rewriter::countOf(const Extent &E) {
  if (E.isNumber())
    return constantPolynomial(*E.Count.Number + 1);
  std::optional<Polynomial> P = Polynomials.convert(E.Count.Expression, Reading::Unsigned);
  if (P)
    P = *P + Polynomial(1);
  return Polynomials.variables().exportPolynomial(P);
}

/// Adds the premises for \p Of; returns false, and adds nothing, if guards cannot express them.
bool Rewriter::addPremises(const Array &Of) {
  GuardList Guards;
  specrt_range Hull{Of.Base, {}, {}};
  std::optional<int64_t> Lowest, Highest;
  for (const Box &Covered : withoutOverlap(Of.Boxes)) {
    SmallVector<specrt_polynomial, 4> Counts;
    SequenceTerms S;
    Indices First;
    int64_t Last = 0;
    for (auto [E, Stride, Step] : zip_equal(Covered, Of.Strides, Of.Steps)) {
      First.push_back(E.First);
      Counts.push_back(countOf(E));
      if (Counts.back().num_terms == SPECRT_UNKNOWN)
        return false;
      Last += E.isNumber() ? E.last() * Stride : 0;
    }
    for (auto [C, Stride, Step] : zip_equal(Counts, Of.Strides, Of.Steps))
      S.Dimensions.push_back({C, Stride, Step});
    const int64_t Begin = Of.sumOf(First, Of.Strides, Of.Origin);
    const specrt_polynomial BeginTerms = constantPolynomial(Begin);
    S.Base = Of.Base;
    S.Begin = BeginTerms;
    S.Width = Of.width();
    S.Pieces = {{SequenceGuard::AnyCount, Of.sumOf(First, Of.Steps, Of.Start), Of.Steps.back()}};
    appendSequence(Guards, S);
    const bool IsNumber = all_of(Covered, [](const Extent &E) { return E.isNumber(); });
    if (!IsNumber && Of.Boxes.size() + Of.Strides.size() > 2)
      return false;
    Lowest = Lowest ? std::min(*Lowest, Begin) : Begin;
    Highest = std::max(Highest.value_or(INT64_MIN), Of.Origin + Last + Of.width());
    Hull.begin = constantPolynomial(*Lowest);
    Hull.end = constantPolynomial(*Highest);
    if (IsNumber)
      continue;
    std::optional<Polynomial> End =
        Polynomials.convert(Covered.front().Count.Expression, Reading::Unsigned);
    End = *End * Polynomial(Of.Strides.front());
    if (End)
      End = *End + Polynomial(Begin + Of.width());
    Hull.end = Polynomials.variables().exportPolynomial(End);
    if (Hull.end.num_terms == SPECRT_UNKNOWN)
      return false;
  }
  for (const specrt_guard &Guard : Guards)
    On.Known.Guards.append(Guard);
  if (isLoaded(Of.Base))
    keepBase(Of.Base);
  std::string Name = "the indices at " + describe(Of.Base, On.region()) + " + " +
                     describe(Hull.begin, On.region());
  std::string Steps;
  for (int64_t Step : Of.Steps)
    Steps += (Steps.empty() ? "" : " and ") + std::to_string(Step);
  On.Known.Unwritten.push_back({Hull, Name, "are taken to go up by " + Steps});
  return true;
}

/// Emits the array's value at \p At, in 64 bits.
Value *Rewriter::valueAt(const Place &At, const ElementWalk &Walk, const Array &In, LoadInst &Load,
                         SCEVExpander &Expander) {
  Type *T = Type::getInt64Ty(F.getContext());
  auto Number = [&](int64_t Value) {
    return SE.getConstant(T, static_cast<uint64_t>(Value), /*isSigned=*/true);
  };
  const SCEV *Sum = Number(Array::sumOf(At.Constant, In.Steps, In.Start));
  for (auto [Part, Indices] : zip_equal(Walk.Parts, At.PerLoop))
    Sum = SE.getAddRecExpr(Sum, Number(Array::sumOf(Indices, In.Steps)), Part.L, SCEV::FlagAnyWrap);
  return Expander.expandCodeFor(Sum, T, Load.getIterator());
}

/// Returns the least and greatest value in a box, if no value wraps around.
std::optional<std::pair<int64_t, int64_t>> rangeOf(const Box &Covered, const Array &In) {
  int64_t Low = In.Start, High = In.Start;
  for (auto [E, Step] : zip_equal(Covered, In.Steps)) {
    int64_t First, Last;
    if (!E.isNumber() || MulOverflow(E.First, Step, First) || MulOverflow(E.last(), Step, Last) ||
        AddOverflow(Low, std::min(First, Last), Low) ||
        AddOverflow(High, std::max(First, Last), High))
      return std::nullopt;
  }
  return std::pair(Low, High);
}

/// Replaces all loads of known elements.
void Rewriter::rewriteLoads(Array &Of) {
  SCEVExpander Expander(SE, "specrt");
  SmallVector<LoadInst *, 8> Replaced;
  for (Instruction &I : instructions(F)) {
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || Load->getType() != Of.T || !isCandidate(*Load))
      continue;
    std::optional<ElementWalk> Walk = ElementWalk::of(*Load, SE);
    std::optional<specrt_base> Base = Walk ? baseOf(*Walk->Base) : std::nullopt;
    if (!Base || !isSameBase(*Base, Of.Base))
      continue;
    for (bool Nearest : {true, false}) {
      std::optional<Place> At = placeOf(*Walk, Of, Nearest);
      std::optional<Box> Covered = At ? boxOf(*Walk, *At, Of.Strides) : std::nullopt;
      if (!Covered || none_of(Of.Boxes, [&](const Box &B) { return contains(B, *Covered); }))
        continue;
      replace(*Load, *valueAt(*At, *Walk, Of, *Load, Expander), rangeOf(*Covered, Of));
      Replaced.push_back(Load);
      break;
    }
  }
  for (LoadInst *Load : Replaced)
    Load->eraseFromParent();
}

bool Rewriter::run() {
  for (Instruction &I : instructions(F)) {
    auto *Load = dyn_cast<LoadInst>(&I);
    const specrt_sequence_fact *Fact = Load && isCandidate(*Load) ? factAbout(*Load) : nullptr;
    // Row pointers need not be known: see row_pointers/pointer_tables.h.
    if (Fact && !Load->getType()->isPointerTy())
      addSeed(*Load, *Fact);
  }
  bool Changed = false;
  for (Array &Known : Arrays) {
    for (size_t I = 0; I < Known.Boxes.size(); ++I)
      for (size_t J = Known.Boxes.size(); --J > I;)
        if (join(Known.Boxes[I], Known.Boxes[J]))
          Known.Boxes.erase(Known.Boxes.begin() + J);
    if (addPremises(Known)) {
      rewriteLoads(Known);
      Changed = true;
    }
  }
  return Changed;
}

class Sequences final : public Speculation {
  bool isTentative() const override { return true; }
  Applied apply(Speculative &On) const override {
    if (On.Request.num_sequences == 0)
      return Applied::Nothing;
    Applied What = Applied::Nothing;
    Notes Refused;
    for (unsigned Round = 0; Round < MaxRounds; ++Round) {
      Refused = Notes();
      const bool Changed = Rewriter(On, Refused).run() || splitByIndices(On, Refused);
      On.Passes.forget();
      if (!Changed)
        break;
      What = Applied::Done;
      On.Passes.simplify(*On.F.getParent());
      On.Passes.forget();
    }
    On.Known.Told.add(Refused);
    return What;
  }
};

} // namespace

const Speculation &sequences() {
  static constexpr Sequences Only;
  return Only;
}

} // namespace specrt
