//===- specializer/polyhedral/dataflow/filters.cpp - compares the filters of statements ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/dataflow/filters.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "isl/map.h"
#include "isl/space.h"

namespace specrt {
namespace {

/// Returns { [v1, ..., vn] -> [w1, ..., wm] }.
isl::map anyValues(isl::ctx Ctx, size_t From, size_t To) {
  return isl::map::universe(
      isl::manage(isl_space_alloc(Ctx.get(), 0, unsigned(From), unsigned(To))));
}

isl::map removeOutputs(isl::map Relation, size_t First, size_t Count) {
  return isl::manage(
      isl_map_project_out(Relation.release(), isl_dim_out, unsigned(First), unsigned(Count)));
}

/// Restricts the range of \p Relation to the values that the elements of \p Of can have.
isl::map boundOutputs(isl::map Relation, const ComparableFilter &Of) {
  for (size_t I = 0; I < Of.Bounds.size(); ++I)
    if (Of.Bounds[I]) {
      isl_map *Bounded = isl_map_lower_bound_si(Relation.release(), isl_dim_out, unsigned(I),
                                                int(Of.Bounds[I]->first));
      Relation = isl::manage(
          isl_map_upper_bound_si(Bounded, isl_dim_out, unsigned(I), int(Of.Bounds[I]->second)));
    }
  return Relation;
}

/// Returns { C[k] -> t } for which the image of C[k] under \p A, { C[k] -> u }, is a non-empty
/// subset of the image of t under \p B, { t -> u }.
isl::union_map nonEmptySubset(const isl::union_map &A, const isl::union_map &B) {
  const isl::union_map All =
      isl::union_map::from_domain_and_range(B.domain(), A.range()).subtract(B);
  return A.apply_range(B.reverse()).subtract(A.apply_range(All.reverse()));
}

} // namespace

bool ComparableFilter::isSingleValued() const {
  for (const isl::union_map &Each : Elements)
    if (!Each.is_single_valued().is_true())
      return false;
  return true;
}

isl::map ComparableFilter::otherValues() const {
  const isl::map All = isl::map::from_domain_and_range(
      Values.domain(), anyValues(Values.ctx(), 0, Elements.size()).range());
  return boundOutputs(All, *this).subtract(Values);
}

isl::map impliedValues(const ComparableFilter &Known, const ComparableFilter &Of,
                       const isl::map &Pairs) {
  if (Pairs.is_null() || Known.Values.is_null())
    return {};
  isl::map Same =
      boundOutputs(anyValues(Pairs.ctx(), Known.Elements.size(), Of.Elements.size()), Of);
  for (size_t J = 0; J < Of.Elements.size(); ++J) {
    const isl::union_map Looked = isl::union_map(Pairs).apply_range(Of.Elements[J]);
    for (size_t I = 0; I < Known.Elements.size(); ++I)
      if (Looked.is_subset(Known.Elements[I]).is_true())
        Same = equate(Same, unsigned(I), unsigned(J));
  }
  return Pairs.reverse().apply_range(Known.Values.apply_range(Same));
}

void learnFromUnexecuted(ComparableFilter &Known, const ComparableFilter &Of, isl::map Unexecuted,
                         const isl::set &Where) {
  Unexecuted = Unexecuted.intersect_domain(Where).intersect_range(Of.Values.domain());
  if (!Unexecuted.is_empty().is_false() || Known.Values.is_null())
    return;
  isl::map Possible = impliedValues(Known, Of, Unexecuted).subtract(Of.Values);
  // Only a component with a single element is certain to have prevented the execution.
  std::vector<isl::union_map> Elements;
  std::vector<std::optional<std::pair<int64_t, int64_t>>> Bounds;
  for (size_t I = 0; I < Of.Elements.size(); ++I) {
    const isl::union_map Each = Of.Elements[I].intersect_domain(isl::union_set(Unexecuted.range()));
    if (Each.is_single_valued().is_true()) {
      Elements.push_back(Each);
      Bounds.push_back(Of.Bounds[I]);
    } else {
      Possible = removeOutputs(Possible, Elements.size(), 1);
    }
  }
  if (Elements.empty())
    return;
  isl::union_map Tuple = Elements.front();
  for (size_t I = 1; I < Elements.size(); ++I)
    Tuple = Tuple.range_product(Elements[I]);
  // { [C[k] -> elements] -> Q[j] }
  const isl::union_map Prevented =
      isl::union_map(Unexecuted.reverse()).range_product(Tuple).reverse();
  const isl::union_map ByElements =
      nonEmptySubset(Prevented, isl::union_map(Possible.reverse())).domain_factor_domain();
  const isl::map Rest =
      isl::map::from_domain_and_range(Where.subtract(Unexecuted.domain()),
                                      anyValues(Known.Values.ctx(), 0, Elements.size()).range());
  isl::map New = Rest;
  if (ByElements.is_empty().is_false()) {
    isl_map *Only = isl_map_from_union_map(ByElements.copy());
    New = New.unite(isl::manage(Only));
  }
  Known.Values = Known.Values.intersect_domain(Where).flat_range_product(New);
  for (size_t I = 0; I < Elements.size(); ++I) {
    Known.Elements.push_back(isl::union_map(Unexecuted).apply_range(Elements[I]));
    Known.Bounds.push_back(Bounds[I]);
  }
}

isl::set conflictsOf(const ExecutedSide &A, const ExecutedSide &B) {
  if (A.Iterations.is_null() || B.Iterations.is_null())
    return {};
  const isl::set None = isl::set::empty(A.Iterations.domain().space());
  const isl::map ValuesA = A.AreExecuted ? A.Filter->Values : A.Filter->otherValues();
  const isl::map ValuesB = B.AreExecuted ? B.Filter->Values : B.Filter->otherValues();
  if ((!A.AreExecuted && !A.Filter->isSingleValued()) ||
      (!B.AreExecuted && !B.Filter->isSingleValued()))
    return None;
  isl::union_map Meeting; // { P[i] -> Q[j] } iterations that read the same elements
  isl::map Same =
      anyValues(A.Iterations.ctx(), A.Filter->Elements.size(), B.Filter->Elements.size());
  std::vector<bool> IsMatched(B.Filter->Elements.size());
  for (size_t I = 0; I < A.Filter->Elements.size(); ++I)
    for (size_t J = 0; J < B.Filter->Elements.size(); ++J) {
      if (IsMatched[J])
        continue;
      isl::union_map Here = A.Filter->Elements[I].apply_range(B.Filter->Elements[J].reverse());
      if (!Meeting.is_null())
        Here = Here.intersect(Meeting);
      if (!Here.is_empty().is_false())
        continue;
      Meeting = Here;
      Same = equate(Same, unsigned(I), unsigned(J));
      // Another match could be by another element of the same component.
      IsMatched[J] = true;
      break;
    }
  if (Meeting.is_null())
    return None;
  const isl::map Agreeing = ValuesA.apply_range(Same).apply_range(ValuesB.reverse());
  const isl::union_map Disagreeing = Meeting.subtract(isl::union_map(Agreeing));
  const isl::map Both = A.Iterations.range_product(B.Iterations);
  const isl::union_map Found = isl::union_map(Both).intersect_range(Disagreeing.wrap());
  if (!Found.is_empty().is_false())
    return None;
  return isl::manage(isl_set_from_union_set(Found.domain().release()));
}

} // namespace specrt
