//===- specializer/polyhedral/schedule/outer_vectors.cpp - vectorises outer loops -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/schedule/outer_vectors.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"
#include "specializer/polyhedral/schedule/legality.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "specializer/rounding/sum_marks.h"
#include "llvm/Support/MathExtras.h"
#include "isl/schedule_node.h"
#include <algorithm>
#include <optional>

using namespace llvm;

namespace specrt {
namespace {

/// Limit on isl operations for one Scop.
constexpr unsigned long MaxOperations = 2'000'000;

/// Returns whether \p Node has loops below. The schedule of the source has one loop per band.
bool hasLoopBelow(const isl::schedule_node &Node) {
  for (unsigned I = 0, E = count(Node.n_children()); I < E; ++I) {
    isl::schedule_node Child = Node.child(int(I));
    if (isLoop(Child) || hasLoopBelow(Child))
      return true;
  }
  return false;
}

class Vectorizer {
public:
  Vectorizer(polly::Scop &S, const isl::union_map &Validity, long Lanes)
      : S(S), Validity(Validity), Lanes(Lanes) {}

  /// Visits outermost loops first; does not enter rewritten loops.
  isl::schedule_node visit(isl::schedule_node Node);

  unsigned NumChanged = 0;

private:
  isl::schedule_node rewrite(isl::schedule_node Band);
  isl::union_map carriedBy(const isl::schedule_node &Band) const;
  bool isIndependent(const isl::schedule_node &Band) const {
    return carriedBy(Band).is_empty().is_true();
  }
  bool hasSerialInnermost(const isl::schedule_node &Node) const;
  bool hasIndependentOuter(const isl::schedule_node &Node) const;
  isl::schedule_node sink(isl::schedule_node Band);
  isl::schedule_node sinkInto(isl::schedule_node Node, const isl::union_pw_aff &Member) const;
  isl::schedule_node split(isl::schedule_node Band);
  isl::schedule_node interchange(isl::schedule_node Band);
  unsigned numNear(const isl::multi_union_pw_aff &Order) const;
  std::optional<isl::union_set> pivotOf(const isl::schedule_node &Band,
                                        const isl::union_map &Carried) const;

