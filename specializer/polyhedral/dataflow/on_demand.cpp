//===- specializer/polyhedral/dataflow/on_demand.cpp - dataflow of conditional programs ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/dataflow/on_demand.h"
#include "specializer/polyhedral/dataflow/read_flow.h"
#include "isl/map.h"
#include "isl/set.h"
#include "isl/space.h"

namespace specrt {

namespace {

/// Returns { S[i] -> element } of \p Access with elements that are equal to no others.
isl::union_map incomparable(const isl::map &Access) { return Access.domain_map().reverse(); }

/// Identifies the elements of filters by the writes that are the sources of their values.
class FilterResolver {
public:
  explicit FilterResolver(const ConditionalProgram &Program) : Program(Program) {
    for (const ConditionalStatement &S : Program.Statements) {
      ComparableFilter &New = Filters.emplace_back(withoutElements(S));
      if (S.Filter.Accesses.empty())
        continue;
      New.Values = S.Filter.Values.intersect_domain(S.Domain);
      for (const isl::map &Access : S.Filter.Accesses) {
        New.Elements.push_back(incomparable(Access.intersect_domain(S.Domain)));
        const char *Name = isl_map_get_tuple_name(Access.get(), isl_dim_out);
        const auto Bounds = Program.ValueBounds.find(Name ? Name : "");
        New.Bounds.emplace_back();
        if (Bounds != Program.ValueBounds.end())
          New.Bounds.back() = Bounds->second;
      }
    }
  }

  std::optional<std::vector<ComparableFilter>> run() {
    for (unsigned S = 0; S < Program.Statements.size(); ++S)
      for (size_t I = 0; I < Filters[S].Elements.size(); ++I)
        if (!resolve(S, I))
          return std::nullopt;
    return std::move(Filters);
  }

private:
  static ComparableFilter withoutElements(const ConditionalStatement &S) {
    const isl::space Nothing = isl::manage(isl_space_set_alloc(S.Domain.ctx().get(), 0, 0));
    return {{}, {}, isl::map::from_domain_and_range(S.Domain, isl::set::universe(Nothing))};
  }

  bool resolve(unsigned S, size_t I) {
    const ConditionalStatement &Statement = Program.Statements[S];
    const isl::map Access = Statement.Filter.Accesses[I].intersect_domain(Statement.Domain);
    const std::optional<DataflowOfRead> Flow =
        flowOfRead(Program, Filters, S, withoutElements(Statement), Access);
    if (!Flow)
      return false;
    if (Flow->numParameters() > 0)
      return true;
    isl::union_map Elements = Access.intersect_domain(Flow->NoSource);
    for (const DataflowOfRead::Source &From : Flow->Sources) {
      const isl::map &Write = Program.Statements[From.Statement].Writes[From.Write];
      Elements =
          Elements.unite(isl::union_map(From.Iterations.apply_range(Write.domain_map().reverse())));
    }
    Filters[S].Elements[I] = Elements;
    return true;
  }

  const ConditionalProgram &Program;
  std::vector<ComparableFilter> Filters;
};

} // namespace

unsigned DataflowOfRead::numParameters() const {
  unsigned Count = 0;
  for (const SourceParameters &Each : Parameters)
    Count += unsigned(Each.Last.size()) + (Each.Executed.empty() ? 0 : 1);
  return Count;
}

DataflowAnalysis::DataflowAnalysis(ConditionalProgram Of) : Program(std::move(Of)) {
  if (auto Resolved = FilterResolver(Program).run())
    Filters = std::move(*Resolved);
}

std::optional<DataflowOfRead> DataflowAnalysis::of(unsigned Sink, const isl::map &Read) const {
  if (Filters.empty())
    return std::nullopt;
  return flowOfRead(Program, Filters, Sink, Filters[Sink],
                    Read.intersect_domain(Program.Statements[Sink].Domain));
}

} // namespace specrt
