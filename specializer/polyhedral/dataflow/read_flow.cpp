//===- specializer/polyhedral/dataflow/read_flow.cpp - the dataflow of one read ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// isl computes the last write before a read as partial lexicographic maxima, one for each source
// and each number of loops in which both are in the same iteration. A callback can restrict each of
// them (isl_access_info_set_restrict). For source P of the sink iteration k, lambda is the last
// executed iteration of P before k that writes the element that k reads. sigma is the number of
// loops in which lambda and k are in the same iteration, or -1 if there is no lambda. Only the
// components of lambda that matter become parameters.
//
//===----------------------------------------------------------------------===//
#include "specializer/polyhedral/dataflow/read_flow.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "isl/constraint.h"
#include "isl/flow.h"
#include "isl/map.h"
#include "isl/set.h"
#include "isl/space.h"
#include <algorithm>
#include <list>

namespace specrt {

namespace {

/// Returns { C[k] -> P[j] : k[0] = j[0] and ... } for the first \p Count dimensions.
isl::map firstEqual(const isl::space &Space, unsigned Count) {
  isl::map Relation = isl::map::universe(Space);
  for (unsigned D = 0; D < Count; ++D)
    Relation = equate(Relation, D, D);
  return Relation;
}

/// Returns the position of the parameter \p Name, which the function adds if it is missing.
isl_map *withParameter(isl_map *Relation, const std::string &Name, int &At) {
  At = isl_map_find_dim_by_name(Relation, isl_dim_param, Name.c_str());
  if (At >= 0)
    return Relation;
  At = int(isl_map_dim(Relation, isl_dim_param));
  Relation = isl_map_add_dims(Relation, isl_dim_param, 1);
  return isl_map_set_dim_name(Relation, isl_dim_param, unsigned(At), Name.c_str());
}

isl::map outputIs(const isl::map &Relation, unsigned Output, const std::string &Parameter) {
  int At;
  isl_map *With = withParameter(Relation.copy(), Parameter, At);
  return isl::manage(isl_map_equate(With, isl_dim_param, At, isl_dim_out, int(Output)));
}

isl::map isAtLeast(const isl::map &Relation, const std::string &Parameter, int Value) {
  int At;
  isl_map *With = withParameter(Relation.copy(), Parameter, At);
  return isl::manage(isl_map_lower_bound_si(With, isl_dim_param, unsigned(At), Value));
}

isl::map isAtMost(const isl::map &Relation, const std::string &Parameter, int Value) {
  int At;
  isl_map *With = withParameter(Relation.copy(), Parameter, At);
  return isl::manage(isl_map_upper_bound_si(With, isl_dim_param, unsigned(At), Value));
}

isl::set isAtMost(const isl::set &Iterations, const std::string &Parameter, int Value) {
  return isAtMost(isl::map::from_domain(Iterations), Parameter, Value).domain();
}

bool involves(const isl::set &Iterations, const std::string &Parameter) {
  const int At = isl_set_find_dim_by_name(Iterations.get(), isl_dim_param, Parameter.c_str());
  return At >= 0 &&
         isl_set_involves_dims(Iterations.get(), isl_dim_param, unsigned(At), 1) == isl_bool_true;
}

bool involves(const isl::map &Relation, const std::string &Parameter) {
  const int At = isl_map_find_dim_by_name(Relation.get(), isl_dim_param, Parameter.c_str());
  return At >= 0 &&
         isl_map_involves_dims(Relation.get(), isl_dim_param, unsigned(At), 1) == isl_bool_true;
}

/// Returns { S[i] -> S[i'] : i' is later than i, or the same }.
isl::map laterOrEqual(const isl::set &Domain) { return isl::map::lex_le(Domain.space()); }

/// Computes the dataflow of one read.
class ReadFlow {
public:
  ReadFlow(const ConditionalProgram &Program, const std::vector<ComparableFilter> &Filters,
           unsigned Sink, const ComparableFilter &SinkFilter, const isl::map &Read)
      : Program(Program), Filters(Filters), Sink(Sink), Read(Read), SinkFilter(SinkFilter),
        Reader{Sink, 0, {}, {}, {}, 0, {}} {
    findSources();
  }

