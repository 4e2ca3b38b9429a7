//===- specializer/polyhedral/schedule/loop_shifts.cpp - prevents wrong loop shifts of isl -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/schedule/loop_shifts.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "isl/union_set.h"

namespace specrt {
namespace {

/// Maximal number of statements for which isl compares all pairs.
constexpr int MaxCompared = 2;

/// Returns whether isl may shift \p Node: it shifts no band above a node that refers to outer
/// loops.
bool mayBeShifted(const isl::schedule_node &Node) {
  return Node.isa<isl::schedule_node_band>().is_true() && Node.is_subtree_anchored().is_false() &&
         isl_union_set_n_set(Node.get_domain().get()) > MaxCompared;
}

/// Inserts a condition that always holds above one of the leaves of a band.
isl::schedule_node forbidShift(isl::schedule_node Node) {
  if (!mayBeShifted(Node))
    return Node;
  int Depth = 0;
  for (; Node.has_children().is_true(); ++Depth)
    Node = Node.first_child();
  isl::space Loops = Node.get_prefix_schedule_multi_union_pw_aff().get_space();
  return Node.insert_context(isl::set::universe(Loops)).ancestor(Depth);
}

} // namespace

isl::schedule forbidShifts(const isl::schedule &Schedule) {
  return Schedule.get_root().map_descendant_bottom_up(forbidShift).get_schedule();
}

} // namespace specrt
