//===- specializer/polyhedral/schedule/schedule_tools.cpp - helpers for schedule trees -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "isl/aff.h"
#include "isl/id.h"
#include "isl/schedule_node.h"
#include "isl/union_map.h"

namespace specrt {

isl::union_pw_aff tileOf(const isl::union_pw_aff &Member, long Size) {
  if (Member.is_null())
    return Member;
  isl::val Divisor(Member.ctx(), Size);
  return isl::manage(
      isl_union_pw_aff_floor(isl_union_pw_aff_scale_down_val(Member.copy(), Divisor.release())));
}

isl::schedule_node insertMark(const isl::schedule_node &Node, const char *Name, const void *User) {
  if (Node.is_null())
    return Node;
  isl::id Id = isl::manage(isl_id_alloc(Node.ctx().get(), Name, const_cast<void *>(User)));
  return Node.insert_mark(Id);
}

isl::schedule_node insertBand(isl::ctx Ctx, const isl::schedule_node &Node,
                              llvm::ArrayRef<isl::union_pw_aff> Members) {
  isl::union_pw_aff_list List = isl::union_pw_aff_list(Ctx, Members.size());
  for (const isl::union_pw_aff &Member : Members)
    List = List.add(Member);
  isl::space Space =
      Node.get_domain().get_space().set_from_params().add_dims(isl::dim::set, Members.size());
  isl::multi_union_pw_aff Schedule =
      isl::manage(isl_multi_union_pw_aff_from_union_pw_aff_list(Space.release(), List.release()));
  return Node.insert_partial_schedule(Schedule);
}

std::optional<int64_t> integer(const isl::val &Value) {
  constexpr long Most = long{1} << 61;
  // Also rejects null.
  if (!Value.is_int().is_true() || !Value.abs().le(Most).is_true())
    return std::nullopt;
  return Value.get_num_si();
}

std::optional<IntegerRange> rangeOf(const isl::set &Set, unsigned Dim) {
  std::optional<int64_t> First = integer(Set.dim_min_val(int(Dim)));
  std::optional<int64_t> Last = integer(Set.dim_max_val(int(Dim)));
  return First && Last ? std::optional(IntegerRange{*First, *Last}) : std::nullopt;
}

int64_t extent(const isl::set &Set, unsigned Dim) {
  std::optional<IntegerRange> Range = rangeOf(Set, Dim);
  return Range ? Range->size() : 0;
}

isl::set fixed(const isl::set &Set, unsigned Dim, int64_t Value) {
  if (Set.is_null())
    return Set;
  isl::val V(Set.ctx(), long(Value));
  return isl::manage(isl_set_fix_val(Set.copy(), isl_dim_set, Dim, V.release()));
}

isl::map equate(const isl::map &Map, unsigned In, unsigned Out) {
  return isl::manage(isl_map_equate(Map.copy(), isl_dim_in, int(In), isl_dim_out, int(Out)));
}

bool areEqual(const isl::map &Map, unsigned In, unsigned Out) {
  return Map.is_subset(equate(isl::map::universe(Map.get_space()), In, Out)).is_true();
}

bool isLoop(const isl::schedule_node &Node) {
  return Node.isa<isl::schedule_node_band>().is_true() &&
         count(Node.as<isl::schedule_node_band>().n_member()) == 1;
}

isl::union_pw_aff loopOf(const isl::schedule_node &Loop) {
  return Loop.as<isl::schedule_node_band>().get_partial_schedule().get_at(0);
}

isl::schedule_node belowMarks(isl::schedule_node Node) {
  while (Node.isa<isl::schedule_node_mark>().is_true())
    Node = Node.first_child();
  return Node;
}

isl::union_map atSame(const isl::multi_union_pw_aff &Schedule, const isl::union_map &Pairs) {
  // The dimension of a null schedule is -1.
  if (isl_multi_union_pw_aff_dim(Schedule.get(), isl_dim_out) == 0)
    return Pairs;
  return isl::manage(isl_union_map_eq_at_multi_union_pw_aff(Pairs.copy(), Schedule.copy()));
}

} // namespace specrt