  polly::Scop &S;
  isl::union_map Validity;
  long Lanes;
};

/// Returns the dependences between different iterations of a loop, in the same iteration of the
/// loops around it.
isl::union_map Vectorizer::carriedBy(const isl::schedule_node &Band) const {
  isl::union_set Domain = Band.get_domain();
  isl::union_map Inside = atSame(Band.get_prefix_schedule_multi_union_pw_aff(),
                                 Validity.intersect_domain(Domain).intersect_range(Domain));
  isl::multi_union_pw_aff Own(loopOf(Band));
  return Inside.subtract(atSame(Own, Inside));
}

/// Returns whether the loop contains only statements of sums in lanes. These already become
/// vectors, and their remaining iterations are few.
bool isOfSums(const isl::schedule_node &Loop) {
  bool All = true;
  const isl::set_list Sets = Loop.get_domain().get_set_list();
  for (int I = 0, E = int(count(Sets.size())); I < E; ++I) {
    const isl::id Of = Sets.get_at(I).get_tuple_id();
    const auto *Stmt = static_cast<const polly::ScopStmt *>(Of.get_user());
    const llvm::Loop *Around = Stmt->isCopyStmt() ? nullptr : Stmt->getSurroundingLoop();
    All &= Around && isLoopOfSum(*Around);
  }
  return All;
}

/// Returns whether an innermost loop below has dependent iterations.
bool Vectorizer::hasSerialInnermost(const isl::schedule_node &Node) const {
  for (unsigned I = 0, E = count(Node.n_children()); I < E; ++I) {
    isl::schedule_node Child = Node.child(int(I));
    if (isLoop(Child) && !hasLoopBelow(Child) && !isOfSums(Child) && !isIndependent(Child))
      return true;
    if (hasSerialInnermost(Child))
      return true;
  }
  return false;
}

/// Returns whether there is an independent loop below with serial loops inside.
bool Vectorizer::hasIndependentOuter(const isl::schedule_node &Node) const {
  for (unsigned I = 0, E = count(Node.n_children()); I < E; ++I) {
    isl::schedule_node Child = Node.child(int(I));
    if (isLoop(Child) && hasLoopBelow(Child) && isIndependent(Child) && hasSerialInnermost(Child))
      return true;
    if (hasIndependentOuter(Child))
      return true;
  }
  return false;
}

/// Adds a loop over \p Member around every leaf.
isl::schedule_node Vectorizer::sinkInto(isl::schedule_node Node,
                                        const isl::union_pw_aff &Member) const {
  if (Node.isa<isl::schedule_node_leaf>().is_true())
    return Node.insert_partial_schedule(
        isl::multi_union_pw_aff(Member.intersect_domain(Node.get_domain())));
  for (unsigned I = 0, E = count(Node.n_children()); I < E; ++I)
    Node = sinkInto(Node.child(int(I)), Member).parent();
  return Node;
}

/// Cuts the loop into groups of as many iterations as a vector has lanes; the loop over the
/// iterations of a group becomes the innermost one.
isl::schedule_node Vectorizer::sink(isl::schedule_node Band) {
  isl::union_pw_aff Member = loopOf(Band);
  isl::union_set Domain = Band.get_domain();
  isl::union_map Values = Member.as_union_map();
  isl::set Range = isl::set(Values.intersect_domain(Domain).range());
  std::optional<IntegerRange> Bounds = rangeOf(Range, 0);
  if (!Bounds || Bounds->size() < Lanes)
    return Band;
  isl::union_pw_aff Group = tileOf(Member, Lanes);
  isl::schedule_node Node = isl::manage(isl_schedule_node_delete(Band.release()));
  Node = sinkInto(Node, Member);
  Node = Node.insert_partial_schedule(isl::multi_union_pw_aff(Group));
  // Separates full groups from partial ones, so that LLVM sees loops of constant length. Groups are
  // independent, so their order does not matter.
  long First = divideCeilSigned(Bounds->First, Lanes);
  long Last = divideFloorSigned(Bounds->Last + 1, Lanes) - 1;
  isl::set FullGroups = isl::manage(isl_set_lower_bound_si(
      isl::set::universe(Range.get_space()).release(), isl_dim_set, 0, First));
  FullGroups = isl::manage(isl_set_upper_bound_si(FullGroups.release(), isl_dim_set, 0, Last));
  isl::union_map ToGroup = Group.as_union_map();
  isl::union_set Full =
      ToGroup.intersect_domain(Domain).intersect_range(isl::union_set(FullGroups)).domain();
  isl::union_set Ragged = Domain.subtract(Full);
  ++NumChanged;
  if (!Full.is_empty().is_false() || !Ragged.is_empty().is_false())
    return Node;
  isl::union_set_list Parts(Node.ctx(), 2);
  return Node.insert_sequence(Parts.add(Full).add(Ragged));
}

/// Returns, per iteration of the outer loops, the one iteration that is the source or the sink of
/// all dependences.
std::optional<isl::union_set> Vectorizer::pivotOf(const isl::schedule_node &Band,
                                                  const isl::union_map &Carried) const {
  isl::union_map Outer = isl::manage(isl_union_map_from_multi_union_pw_aff(
      Band.get_prefix_schedule_multi_union_pw_aff().release()));
  isl::union_map Own = loopOf(Band).as_union_map();
  isl::union_map SameOuter = Outer.apply_range(Outer.reverse());
  isl::union_map OtherOwn = SameOuter.subtract(Own.apply_range(Own.reverse()));
  // Keeps iterations that are the only one of their kind: at the loop's ends, or both source and
  // sink.
  auto Only = [&](const isl::union_set &Ends) {
    return Ends.subtract(OtherOwn.intersect_domain(Ends).intersect_range(Ends).domain());
  };
  isl::union_set Sources = Carried.domain(), Sinks = Carried.range();
  isl::union_set Both = Sources.intersect(Sinks);
  isl::union_set Ends = Only(Sources).unite(Only(Sinks)).unite(Both).coalesce();
  for (const isl::union_set &Pivot : {Sinks, Sources, Ends}) {
    isl::union_map Values = Outer.intersect_domain(Pivot).reverse().apply_range(Own);
    isl::union_map Left = Carried.subtract_domain(Pivot).subtract_range(Pivot);
    if (Values.is_single_valued().is_true() && Left.is_empty().is_true())
      return Pivot;
  }
  return std::nullopt;
}

isl::schedule_node Vectorizer::split(isl::schedule_node Band) {
  isl::multi_union_pw_aff Prefix = Band.get_prefix_schedule_multi_union_pw_aff();
  if (count(Prefix.dim(isl::dim::out)) == 0)
    return Band;
  isl::union_map Carried = carriedBy(Band);
  std::optional<isl::union_set> Pivot = pivotOf(Band, Carried);
  if (!Pivot)
    return Band;
  isl::union_set Domain = Band.get_domain();
  isl::union_map Outer = isl::manage(isl_union_map_from_multi_union_pw_aff(Prefix.release()));
  isl::union_map Own = loopOf(Band).as_union_map();
  // { S[x] -> S[pivot] } of the same outer iterations, then by the order of the own loop.
  isl::union_map ToPivot =
      Outer.intersect_domain(Domain).apply_range(Outer.intersect_domain(*Pivot).reverse());
  isl::union_map Before = isl::manage(isl_union_map_lex_lt_union_map(Own.copy(), Own.copy()));
  isl::union_map After = isl::manage(isl_union_map_lex_gt_union_map(Own.copy(), Own.copy()));
  isl::union_set Earlier = ToPivot.intersect(Before).domain();
  isl::union_set Later = ToPivot.intersect(After).domain();
  isl::union_set At = Domain.subtract(Earlier).subtract(Later);
  isl::union_set_list Parts(Band.ctx(), 3);
  for (const isl::union_set &Part : {Earlier, At, Later})
    if (Part.is_empty().is_false())
      Parts = Parts.add(Part.coalesce());
  ++NumChanged;
  return Band.insert_sequence(Parts);
}

/// Returns the number of accesses whose consecutive iterations of the last loop of \p Order access
/// the same or the next element.
unsigned Vectorizer::numNear(const isl::multi_union_pw_aff &Order) const {
  unsigned Number = 0;
  isl::union_map Maps = isl::manage(isl_union_map_from_multi_union_pw_aff(Order.copy()));
  for (polly::ScopStmt &Stmt : S) {
    isl::union_map OfStmt = Maps.intersect_domain(isl::union_set(Stmt.getDomain()));
    if (!OfStmt.is_empty().is_false() || !OfStmt.isa_map().is_true())
      continue;
    isl::map Schedule = isl::map::from_union_map(OfStmt);
    for (polly::MemoryAccess *Access : Stmt)
      Number += Access->isArrayKind() &&
                (Access->isStrideZero(Schedule) || Access->isStrideOne(Schedule));
  }
  return Number;
}

/// Makes an independent loop around one nest the innermost one if that makes accesses consecutive,
/// as in `for j, for k: x[k,j]`.
isl::schedule_node Vectorizer::interchange(isl::schedule_node Band) {
  isl::multi_union_pw_aff Outside = Band.get_prefix_schedule_multi_union_pw_aff();
  isl::multi_union_pw_aff Own(loopOf(Band)), Inside;
  isl::schedule_node Node = belowMarks(Band.child(0));
  for (; isLoop(Node); Node = belowMarks(Node.child(0))) {
    isl::multi_union_pw_aff Loop(loopOf(Node));
    Inside = Inside.is_null() ? Loop : Inside.flat_range_product(Loop);
  }
  if (Inside.is_null() || !Node.isa<isl::schedule_node_leaf>().is_true())
    return Band;
  auto Near = [&](const isl::multi_union_pw_aff &First, const isl::multi_union_pw_aff &Last) {
    return numNear(Outside.flat_range_product(First).flat_range_product(Last));
  };
  if (Near(Inside, Own) <= Near(Own, Inside))
    return Band;
  isl::union_pw_aff Member = loopOf(Band);
  ++NumChanged;
  return sinkInto(isl::manage(isl_schedule_node_delete(Band.release())), Member);
}

isl::schedule_node Vectorizer::rewrite(isl::schedule_node Band) {
  if (!hasLoopBelow(Band))
    return isIndependent(Band) ? Band : split(Band);
  if (isIndependent(Band) && !hasSerialInnermost(Band))
    return interchange(Band);
  if (isIndependent(Band) && hasSerialInnermost(Band) && !hasIndependentOuter(Band))
    return sink(Band);
  return Band;
}

isl::schedule_node Vectorizer::visit(isl::schedule_node Node) {
  if (isLoop(Node)) {
    unsigned Before = NumChanged;
    Node = rewrite(Node);
    if (NumChanged > Before)
      return Node;
  }
  for (unsigned I = 0, E = count(Node.n_children()); I < E; ++I)
    Node = visit(Node.child(int(I))).parent();
  return Node;
}

} // namespace

isl::schedule vectorizeOuterLoops(polly::Scop &S, const isl::union_map &Validity,
                                  const TilingTarget &Target) {
  isl_ctx *Ctx = S.getIslCtx().get();
  isl_ctx_reset_error(Ctx);
  polly::IslMaxOperationsGuard Limit(Ctx, MaxOperations);
  long ElementBytes = 1;
  for (const polly::ScopArrayInfo *Array : S.arrays())
    if (Array->isArrayKind())
      ElementBytes = std::max<long>(ElementBytes, Array->getElemSizeInBytes());
  Vectorizer Own(S, Validity, std::max<long>(2, long(Target.VectorBytes) / ElementBytes));
  isl::schedule_node Root = Own.visit(S.getScheduleTree().get_root());
  if (Own.NumChanged == 0 || Root.is_null())
    return {};
  isl::schedule New = Root.get_schedule();
  bool Valid = respects(New, Validity);
  return Valid && isl_ctx_last_error(Ctx) == isl_error_none ? New : isl::schedule();
}

} // namespace specrt
