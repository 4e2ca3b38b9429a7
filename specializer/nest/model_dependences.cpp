//===- specializer/nest/model_dependences.cpp - dependences between accesses of a Scop ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/nest/model_dependences.h"
#include "polly/Support/GICHelper.h"
#include "polly/Support/ISLTools.h"
#include "specializer/polyhedral/model/statement_schedules.h"
#include "isl/ctx.h"
#include "isl/flow.h"
#include "isl/map.h"
#include "isl/options.h"
#include <tuple>

using namespace llvm;

namespace specrt {
namespace {

/// Limit of about a tenth of a second; nests of constant size need a hundredth of that.
constexpr unsigned long MaxOperations = 500'000;
/// Limit on reported dependences.
constexpr size_t MaxDependences = 192;

unsigned numOf(isl::size Size) { return unsignedFromIslSize(Size); }

specrt_nest_number number(const isl::val &Value) {
  if (Value.is_null() || !Value.is_int())
    return {};
  return {.value = Value.get_num_si(), .is_known = 1, .reserved = 0};
}

/// Returns the index that tagged() gave a tuple.
size_t indexOf(const isl::id &Tag) {
  return size_t(reinterpret_cast<uintptr_t>(Tag.get_user())) - 1;
}

/// Returns the first \p Count dimensions of both sides, in one space.
isl::map firstDimensions(isl::map Pair, unsigned Count) {
  const unsigned In = numOf(Pair.domain_tuple_dim()), Out = numOf(Pair.range_tuple_dim());
  Pair = Pair.project_out(isl::dim::in, Count, In - Count);
  Pair = Pair.project_out(isl::dim::out, Count, Out - Count);
  isl_map *Bare = isl_map_reset_tuple_id(Pair.release(), isl_dim_in);
  return isl::manage(isl_map_reset_tuple_id(Bare, isl_dim_out));
}

/// While it lives, isl stops at the limit and returns null instead of aborting.
class BoundedIsl {
public:
  explicit BoundedIsl(isl_ctx *Context)
      : Context(Context), OnError(isl_options_get_on_error(Context)),
        Limit(Context, MaxOperations) {
    isl_options_set_on_error(Context, ISL_ON_ERROR_CONTINUE);
  }
  ~BoundedIsl() {
    isl_ctx_reset_error(Context);
    isl_options_set_on_error(Context, OnError);
  }
  BoundedIsl(const BoundedIsl &) = delete;
  BoundedIsl &operator=(const BoundedIsl &) = delete;

