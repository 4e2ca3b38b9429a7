//===- specializer/polyhedral/stencil/stencil_nest.cpp - recognises stencil nests -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "specializer/polyhedral/stencil/stencil_nest.h"
#include "polly/DependenceInfo.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <algorithm>

using namespace llvm;

namespace specrt {
namespace {

/// Assumed number of steps if it is unknown; tile sizes hardly depend on it, unless it is small.
constexpr long AssumedSteps = 100;

unsigned numLoops(const polly::ScopStmt &Stmt) {
  return specrt::count(Stmt.getDomain().tuple_dim());
}

/// Returns { S[i] -> i[Loop] }.
isl::aff loopVariable(const polly::ScopStmt &Stmt, unsigned Loop) {
  return isl::aff::var_on_domain(isl::local_space(Stmt.getDomain().get_space()), isl::dim::set,
                                 Loop);
}

isl::aff zero(const polly::ScopStmt &Stmt) {
  return isl::aff(isl::local_space(Stmt.getDomain().get_space()));
}

/// Returns { S[i] -> S[i'] : i' = i, except i'[Loop] = i[Loop] + 1 }.
isl::map nextIteration(const polly::ScopStmt &Stmt, unsigned Loop) {
  isl::space Space = Stmt.getDomain().get_space().map_from_set();
  isl::multi_aff Next = isl::multi_aff::identity(Space);
  return isl::map::from_multi_aff(Next.set_at(Loop, Next.at(Loop).add_constant_si(1)));
}

/// Returns by how much the subscripts of \p Access change per iteration of \p Loop; nothing if that
/// is not constant.
std::optional<SmallVector<long, 4>> stride(const polly::MemoryAccess &Access, unsigned Loop) {
  isl::map Address = Access.getLatestAccessRelation();
  isl::set Deltas = Address.reverse()
                        .apply_range(nextIteration(*Access.getStatement(), Loop))
                        .apply_range(Address)
                        .deltas();
  if (!Deltas.is_empty().is_false() || !Deltas.is_singleton().is_true())
    return std::nullopt;
  isl::point Point = Deltas.sample_point();
  SmallVector<long, 4> Stride;
  for (unsigned D = 0, E = specrt::count(Deltas.tuple_dim()); D < E; ++D)
    Stride.push_back(Point.get_coordinate_val(isl::dim::set, D).get_num_si());
  return Stride;
}

/// Returns the access that determines the position of a statement in space.
polly::MemoryAccess *arrayWrite(polly::ScopStmt &Stmt) {
  for (polly::MemoryAccess *Access : Stmt)
    if (Access->isWrite() && Access->isLatestArrayKind() && Access->isAffine())
      return Access;
  return nullptr;
}

bool isNumber(const isl::val &V) { return V.is_int().is_true(); }

} // namespace

std::optional<StencilNest> StencilNest::find(polly::Scop &S, const polly::Dependences &D,
                                             std::string &Why) {
  StencilNest Nest;
  if (!Nest.collectStatements(S, Why) || !Nest.measure(Why) || !Nest.collectEdges(D, Why))
    return std::nullopt;
  return Nest;
}

bool StencilNest::hasLoopsOfOne(polly::Scop &S, std::string &Why) {
  StencilNest Nest;
  return Nest.collectStatements(S, Why) && Nest.measure(Why);
}

bool StencilNest::collectStatements(polly::Scop &S, std::string &Why) {
  Why = "no loop around all statements";
  isl::schedule_node Top = belowMarks(S.getScheduleTree().get_root().first_child());
  if (!isLoop(Top))
    return false;
  isl::union_map Time = loopOf(Top).as_union_map();
  unsigned Depth = 0;
  for (polly::ScopStmt &Stmt : S) {
    if (numLoops(Stmt) == 0)
      return false;
    isl::map Outermost = isl::map::from_aff(loopVariable(Stmt, 0));
    isl::union_map Mine = Time.intersect_domain(isl::union_set(Stmt.getDomain()));
    if (!Mine.is_equal(isl::union_map(Outermost.intersect_domain(Stmt.getDomain()))).is_true())
      return false;
    Depth = std::max(Depth, numLoops(Stmt));
    Statements.push_back({&Stmt, {}});
  }
  if (Depth < 2) {
    Why = "no loop inside the outermost one";
    return false;
  }
  auto *Reference = find_if(Statements, [&](auto &St) { return numLoops(*St.Stmt) == Depth; });
  for (Statement &St : Statements) {
    if (numLoops(*St.Stmt) == Depth) {
      for (unsigned Loop = 1; Loop < Depth; ++Loop)
        St.LoopOfAxis.push_back(Loop);
    } else {
      St.LoopOfAxis.assign(Depth - 1, -1);
      Why = "the inner loops do not run along the same axes";
      if (!matchLoops(St, *Reference))
        return false;
    }
  }
  Shape.Axes.resize(Depth - 1);
  return true;
}

/// Matches a statement in fewer loops, which lies on a border: its loops run along the axes with
/// the same stride.
bool StencilNest::matchLoops(Statement &Inner, const Statement &Reference) const {
  if (numLoops(*Inner.Stmt) == 1)
    return true;
  polly::MemoryAccess *Mine = arrayWrite(*Inner.Stmt), *Theirs = arrayWrite(*Reference.Stmt);
  if (!Mine || !Theirs)
    return false;
  for (unsigned Loop = 1; Loop < numLoops(*Inner.Stmt); ++Loop) {
    std::optional<SmallVector<long, 4>> Stride = stride(*Mine, Loop);
    if (!Stride)
      return false;
    bool Found = false;
    for (unsigned Axis = 0; Axis < Inner.LoopOfAxis.size() && !Found; ++Axis)
      if (Inner.LoopOfAxis[Axis] < 0 && stride(*Theirs, Axis + 1) == Stride) {
        Inner.LoopOfAxis[Axis] = static_cast<int>(Loop);
        Found = true;
      }
    if (!Found)
      return false;
  }
  return true;
}

bool StencilNest::measure(std::string &Why) {
  Why = "the number of points is not known";
  SmallVector<std::pair<long, long>, 4> Range(numAxes() + 1, {LONG_MAX, LONG_MIN});
  for (const Statement &St : Statements) {
    isl::set Domain = St.Stmt->getDomain();
    for (unsigned I = 0; I < Range.size(); ++I) {
      int Loop = I == 0 ? 0 : St.LoopOfAxis[I - 1];
      if (Loop < 0)
        continue;
      isl::val Low = Domain.dim_min_val(Loop), High = Domain.dim_max_val(Loop);
      if (I == 0 && isNumber(Low) && !isNumber(High))
        High = Low.add(isl::val(ctx(), AssumedSteps - 1));
      if (!isNumber(Low) || !isNumber(High))
        return false;
      Range[I].first = std::min(Range[I].first, Low.get_num_si());
      Range[I].second = std::max(Range[I].second, High.get_num_si());
    }
  }
  Shape.Steps = Range[0].second - Range[0].first + 1;
  for (unsigned Axis = 0; Axis < numAxes(); ++Axis)
    Shape.Axes[Axis].Points = Range[Axis + 1].second - Range[Axis + 1].first + 1;
  countAccesses();
  Why = "the statements access no arrays";
  return Shape.BytesPerPoint > 0;
}

/// Counts the loads and stores of the statements in the interior.
void StencilNest::countAccesses() {
  SmallPtrSet<const polly::ScopArrayInfo *, 4> Arrays;
  Shape.BytesPerPoint = 0;
  Shape.Accesses = Shape.Statements = Shape.ElementBytes = 0;
  for (const Statement &St : Statements) {
    if (numLoops(*St.Stmt) != numAxes() + 1)
      continue;
    ++Shape.Statements;
    for (polly::MemoryAccess *Access : *St.Stmt) {
      if (!Access->isLatestArrayKind())
        continue;
      ++Shape.Accesses;
      const polly::ScopArrayInfo *Array = Access->getLatestScopArrayInfo();
      unsigned Bytes = Array->getElemSizeInBytes();
      Shape.ElementBytes = std::max(Shape.ElementBytes, Bytes);
      if (Arrays.insert(Array).second)
        Shape.BytesPerPoint += Bytes;
    }
  }
}

/// Returns { S[i] -> [t, x...] }.
isl::map StencilNest::position(const Statement &St) const {
  isl::aff_list List = isl::aff_list(loopVariable(*St.Stmt, 0));
  for (int Loop : St.LoopOfAxis)
    List = List.add(Loop < 0 ? zero(*St.Stmt) : loopVariable(*St.Stmt, Loop));
  isl::space Space = St.Stmt->getDomain().get_space();
  isl::space Range = Space.params().set_from_params().add_dims(isl::dim::set, numAxes() + 1);
  return isl::map::from_multi_aff(isl::multi_aff(Space.map_from_domain_and_range(Range), List));
}

bool StencilNest::collectEdges(const polly::Dependences &D, std::string &Why) {
  constexpr int Orders =
      polly::Dependences::TYPE_RAW | polly::Dependences::TYPE_WAR | polly::Dependences::TYPE_WAW;
  isl::union_map All = D.getDependences(Orders);
  bool CarriedByTime = false;
  for (unsigned From = 0; From < Statements.size(); ++From)
    for (unsigned To = 0; To < Statements.size(); ++To) {
      isl::space Space = Statements[From].Stmt->getDomain().get_space().map_from_domain_and_range(
          Statements[To].Stmt->getDomain().get_space());
      isl::map Between = All.extract_map(Space);
      if (Between.is_empty().is_true())
        continue;
      isl::set Deltas = Between.apply_domain(position(Statements[From]))
                            .apply_range(position(Statements[To]))
                            .deltas()
                            .coalesce();
      if (Deltas.is_null())
        return false;
      isl::val Longest = Deltas.dim_max_val(0);
      CarriedByTime |= isNumber(Longest) && Longest.is_pos().is_true();
      Edges.push_back({From, To, Deltas});
    }
  Why = "the steps do not depend on each other";
  return CarriedByTime;
}

/// Returns the least change of Time * t +- x along the dependences of \p E.
long StencilNest::leastAdvance(const Edge &E, const ConeRow &Row, bool &Bounded) const {
  isl::local_space LS(E.Deltas.get_space());
  isl::aff T = isl::aff::var_on_domain(LS, isl::dim::set, 0);
  isl::aff X = isl::aff::var_on_domain(LS, isl::dim::set, Row.Axis + 1);
  isl::aff Scaled = T.scale(isl::val(ctx(), Row.Time));
  isl::val Least = E.Deltas.min_val(Row.Mirrored ? Scaled.sub(X) : Scaled.add(X));
  Bounded = isNumber(Least);
  return Bounded ? Least.get_num_si() : 0;
}

/// Solves Shift(From) <= Shift(To) + advance by Bellman and Ford; returns false if there is no
/// solution.
bool StencilNest::solveShifts(ConeRow &Row) const {
  SmallVector<long, 8> Advance;
  for (const Edge &E : Edges) {
    bool Bounded;
    Advance.push_back(leastAdvance(E, Row, Bounded));
    if (!Bounded || (E.From == E.To && Advance.back() < 0))
      return false;
  }
  Row.Shifts.assign(Statements.size(), 0);
  for (unsigned Round = 0; Round <= Statements.size(); ++Round) {
    bool Changed = false;
    for (unsigned I = 0; I < Edges.size(); ++I) {
      long Bound = Row.Shifts[Edges[I].To] + Advance[I];
      if (Row.Shifts[Edges[I].From] > Bound) {
        Row.Shifts[Edges[I].From] = Bound;
        Changed = true;
      }
    }
    if (!Changed) {
      long Least = *std::min_element(Row.Shifts.begin(), Row.Shifts.end());
      for (long &Shift : Row.Shifts)
        Shift -= Least;
      return true;
    }
  }
  return false;
}

isl::ctx StencilNest::ctx() const { return Statements.front().Stmt->getIslCtx(); }

std::optional<ConeRow> StencilNest::coneRow(unsigned Axis, bool Mirrored) const {
  ConeRow Row{Axis, Mirrored, 0, {}};
  for (; Row.Time <= MaxSkew; ++Row.Time)
    if (solveShifts(Row))
      return Row;
  return std::nullopt;
}

std::optional<long> StencilNest::wavefront() const {
  if (Statements.size() != 1 || numAxes() < 2 || Edges.size() != 1)
    return std::nullopt;
  // { [0, .., 0, row, x] }: dependences within the two innermost loops.
  isl::set Deltas = Edges[0].Deltas;
  for (unsigned Dim = 0; Dim + 1 < numAxes(); ++Dim)
    Deltas = Deltas.fix_si(isl::dim::set, Dim, 0);
  isl::set Along = Deltas.fix_si(isl::dim::set, numAxes() - 1, 0);
  if (!Along.is_empty().is_false())
    return std::nullopt;
  isl::local_space LS(Deltas.get_space());
  isl::aff Row = isl::aff::var_on_domain(LS, isl::dim::set, numAxes() - 1);
  isl::aff X = isl::aff::var_on_domain(LS, isl::dim::set, numAxes());
  for (long Skew = 1; Skew <= MaxSkew; ++Skew) {
    isl::val Least = Deltas.min_val(X.add(Row.scale(isl::val(ctx(), Skew))));
    if (isNumber(Least) && Least.is_pos().is_true())
      return Skew;
  }
  return std::nullopt;
}

isl::union_pw_aff StencilNest::place(unsigned Axis) const {
  ConeRow Upright{Axis, false, 0, {}};
  Upright.Shifts.assign(Statements.size(), 0);
  return coordinate(Upright);
}

isl::union_pw_aff StencilNest::time() const {
  isl::union_pw_aff Result;
  for (const Statement &St : Statements) {
    isl::union_pw_aff Mine(isl::pw_aff(loopVariable(*St.Stmt, 0)));
    Mine = Mine.intersect_domain(isl::union_set(St.Stmt->getDomain()));
    Result = Result.is_null() ? Mine : Result.union_add(Mine);
  }
  return Result;
}

isl::union_pw_aff StencilNest::coordinate(const ConeRow &Row) const {
  isl::union_pw_aff Result;
  for (unsigned I = 0; I < Statements.size(); ++I) {
    const polly::ScopStmt &Stmt = *Statements[I].Stmt;
    int Loop = Statements[I].LoopOfAxis[Row.Axis];
    isl::aff X = Loop < 0 ? zero(Stmt) : loopVariable(Stmt, Loop);
    isl::aff T = loopVariable(Stmt, 0).scale(isl::val(ctx(), Row.Time));
    isl::aff Sum = (Row.Mirrored ? T.sub(X) : T.add(X)).add_constant(Row.Shifts[I]);
    isl::union_pw_aff Mine =
        isl::union_pw_aff(isl::pw_aff(Sum)).intersect_domain(isl::union_set(Stmt.getDomain()));
    Result = Result.is_null() ? Mine : Result.union_add(Mine);
  }
  return Result;
}

} // namespace specrt