  std::optional<DataflowOfRead> run();

private:
  struct Source {
    unsigned Statement, Write;
    std::string Name; ///< of the statement
    isl::map Access;
    isl::map Before;   ///< { C[k] -> P[j] } writes before k of the element that it reads
    unsigned Deciding; ///< number of outer loops; no loop inside these decides about the execution
    isl::map Lasts;    ///< those of Before that are last among iterations of these loops
    std::vector<unsigned> Dims = {};    ///< components of lambda that are parameters
    std::optional<unsigned> Level = {}; ///< fewest loops for which there are parameters
    std::string name(const char *Kind) const {
      return Kind + Name + (Write > 0 ? "_" + std::to_string(Write) : "");
    }
    std::string sigma() const { return name("sigma_"); }
    std::string executed() const { return name("executed_"); }
    std::string last(unsigned Dim) const { return name("last_") + "_" + std::to_string(Dim); }
  };
  /// The argument that isl passes to the functions which it calls.
  struct User {
    ReadFlow *Flow;
    Source *Of;
  };
  enum class Kind { None, Empty, Input };

  void findSources();
  static int levelBefore(void *First, void *Second);
  static isl_restriction *restrict(isl_map *Writes, isl_set *Reads, void *Of, void *Self);
  isl_restriction *restrict(isl::map Writes, isl::set Reads, Source &Of);
  unsigned levelOf(const isl::map &Writes, const Source &Of) const;
  ComparableFilter learnFromOthers(const isl::map &Writes, const isl::set &Where, const Source &Of,
                                   unsigned Level) const;
  Kind kindOf(const isl::map &Writes, const ComparableFilter &Known, const Source &Of) const;
  unsigned decidingDepth(unsigned Statement) const;
  void introduce(Source &Of, unsigned Level) const;
  isl::map withoutParameters(isl::map Relation) const;
  isl::map lastOf(const Source &Of) const;
  isl::map laterThanLast(const Source &Of) const;
  isl::set possible(const isl::map &Writes, const isl::set &Where, const ComparableFilter &Known,
                    const Source &Of, unsigned Level) const;
  isl::map finish(isl::map OfSinks) const;
  isl::set meaningOf(const Source &Of) const;
  void addParameters(const Source &Of, DataflowOfRead &Found) const;