  bool gaveUp() const { return isl_ctx_last_error(Context) != isl_error_none; }

private:
  isl_ctx *Context;
  const int OnError;
  polly::IslMaxOperationsGuard Limit;
};

} // namespace

unsigned ModelDependences::numCommonLoops(const NumberedAccess &A, const NumberedAccess &B) const {
  const specrt_recorded_access &X = Described[A.Number], &Y = Described[B.Number];
  const unsigned Most = std::min(X.depth, Y.depth);
  unsigned D = 0;
  while (D < Most && X.loops[D] == Y.loops[D])
    ++D;
  return D;
}

/// Returns { Access_n[i] -> x } for { Stmt[i] -> x }.
isl::map ModelDependences::tagged(const isl::map &Of, size_t Index) const {
  const isl::id Tag = isl::manage(
      isl_id_alloc(S.getIslCtx().get(), "Access", reinterpret_cast<void *>(uintptr_t(Index + 1))));
  return Of.set_tuple_id(isl::dim::in, Tag);
}

/// Collects the accesses and their schedule; accesses of one iteration are ordered as in the
/// statement. Returns false if isl gave up.
bool ModelDependences::collect(const isl::union_map &Statements) {
  Reads = Writes = MustWrites = Schedule = isl::union_map::empty(S.getIslCtx());
  for (size_t I = 0; I < Accesses.size(); ++I) {
    const polly::MemoryAccess &Access = *Accesses[I].Access;
    const isl::set Domain = Access.getStatement()->getDomain();
    const isl::map Relation = tagged(Access.getAccessRelation().intersect_domain(Domain), I);
    isl::map When = tagged(scheduleOf(Statements, Domain), I);
    if (When.is_null() || Relation.is_null())
      return false;
    const unsigned Last = numOf(When.range_tuple_dim());
    When = When.add_dims(isl::dim::out, 1).fix_si(isl::dim::out, Last, int(I));
    Schedule = Schedule.unite(isl::union_map(When));
    isl::union_map &To = Access.isRead() ? Reads : Writes;
    To = To.unite(isl::union_map(Relation));
    if (Access.isMustWrite())
      MustWrites = MustWrites.unite(isl::union_map(Relation));
  }
  return true;
}

bool ModelDependences::addTo(std::vector<specrt_nest_dependence> &To) {
  const isl::union_map Statements = S.getSchedule();
  const BoundedIsl Isl(S.getIslCtx().get());
  const bool Complete = collect(Statements) && addFlow(Reads, Writes, SPECRT_NEST_FLOW) &&
                        addFlow(Writes, Writes, SPECRT_NEST_OUTPUT) &&
                        addFlow(Writes, Reads, SPECRT_NEST_ANTI) && !Isl.gaveUp();
  // isl returns them in no particular order.
  sort(Found, [](const specrt_nest_dependence &A, const specrt_nest_dependence &B) {
    return std::tie(A.from, A.to, A.kind, A.level) < std::tie(B.from, B.to, B.kind, B.level);
  });
  const size_t Room = MaxDependences - std::min(MaxDependences, To.size());
  To.insert(To.end(), Found.begin(), Found.begin() + ptrdiff_t(std::min(Room, Found.size())));
  return Complete && Found.size() <= Room;
}

/// Adds the dependences of \p Sinks on \p Mays, unless a must-write comes in between.
bool ModelDependences::addFlow(const isl::union_map &Sinks, const isl::union_map &Mays,
                               uint32_t Kind) {
  if (Sinks.is_null() || Mays.is_null() || MustWrites.is_null() || Schedule.is_null())
    return false;
  isl_union_access_info *Info = isl_union_access_info_from_sink(Sinks.copy());
  if (Kind == SPECRT_NEST_ANTI) {
    Info = isl_union_access_info_set_kill(Info, MustWrites.copy());
    Info = isl_union_access_info_set_may_source(Info, Mays.copy());
  } else {
    Info = isl_union_access_info_set_must_source(Info, MustWrites.copy());
    Info = isl_union_access_info_set_may_source(Info, Mays.subtract(MustWrites).release());
  }
  Info = isl_union_access_info_set_schedule_map(Info, Schedule.copy());
  const isl::union_flow Flow = isl::manage(isl_union_access_info_compute_flow(Info));
  if (Flow.is_null())
    return false;
  const isl::union_map Pairs = Flow.get_may_dependence();
  if (Pairs.is_null())
    return false;
  for (isl::map Pair : Pairs.get_map_list())
    if (!addPair(Pair, Kind))
      return false;
  return true;
}

bool ModelDependences::addPair(const isl::map &Pair, uint32_t Kind) {
  const NumberedAccess &From = Accesses[indexOf(Pair.get_tuple_id(isl::dim::in))],
                       &To = Accesses[indexOf(Pair.get_tuple_id(isl::dim::out))];
  const unsigned Shared = numCommonLoops(From, To);
  const unsigned Depth = Shared - std::min(Shared, Outside);
  const isl::set Distances = firstDimensions(Pair, Depth).deltas();
  for (unsigned Level = 0; Level < Depth; ++Level) {
    isl::set Carried = Distances;
    for (unsigned D = 0; D < Level; ++D)
      Carried = Carried.fix_si(isl::dim::set, D, 0);
    Carried = Carried.lower_bound_si(isl::dim::set, Level, 1);
    const isl::boolean IsEmpty = Carried.is_empty();
    if (IsEmpty.is_error())
      return false;
    if (IsEmpty.is_true())
      continue;
    specrt_nest_dependence D{};
    D.kind = Kind;
    D.from = From.Number;
    D.to = To.Number;
    D.depth = Shared;
    D.level = Outside + Level;
    for (unsigned L = 0; L < Outside; ++L)
      D.least[L] = D.greatest[L] = {.value = 0, .is_known = 1, .reserved = 0};
    for (unsigned L = 0; L < Depth; ++L) {
      D.least[Outside + L] = number(Carried.dim_min_val(int(L)));
      D.greatest[Outside + L] = number(Carried.dim_max_val(int(L)));
    }
    Found.push_back(D);
  }
  return true;
}

} // namespace specrt
