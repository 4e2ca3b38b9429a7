//===- specializer/polyhedral/schedule/extended_tree.cpp - statements at the end of loops ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// isl has no operation that adds statements to the domain of a tree, so the tree is rebuilt from
// its leaves.
//
//===----------------------------------------------------------------------===//
#include "specializer/polyhedral/schedule/extended_tree.h"
#include "polly/Support/ISLTools.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "isl/schedule.h"

namespace specrt {
namespace {

class TreeBuilder {
public:
  explicit TreeBuilder(const LoopEnd &End) : End(End) {}

  /// Returns the schedule of the statements below \p Node, which is below \p NumLoops loops.
  isl::schedule build(const isl::schedule_node &Node, unsigned NumLoops);

  bool IsAdded = false;

private:
  isl::schedule buildLoop(const isl::schedule_node &Band, unsigned NumLoops);
  isl::schedule own() const;
  isl::multi_union_pw_aff counterOf(const isl::space &Space, unsigned Dim) const;
  bool counts(const isl::schedule_node &Band, unsigned Dim) const;

  const LoopEnd &End;
};

/// Returns { New[x] -> [x_Dim] }.
isl::multi_union_pw_aff TreeBuilder::counterOf(const isl::space &Space, unsigned Dim) const {
  const isl::aff Counter = isl::aff::var_on_domain(isl::local_space(Space), isl::dim::set, Dim);
  return isl::multi_union_pw_aff(
      isl::union_pw_aff(isl::pw_aff(Counter)).intersect_domain(isl::union_set(End.New)));
}

/// Returns whether the loop equals dimension \p Dim of all statements in End.Inside.
bool TreeBuilder::counts(const isl::schedule_node &Band, unsigned Dim) const {
  const isl::union_map Loop = loopOf(Band).as_union_map();
  bool All = End.Inside.is_subset(Band.get_domain()).is_true();
  for (isl::map Map : Loop.intersect_domain(End.Inside).get_map_list())
    All &= areEqual(Map, Dim, 0);
  return All;
}

/// Returns the schedule of the new statement inside the loops that it shares with others.
isl::schedule TreeBuilder::own() const {
  isl::schedule Own = isl::schedule::from_domain(isl::union_set(End.New));
  for (unsigned D = count(End.New.tuple_dim()); D-- > End.Depth;)
    Own = Own.insert_partial_schedule(counterOf(End.New.get_space(), D));
  return Own;
}

/// Rebuilds a loop. Bands keep only their schedules, as those of a source have no other properties.
isl::schedule TreeBuilder::buildLoop(const isl::schedule_node &Band, unsigned NumLoops) {
  const bool IsAround = NumLoops < End.Depth && End.Inside.is_subset(Band.get_domain()).is_true();
  if (IsAround && (!isLoop(Band) || !counts(Band, NumLoops)))
    return {};
  isl::schedule Below = build(Band.child(0), NumLoops + 1);
  isl::multi_union_pw_aff Loop = Band.as<isl::schedule_node_band>().get_partial_schedule();
  if (IsAround && NumLoops + 1 == End.Depth) {
    Below = Below.sequence(own());
    IsAdded = true;
  }
  if (IsAround && IsAdded)
    Loop = Loop.union_add(counterOf(End.New.get_space(), NumLoops));
  return Below.insert_partial_schedule(Loop);
}

isl::schedule TreeBuilder::build(const isl::schedule_node &Node, unsigned NumLoops) {
  if (Node.isa<isl::schedule_node_leaf>().is_true())
    return isl::schedule::from_domain(Node.get_domain());
  if (Node.isa<isl::schedule_node_band>().is_true())
    return buildLoop(Node, NumLoops);
  if (Node.isa<isl::schedule_node_domain>().is_true() ||
      Node.isa<isl::schedule_node_filter>().is_true())
    return build(Node.child(0), NumLoops);
  if (Node.isa<isl::schedule_node_mark>().is_true()) {
    const isl::schedule Below = build(Node.child(0), NumLoops);
    if (Below.is_null())
      return {};
    return Below.get_root()
        .child(0)
        .insert_mark(Node.as<isl::schedule_node_mark>().get_id())
        .get_schedule();
  }
  const bool IsSequence = Node.isa<isl::schedule_node_sequence>().is_true();
  if (!IsSequence && !Node.isa<isl::schedule_node_set>().is_true())
    return {};
  isl::schedule All;
  for (unsigned I = 0, E = count(Node.n_children()); I < E; ++I) {
    const isl::schedule Next = build(Node.child(int(I)), NumLoops);
    if (I == 0)
      All = Next;
    else if (IsSequence)
      All = All.sequence(Next);
    else
      All = isl::manage(isl_schedule_set(All.release(), Next.copy()));
  }
  return All;
}

} // namespace

isl::schedule addAtLoopEnd(const isl::schedule &Schedule, const LoopEnd &End) {
  if (Schedule.is_null())
    return {};
  TreeBuilder Builder(End);
  const isl::schedule New = Builder.build(Schedule.get_root(), 0);
  const bool HasFailed = isl_ctx_last_error(Schedule.ctx().get()) != isl_error_none;
  return Builder.IsAdded && !HasFailed ? New : isl::schedule();
}

} // namespace specrt
