//===- structure/propagation/propagation.cpp - one sweep in program order ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/propagation/propagation.h"
#include "structure/propagation/iteration_boxes.h"
#include "structure/propagation/zero_terms.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace specrt {
namespace {

class Sweep {
public:
  Sweep(const DenseProgram &Program, std::vector<ArrayStructure> Inputs, uint64_t MaxSteps,
        const std::function<bool()> &Expired);
  PropagationResult run();

private:
  bool isNear(const DenseStatement &S) const;
  void visit(const std::vector<DenseItem> &Items, unsigned Depth);
  void visitLoop(const DenseItem &Loop, unsigned Depth);
  bool isAtOnce(const std::vector<unsigned> &Statements, unsigned Loop) const;
  bool areApart(const DenseStatement &S, const DenseAccess &Write, const DenseStatement &T,
                const DenseAccess &Access, unsigned Loop) const;
  Box frameOf(const DenseStatement &S) const;
  void execute(unsigned Number);
  Boxes valueOf(const ZeroTerm &Term, const DenseStatement &S, const Box &Frame);
  Boxes whole(Boxes Set);
  Boxes readOf(const DenseAccess &Read, const std::vector<IndexInterval> &Reach,
               const Box &Frame) const;
  static Boxes executedIn(const DenseStatement &S, Boxes Iterations, const Box &Frame);
  static Boxes writtenBy(const DenseStatement &S, Boxes Iterations, const Box &Frame);