  const ConditionalProgram &Program;
  const std::vector<ComparableFilter> &Filters;
  const unsigned Sink;
  const isl::map Read;
  const ComparableFilter SinkFilter;
  Source Reader; ///< stands for the sink where isl compares places
  std::list<Source> Sources;
};

void ReadFlow::findSources() {
  for (unsigned S = 0; S < Program.Statements.size(); ++S)
    for (unsigned W = 0; W < Program.Statements[S].Writes.size(); ++W) {
      const isl::map &Write = Program.Statements[S].Writes[W];
      if (isl_space_tuple_is_equal(Write.space().get(), isl_dim_out, Read.space().get(),
                                   isl_dim_out) != isl_bool_true)
        continue;
      const isl::map Access = Write.intersect_domain(Program.Statements[S].Domain);
      const isl::map Same = Read.apply_range(Access.reverse());
      const unsigned Shared = Program.numShared(S, Sink);
      isl::map Before = isl::map::empty(Same.space());
      for (unsigned D = 0; D < Shared; ++D)
        Before = Before.unite(
            Same.intersect(firstEqual(Same.space(), D))
                .intersect(isl::manage(isl_map_order_gt(isl_map_universe(Same.space().release()),
                                                        isl_dim_in, int(D), isl_dim_out, int(D)))));
      if (Program.isBefore(S, Sink))
        Before = Before.unite(Same.intersect(firstEqual(Same.space(), Shared)));
      const unsigned Deciding = decidingDepth(S);
      const isl::set Domain = Program.Statements[S].Domain;
      const isl::map Later = isl::map::lex_lt(Domain.space())
                                 .intersect(firstEqual(Domain.space().map_from_set(), Deciding));
      const isl::map Lasts = Before.subtract(Before.apply_range(Later.reverse()));
      const char *Name = isl_set_get_tuple_name(Domain.get());
      Sources.push_back({S, W, Name ? Name : "", Access, Before, Deciding, Lasts});
    }
}

/// Callback of isl: returns twice the number of loops that contain both accesses, plus 1 if the
/// first one is before the second one in the text.
int ReadFlow::levelBefore(void *First, void *Second) {
  const User &A = *static_cast<User *>(First);
  const User &B = *static_cast<User *>(Second);
  const ConditionalProgram &All = A.Flow->Program;
  bool IsBefore = All.isBefore(A.Of->Statement, B.Of->Statement);
  if (A.Of->Statement == B.Of->Statement && B.Of != &A.Flow->Reader && A.Of != &A.Flow->Reader)
    IsBefore = A.Of->Write < B.Of->Write;
  return int(2 * All.numShared(A.Of->Statement, B.Of->Statement)) + (IsBefore ? 1 : 0);
}

/// Returns the number of loops for which \p Writes, { C[k] -> P[j] }, has only equal iterations.
unsigned ReadFlow::levelOf(const isl::map &Writes, const Source &Of) const {
  unsigned Level = Program.numShared(Of.Statement, Sink);
  while (Level > 0 && !Writes.is_subset(firstEqual(Writes.space(), Level)).is_true())
    --Level;
  return Level;
}

/// Returns { C[k] -> P[lambda] } with the parameters of \p Of. Other components of lambda may have
/// any value.
isl::map ReadFlow::lastOf(const Source &Of) const {
  isl::map Lambda = Of.Lasts;
  for (const unsigned D : Of.Dims)
    Lambda = outputIs(Lambda, D, Of.last(D));
  const unsigned Shared = Program.numShared(Of.Statement, Sink);
  isl::map All = isl::map::empty(Lambda.space());
  for (unsigned D = 0; D <= Shared; ++D) {
    isl::map Here = Lambda.intersect(firstEqual(Lambda.space(), D));
    if (D < Shared)
      Here = Here.subtract(firstEqual(Lambda.space(), D + 1));
    All = All.unite(isAtMost(isAtLeast(Here, Of.sigma(), int(D)), Of.sigma(), int(D)));
  }
  return All;
}

/// Returns { C[k] -> P[j] }, iterations that are not executed because they are later than the last
/// one.
isl::map ReadFlow::laterThanLast(const Source &Of) const {
  const isl::map Last = lastOf(Of);
  const isl::map Not = Last.apply_range(laterOrEqual(Of.Access.domain()).reverse());
  return Of.Before.intersect_domain(Last.domain())
      .subtract(Not)
      .unite(isAtMost(Of.Before, Of.sigma(), -1));
}

/// Removes the parameters that the analysis has introduced.
isl::map ReadFlow::withoutParameters(isl::map Relation) const {
  const auto Remove = [&](const std::string &Name) {
    const int At = isl_map_find_dim_by_name(Relation.get(), isl_dim_param, Name.c_str());
    if (At >= 0)
      Relation =
          isl::manage(isl_map_project_out(Relation.release(), isl_dim_param, unsigned(At), 1));
  };
  for (const Source &Of : Sources) {
    Remove(Of.sigma());
    for (const unsigned D : Of.Dims)
      Remove(Of.last(D));
  }
  return Relation;
}

/// Returns the filter of the sink iterations \p Where, with facts that follow from writes of
/// sources that are known not to be executed.
ComparableFilter ReadFlow::learnFromOthers(const isl::map &Writes, const isl::set &Where,
                                           const Source &Of, unsigned Level) const {
  ComparableFilter Known = SinkFilter;
  for (const Source &Other : Sources) {
    if (&Other == &Of || !Other.Level || !involves(Where, Other.sigma()))
      continue;
    const unsigned Shared = std::min(Level, Program.numShared(Other.Statement, Sink));
    const isl::map Executed = withoutParameters(lastOf(Other).intersect_domain(Where));
    const isl::map Maybe = Executed.apply_range(laterOrEqual(Other.Access.domain()).reverse());
    const isl::map Unexecuted =
        Other.Before.intersect(firstEqual(Other.Before.space(), Shared)).subtract(Maybe);
    learnFromUnexecuted(Known, Filters[Other.Statement], Unexecuted, Writes.domain());
  }
  return Known;
}

ReadFlow::Kind ReadFlow::kindOf(const isl::map &Writes, const ComparableFilter &Known,
                                const Source &Of) const {
  const ComparableFilter &Filter = Filters[Of.Statement];
  const isl::map Implied = impliedValues(Known, Filter, Writes);
  if (!Implied.intersect(Filter.Values).is_empty().is_false())
    return Kind::Empty;
  return Implied.is_subset(Filter.Values).is_true() ? Kind::None : Kind::Input;
}

/// Returns the number of outer loops inside which no further loop of the statement decides whether
/// it is executed.
unsigned ReadFlow::decidingDepth(unsigned Statement) const {
  const ComparableFilter &Filter = Filters[Statement];
  const isl::set &Domain = Program.Statements[Statement].Domain;
  const auto Depth = unsigned(isl_set_dim(Domain.get(), isl_dim_set));
  const isl::map Values = Filter.Values.gist_domain(Domain);
  const auto Decides = [&](unsigned D) {
    if (isl_map_involves_dims(Values.get(), isl_dim_in, D, 1) != isl_bool_false)
      return true;
    // It decides unless iterations that differ in this dimension alone read the same elements.
    isl::map Others = isl::map::universe(Domain.space().map_from_set());
    for (unsigned E = 0; E < Depth; ++E)
      if (E != D)
        Others = equate(Others, E, E);
    Others = Others.intersect_domain(Domain).intersect_range(Domain);
    return !std::all_of(Filter.Elements.begin(), Filter.Elements.end(), [&](const auto &Each) {
      return isl::union_map(Others).apply_range(Each).is_subset(Each).is_true();
    });
  };
  unsigned Innermost = Depth;
  while (Innermost > 0 && !Decides(Innermost - 1))
    --Innermost;
  return Innermost;
}

/// Introduces parameters for the components of lambda from \p Level on that decide whether an
/// iteration is executed, unless the sink iteration determines them.
void ReadFlow::introduce(Source &Of, unsigned Level) const {
  const auto Depth = unsigned(isl_map_dim(Of.Before.get(), isl_dim_out));
  for (unsigned D = Level; D < Of.Deciding; ++D) {
    isl_map *Only = isl_map_project_out(Of.Before.copy(), isl_dim_out, D + 1, Depth - D - 1);
    const isl::map Component = isl::manage(isl_map_project_out(Only, isl_dim_out, 0, D));
    if (std::find(Of.Dims.begin(), Of.Dims.end(), D) == Of.Dims.end() &&
        !Component.is_single_valued().is_true())
      Of.Dims.push_back(D);
  }
  std::sort(Of.Dims.begin(), Of.Dims.end());
  Of.Level = std::min(Of.Level.value_or(Level), Level);
}

/// Returns the sink iterations, with the parameters of \p Of, for which the last executed iteration
/// of the source is before the sink and shares \p Level loops with it, or for which there is none.
isl::set ReadFlow::possible(const isl::map &Writes, const isl::set &Where,
                            const ComparableFilter &Known, const Source &Of, unsigned Level) const {
  const ComparableFilter &Filter = Filters[Of.Statement];
  const isl::set Reads = Writes.domain();
  isl::map Last = isAtLeast(lastOf(Of), Of.sigma(), int(Level));
  isl::set None = isAtMost(Reads, Of.sigma(), int(Level) - 1);
  // Some of the iterations may certainly be executed.
  const isl::map Open = impliedValues(Known, Filter, Writes).subtract(Filter.Values);
  const isl::map Certain = Writes.intersect_range(Of.Access.domain().subtract(Open.domain()));
  if (Certain.is_empty().is_false()) {
    None = None.subtract(Certain.domain());
    Last = Last.subtract(
        Certain.apply_range(isl::map::lex_gt(Of.Access.domain().space()))); // too early
  }
  isl::set All = None.unite(Last.domain().intersect(Reads));
  const auto Avoid = [&](const ExecutedSide &A, const ExecutedSide &B) {
    All = All.subtract(conflictsOf(A, B));
  };
  const ExecutedSide Executed{Last, &Filter, true}, Other{laterThanLast(Of), &Filter, false};
  if (!SinkFilter.isEmpty()) {
    const isl::set Domain = Read.domain();
    const ExecutedSide Itself{Domain.identity(), &SinkFilter, true};
    Avoid(Executed, Itself);
    Avoid(Other, Itself);
  }
  for (const Source &Earlier : Sources) {
    if (&Earlier == &Of || !Earlier.Level || !involves(Where, Earlier.sigma()))
      continue;
    const ComparableFilter *With = &Filters[Earlier.Statement];
    // With fewer shared loops than Level, the parameters do not identify the iteration.
    const isl::map ItsLast = isAtLeast(lastOf(Earlier), Earlier.sigma(), int(*Earlier.Level));
    const ExecutedSide Its{ItsLast, With, true}, Rest{laterThanLast(Earlier), With, false};
    Avoid(Executed, Its);
    Avoid(Executed, Rest);
    Avoid(Other, Its);
    Avoid(Other, Rest);
  }
  return All;
}

isl_restriction *ReadFlow::restrict(isl::map Writes, isl::set Reads, Source &Of) {
  const auto Unchanged = [&] { return isl_restriction_none(Writes.copy()); };
  if (Filters[Of.Statement].isEmpty() || !Writes.is_empty().is_false() ||
      !Reads.is_empty().is_false())
    return Unchanged();
  const isl::map Here = Writes.intersect_domain(Reads);
  if (!Here.is_empty().is_false())
    return Unchanged();
  // Parameters distinguish executed iterations. The comparison of filters is about all iterations.
  const isl::map Plain = withoutParameters(Here);
  Kind Decision = kindOf(Plain, SinkFilter, Of);
  const unsigned Level = levelOf(Writes, Of);
  ComparableFilter Known = SinkFilter;
  if (Decision == Kind::Input) {
    Known = learnFromOthers(Plain, Reads, Of, Level);
    Decision = kindOf(Plain, Known, Of);
  }
  if (Decision == Kind::None)
    return Unchanged();
  if (Decision == Kind::Empty)
    return isl_restriction_empty(Writes.copy());
  introduce(Of, Level);
  isl::map Last = isl::map::universe(Writes.space());
  for (const unsigned D : Of.Dims)
    Last = outputIs(Last, D, Of.last(D));
  Last = isAtLeast(Last, Of.sigma(), int(Level));
  const isl::set Sinks = Reads.subtract(Writes.domain())
                             .unite(Reads.intersect(possible(Here, Reads, Known, Of, Level)));
  return isl_restriction_input(Last.range().release(), isl::set(Sinks).release());
}

isl_restriction *ReadFlow::restrict(isl_map *Writes, isl_set *Reads, void *Of, void *Self) {
  const User &Which = *static_cast<User *>(Of);
  if (isl_ctx_last_error(isl_map_get_ctx(Writes)) != isl_error_none)
    return nullptr;
  return static_cast<ReadFlow *>(Self)->restrict(isl::manage_copy(Writes), isl::manage_copy(Reads),
                                                 *Which.Of);
}

/// Returns { C[k] }, with all parameters of \p Of, for which Executed agrees with sigma: it is 1 if
/// there is a last iteration, and 0 if there is none.
isl::set ReadFlow::meaningOf(const Source &Of) const {
  const isl::set Sinks = Read.domain();
  const auto Is = [&](const isl::set &S, int Executed) {
    const isl::map AsMap = isl::map::from_domain(S);
    return isAtMost(isAtLeast(AsMap, Of.executed(), Executed), Of.executed(), Executed).domain();
  };
  const isl::map Last = isAtLeast(lastOf(Of), Of.sigma(), int(*Of.Level));
  return Is(Last.domain(), 1).unite(Is(isAtMost(Sinks, Of.sigma(), int(*Of.Level) - 1), 0));
}

/// Replaces the parameters sigma in \p OfSinks by parameters that say whether any iteration was
/// executed.
isl::map ReadFlow::finish(isl::map OfSinks) const {
  for (const Source &Of : Sources) {
    if (!Of.Level || !involves(OfSinks, Of.sigma()))
      continue;
    OfSinks = OfSinks.intersect_domain(meaningOf(Of));
    const int At = isl_map_find_dim_by_name(OfSinks.get(), isl_dim_param, Of.sigma().c_str());
    OfSinks = isl::manage(isl_map_project_out(OfSinks.release(), isl_dim_param, unsigned(At), 1));
  }
  return OfSinks.coalesce();
}

std::optional<DataflowOfRead> ReadFlow::run() {
  if (Read.is_null() || isl_ctx_last_error(Read.ctx().get()) != isl_error_none)
    return std::nullopt;
  std::list<User> Users;
  const auto UserOf = [&](Source &Of) { return &Users.emplace_back(User{this, &Of}); };
  isl_access_info *Info =
      isl_access_info_alloc(Read.copy(), UserOf(Reader), levelBefore, int(Sources.size()));
  for (Source &Of : Sources)
    Info = isl_access_info_add_source(Info, Of.Access.copy(), /*must=*/1, UserOf(Of));
  Info = isl_access_info_set_restrict(Info, restrict, this);
  isl_flow *Flow = isl_access_info_compute_flow(Info);
  if (!Flow)
    return std::nullopt;
  DataflowOfRead Found;
  using FoundWrites = std::vector<std::pair<const Source *, isl::map>>;
  FoundWrites Writes;
  isl_flow_foreach(
      Flow,
      [](isl_map *Relation, int, void *Of, void *To) {
        static_cast<FoundWrites *>(To)->emplace_back(static_cast<User *>(Of)->Of,
                                                     isl::manage(Relation).reverse());
        return isl_stat_ok;
      },
      &Writes);
  const isl::map Rest = isl::manage(isl_flow_get_no_source(Flow, /*must=*/1));
  Found.NoSource = finish(isl::map::from_domain(Rest.domain())).domain();
  isl_flow_free(Flow);
  for (const Source &Of : Sources) {
    isl::map All = isl::map::empty(Of.Before.space());
    for (const auto &[From, Relation] : Writes)
      if (From == &Of)
        All = All.unite(Relation);
    const isl::map Iterations = finish(All);
    if (Iterations.is_empty().is_false())
      Found.Sources.push_back({Of.Statement, Of.Write, Iterations});
  }
  for (const Source &Of : Sources)
    if (Of.Level)
      addParameters(Of, Found);
  if (isl_ctx_last_error(Read.ctx().get()) != isl_error_none)
    return std::nullopt;
  return Found;
}

/// Adds the parameters of \p Of to \p Found if they occur there.
void ReadFlow::addParameters(const Source &Of, DataflowOfRead &Found) const {
  const auto Occurs = [&](const std::string &Name) {
    return involves(Found.NoSource, Name) ||
           std::any_of(Found.Sources.begin(), Found.Sources.end(),
                       [&](const auto &Each) { return involves(Each.Iterations, Name); });
  };
  SourceParameters New{Of.Statement,
                       Of.Write,
                       {},
                       {},
                       Of.Before.intersect(firstEqual(Of.Before.space(), *Of.Level))};
  if (Occurs(Of.executed()))
    New.Executed = Of.executed();
  for (const unsigned D : Of.Dims)
    if (Occurs(Of.last(D)))
      New.Last.emplace_back(D, Of.last(D));
  if (!New.Executed.empty() || !New.Last.empty())
    Found.Parameters.push_back(std::move(New));
}

} // namespace

std::optional<DataflowOfRead> flowOfRead(const ConditionalProgram &Program,
                                         const std::vector<ComparableFilter> &Filters,
                                         unsigned Sink, const ComparableFilter &SinkFilter,
                                         const isl::map &Read) {
  return ReadFlow(Program, Filters, Sink, SinkFilter, Read).run();
}

} // namespace specrt