  const DenseProgram &Program;
  std::vector<ZeroTerm> Terms;    // by statement
  std::vector<ZeroTerm> News;     // by statement: what is added, or replaces the old set
  std::vector<Boxes> Nonzero;     // by array
  std::vector<bool> IsEverywhere; // by array: may be nonzero everywhere, and is not written
  Box Fixed;                      // counters: fixed in loops executed one by one, otherwise all
                                  // values
  PropagationResult Result;
  const uint64_t MaxSteps;
  const std::function<bool()> &Expired;
};

Box everything() {
  Box All;
  All.Sides.fill({-FarAway, FarAway});
  return All;
}

/// Returns the box of all elements of an array of \p Rank dimensions.
Box wholeArray(unsigned Rank) {
  Box All;
  for (unsigned D = 0; D < Rank; ++D)
    All.Sides[D] = {-FarAway, FarAway};
  return All;
}

Sweep::Sweep(const DenseProgram &Program, std::vector<ArrayStructure> Inputs, uint64_t MaxSteps,
             const std::function<bool()> &Expired)
    : Program(Program), IsEverywhere(Program.Arrays.size(), false), Fixed(everything()),
      MaxSteps(MaxSteps), Expired(Expired) {
  Inputs.resize(Program.Arrays.size());
  for (size_t I = 0; I < Inputs.size(); ++I) {
    IsEverywhere[I] = !Inputs[I];
    Nonzero.push_back(Inputs[I] ? inSlabs(std::move(*Inputs[I]))
                                : Boxes{wholeArray(Program.Arrays[I].Rank)});
  }
  for (const DenseStatement &Statement : Program.Statements)
    IsEverywhere[Statement.Write.Array] = false;
  for (const DenseStatement &Statement : Program.Statements) {
    const ZeroTerm Term = zeroTerm(Statement, IsEverywhere);
    const bool Keeps = Term.includesOldValue(Statement);
    News.push_back(withReach(Keeps ? Term.withoutOldValue(Statement) : Term, Statement));
    Terms.push_back(Term);
  }
}

/// Returns a box around the iterations of \p S with the fixed counters.
Box Sweep::frameOf(const DenseStatement &S) const {
  Box All;
  All.Sides[0] = {0, -1};
  bool IsFirst = true;
  Box Start = Fixed;
  for (unsigned D = S.Depth; D < MaxDimensions; ++D)
    Start.Sides[D] = {0, 0};
  for (const Conjunction &Where : S.Domain) {
    const Box Part = narrowed(Where, Start);
    if (Part.isEmpty())
      continue;
    if (IsFirst)
      All = Part;
    else
      for (unsigned D = 0; D < MaxDimensions; ++D)
        All.Sides[D] = {std::min(All.Sides[D].Low, Part.Sides[D].Low),
                        std::max(All.Sides[D].High, Part.Sides[D].High)};
    IsFirst = false;
  }
  return All;
}

Boxes Sweep::executedIn(const DenseStatement &S, Boxes Iterations, const Box &Frame) {
  if (S.Domain.size() == 1 && holdsIn(S.Domain[0], Frame))
    return Iterations;
  Boxes Executed;
  for (const Box &Each : Iterations)
    for (const Conjunction &Where : S.Domain)
      addWhere(Where, Each, Executed);
  return Executed;
}

/// Returns the elements that \p S writes in those of \p Iterations, which lie in \p Frame, in which
/// it executes.
Boxes Sweep::writtenBy(const DenseStatement &S, Boxes Iterations, const Box &Frame) {
  Boxes Executed = executedIn(S, std::move(Iterations), Frame);
  if (hasBoxImages(S.Write.Subscripts, Frame)) {
    for (Box &Each : Executed)
      Each = imageOf(S.Write.Subscripts, Each);
    return Executed;
  }
  Boxes Written;
  for (const Box &Each : Executed)
    addImage(S.Write.Subscripts, Each, Written);
  return Written;
}

Boxes Sweep::readOf(const DenseAccess &Read, const std::vector<IndexInterval> &Reach,
                    const Box &Frame) const {
  Boxes Reading;
  for (Box Elements : Nonzero[Read.Array]) {
    for (size_t D = 0; D < Reach.size(); ++D) {
      Elements.Sides[D].Low -= Reach[D].High;
      Elements.Sides[D].High -= Reach[D].Low;
    }
    addPreimage(Read.Subscripts, Elements, Frame, Reading);
  }
  return Reading;
}

/// Reports an error if \p Set has reached MaxBoxes and so may be incomplete; returns it.
Boxes Sweep::whole(Boxes Set) {
  if (Set.size() >= MaxBoxes)
    Result.Error = "its nonzeros are in too many places";
  return Set;
}

Boxes Sweep::valueOf(const ZeroTerm &Term, const DenseStatement &S, const Box &Frame) {
  switch (Term.K) {
  case ZeroTerm::Kind::Never:
    return {};
  case ZeroTerm::Kind::Always:
    return {Frame};
  case ZeroTerm::Kind::Read:
    return readOf(S.Reads[Term.Access], Term.Reach, Frame);
  case ZeroTerm::Kind::Any: {
    Boxes All;
    for (const ZeroTerm &Part : Term.Parts) {
      const Boxes More = valueOf(Part, S, Frame);
      All.insert(All.end(), More.begin(), More.end());
    }
    return All;
  }
  case ZeroTerm::Kind::All: {
    Boxes Both = valueOf(Term.Parts[0], S, Frame);
    for (size_t I = 1; I < Term.Parts.size() && !Both.empty(); ++I)
      Both = whole(intersection(Both, valueOf(Term.Parts[I], S, Frame)));
    return Both;
  }
  }
  return {};
}

void Sweep::execute(unsigned Number) {
  const DenseStatement &S = Program.Statements[Number];
  const ZeroTerm &Term = Terms[Number];
  if (Term.isOldValue(S))
    return;
  const Box Frame = frameOf(S);
  if (Frame.isEmpty())
    return;
  ++Result.Steps;
  Boxes &Target = Nonzero[S.Write.Array];
  const Boxes New = whole(writtenBy(S, valueOf(News[Number], S, Frame), Frame));
  const bool Keeps = S.MayWrite || Term.includesOldValue(S);
  if (Keeps && New.empty())
    return;
  if (!Keeps)
    Target = whole(difference(Target, whole(writtenBy(S, {Frame}, Frame))));
  Target.insert(Target.end(), New.begin(), New.end());
  Target = whole(inSlabs(std::move(Target)));
}

/// Returns whether no iteration of \p Loop accesses through \p Access what another one writes
/// through \p Write. Counters of outer loops are equal in both; those of inner loops are arbitrary.
bool Sweep::areApart(const DenseStatement &S, const DenseAccess &Write, const DenseStatement &T,
                     const DenseAccess &Access, unsigned Loop) const {
  const Box FrameS = frameOf(S), FrameT = frameOf(T);
  if (FrameS.isEmpty() || FrameT.isEmpty())
    return true;
  for (size_t D = 0; D < Write.Subscripts.size(); ++D) {
    const AffineValue &A = Write.Subscripts[D], &B = Access.Subscripts[D];
    bool IsSameWithin = A.loop(Loop) != 0;
    for (size_t K = Loop; IsSameWithin && K < MaxDimensions; ++K)
      IsSameWithin = A.loop(K) == B.loop(K) && (K == Loop || A.loop(K) == 0);
    bool IsSameAround = true;
    for (size_t K = 0; K < Loop; ++K)
      IsSameAround = IsSameAround && A.loop(K) == B.loop(K);
    if (IsSameWithin && IsSameAround && A.Constant == B.Constant)
      return true;
    AffineValue Left = A, Right = B;
    for (size_t K = 0; IsSameAround && K < Loop; ++K) {
      if (K < Left.Loops.size())
        Left.Loops[K] = 0;
      if (K < Right.Loops.size())
        Right.Loops[K] = 0;
    }
    const auto [LowA, HighA] = rangeOf(Left, FrameS);
    const auto [LowB, HighB] = rangeOf(Right, FrameT);
    if (HighA < LowB || HighB < LowA)
      return true;
  }
  return false;
}

/// Returns whether all iterations of \p Loop may execute each of these statements before the next
/// one.
bool Sweep::isAtOnce(const std::vector<unsigned> &Statements, unsigned Loop) const {
  for (unsigned Writer : Statements) {
    const DenseStatement &S = Program.Statements[Writer];
    const bool Adds = Terms[Writer].includesOldValue(S) || Terms[Writer].isOldValue(S);
    for (unsigned Other : Statements) {
      const DenseStatement &T = Program.Statements[Other];
      if (T.Write.Array == S.Write.Array && !(Adds && Other == Writer) &&
          !areApart(S, S.Write, T, T.Write, Loop))
        return false;
      for (const DenseAccess &Read : T.Reads) {
        const bool IsSum = Adds && Other == Writer && Read.sameAs(S.Write);
        if (Read.Array == S.Write.Array && !IsSum && !areApart(S, S.Write, T, Read, Loop))
          return false;
      }
    }
  }
  return true;
}

void Sweep::visitLoop(const DenseItem &Loop, unsigned Depth) {
  const std::vector<unsigned> Statements = statementsIn(Loop.Body);
  if (isAtOnce(Statements, Depth)) {
    visit(Loop.Body, Depth + 1);
    return;
  }
  IndexInterval All{FarAway, -FarAway};
  for (unsigned Number : Statements)
    if (const Box Frame = frameOf(Program.Statements[Number]); !Frame.isEmpty())
      All = {std::min(All.Low, Frame.Sides[Depth].Low),
             std::max(All.High, Frame.Sides[Depth].High)};
  const IndexInterval Outer = Fixed.Sides[Depth];
  for (int64_t At = All.Low; At <= All.High && Result.Error.empty(); ++At) {
    Fixed.Sides[Depth] = {static_cast<int32_t>(At), static_cast<int32_t>(At)};
    ++Result.Steps;
    visit(Loop.Body, Depth + 1);
  }
  Fixed.Sides[Depth] = Outer;
}

void Sweep::visit(const std::vector<DenseItem> &Items, unsigned Depth) {
  for (const DenseItem &Item : Items) {
    if (Result.Steps > MaxSteps)
      Result.Error = "it takes too many steps";
    if (Expired && Expired())
      Result.Error = "it takes too long";
    if (!Result.Error.empty())
      return;
    if (Item.IsLoop)
      visitLoop(Item, Depth);
    else
      execute(Item.Statement);
  }
}

/// Returns whether all counters and subscripts are in the range of boxes, beyond which they would
/// be lost.
bool Sweep::isNear(const DenseStatement &S) const {
  const Box Frame = frameOf(S);
  if (Frame.isEmpty())
    return true;
  for (unsigned D = 0; D < S.Depth; ++D)
    if (Frame.Sides[D].Low <= -FarAway || Frame.Sides[D].High >= FarAway)
      return false;
  auto IsNear = [&](const AffineValue &Subscript) {
    double Most = std::abs(static_cast<double>(Subscript.Constant));
    for (size_t K = 0; K < Subscript.Loops.size(); ++K)
      Most += std::abs(static_cast<double>(Subscript.Loops[K])) *
              std::max(std::abs(Frame.Sides[K].Low), std::abs(Frame.Sides[K].High));
    return Most < FarAway;
  };
  auto AreNear = [&](const DenseAccess &Access) {
    return std::all_of(Access.Subscripts.begin(), Access.Subscripts.end(), IsNear);
  };
  return AreNear(S.Write) && std::all_of(S.Reads.begin(), S.Reads.end(), AreNear);
}

PropagationResult Sweep::run() {
  for (const DenseArray &Array : Program.Arrays)
    if (Array.Rank > MaxDimensions)
      Result.Error = "an array has more than 6 dimensions";
  for (const DenseStatement &Statement : Program.Statements)
    if (Statement.Depth > MaxDimensions)
      Result.Error = "there are more than 6 loops around a statement";
  for (const DenseStatement &Statement : Program.Statements)
    if (Result.Error.empty() && !isNear(Statement))
      Result.Error = "a loop or an array is too long";
  visit(Program.Items, 0);
  for (size_t I = 0; I < Nonzero.size(); ++I)
    Result.Arrays.push_back(IsEverywhere[I] ? ArrayStructure() : std::move(Nonzero[I]));
  return std::move(Result);
}

} // namespace

PropagationResult propagate(const DenseProgram &Program, std::vector<ArrayStructure> Inputs,
                            uint64_t MaxSteps, const std::function<bool()> &Expired) {
  return Sweep(Program, std::move(Inputs), MaxSteps, Expired).run();
}

} // namespace specrt
