//===- specializer/sparse/equations/scop_flow.cpp - value-based dataflow of a Scop -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/equations/scop_flow.h"
#include "polly/Support/ISLTools.h"
#include "specializer/polyhedral/model/statement_schedules.h"
#include "structure/program/zero_rules.h"
#include "llvm/IR/Instructions.h"
#include "isl/flow.h"
#include "isl/map.h"

#include <algorithm>

using namespace llvm;

namespace specrt {
namespace {

isl::map renamed(isl::map Map, isl::dim Dim, const std::string &Name) {
  if (Map.is_null())
    return Map;
  return Map.set_tuple_id(Dim, isl::id::alloc(Map.ctx(), Name, nullptr));
}

/// Removes pointers into the Scop, which the equations outlive; parameters keep their names.
isl::map detached(isl::map Map) { return isl::manage(isl_map_reset_user(Map.release())); }

isl::set domainOf(const polly::ScopStmt &Stmt) { return Stmt.getDomain(); }

/// Returns { Name[i] -> [t] }: the time of the statement, then the position within it.
isl::map timeOf(const polly::MemoryAccess &Access, const isl::union_map &Schedule,
                const std::string &Name) {
  isl::map Time =
      detached(renamed(scheduleOf(Schedule, domainOf(*Access.getStatement())), isl::dim::in, Name));
  if (Time.is_null())
    return Time;
  const unsigned Last = unsignedFromIslSize(Time.range_tuple_dim());
  isl_map *Longer = isl_map_add_dims(Time.release(), isl_dim_out, 1);
  return isl::manage(
      isl_map_fix_si(Longer, isl_dim_out, Last, static_cast<int>(positionOf(Access))));
}

class FlowBuilder {
public:
  FlowBuilder(polly::Scop &S, const isl::union_map &Schedule, const std::vector<ScopWrite> &Writes);
  SparsitySystem run();

private:
  SparsityTerm termOfRead(const polly::MemoryAccess &Read, const ScopWrite &Of);
  SparsityTerm termOf(const ScopWrite &Write);
  unsigned liveIn(const isl::map &From);

  const isl::union_map &Schedule;
  const std::vector<ScopWrite> &Writes;
  isl::union_map Must, May, Times;
  SparsitySystem System;
  std::map<std::string, unsigned> LiveIns;
};

FlowBuilder::FlowBuilder(polly::Scop &S, const isl::union_map &Schedule,
                         const std::vector<ScopWrite> &Writes)
    : Schedule(Schedule), Writes(Writes), Must(isl::union_map::empty(S.getIslCtx())), May(Must),
      Times(Must) {
  for (const ScopWrite &Write : Writes) {
    const isl::map Access = namedAccess(*Write.Access, Write.Name);
    isl::union_map &To = Write.Access->isMustWrite() ? Must : May;
    To = To.unite(Access);
    Times = Times.unite(timeOf(*Write.Access, Schedule, Write.Name));
  }
}

unsigned FlowBuilder::liveIn(const isl::map &From) {
  const std::string Name = From.get_tuple_id(isl::dim::in).name();
  const auto [At, IsNew] = LiveIns.try_emplace(Name, static_cast<unsigned>(System.size()));
  if (IsNew)
    System.push_back({Name, isl::set::universe(From.get_space().domain()), {}, true});
  return At->second;
}

SparsityTerm FlowBuilder::termOfRead(const polly::MemoryAccess &Read, const ScopWrite &Of) {
  const std::string Sink = "Read";
  isl_union_access_info *Info =
      isl_union_access_info_from_sink(isl::union_map(namedAccess(Read, Sink)).release());
  Info = isl_union_access_info_set_must_source(Info, Must.copy());
  Info = isl_union_access_info_set_may_source(Info, May.copy());
  Info = isl_union_access_info_set_schedule_map(
      Info, Times.unite(timeOf(Read, Schedule, Sink)).release());
  isl_union_flow *Flow = isl_union_access_info_compute_flow(Info);
  const isl::union_map Sources = isl::manage(isl_union_flow_get_may_dependence(Flow));
  const isl::union_map Unwritten = isl::manage(isl_union_flow_get_may_no_source(Flow));
  isl_union_flow_free(Flow);
  if (Sources.is_null() || Unwritten.is_null())
    return SparsityTerm::everything();

  std::vector<SparsityTerm> Parts;
  for (isl::map Source : Sources.get_map_list()) {
    const std::string Name = Source.get_tuple_id(isl::dim::in).name();
    const auto From = std::find_if(Writes.begin(), Writes.end(),
                                   [&](const ScopWrite &Write) { return Write.Name == Name; });
    Parts.push_back(SparsityTerm::read(static_cast<unsigned>(From - Writes.begin()),
                                       renamed(Source, isl::dim::out, Of.Name).coalesce()));
  }
  for (isl::map Reading : Unwritten.get_map_list()) {
    const isl::map From = renamed(Reading.reverse(), isl::dim::out, Of.Name).coalesce();
    if (From.is_null())
      return SparsityTerm::everything();
    Parts.push_back(SparsityTerm::read(liveIn(From), From));
  }
  return SparsityTerm::unionOf(std::move(Parts));
}

SparsityTerm FlowBuilder::termOf(const ScopWrite &Write) {
  struct {
    FlowBuilder &Flow;
    const ScopWrite &Of;

    SparsityTerm never() const { return {}; }
    SparsityTerm always() const { return SparsityTerm::everything(); }
    SparsityTerm read(unsigned Access) const {
      return Flow.termOfRead(*Of.Value.Reads[Access], Of);
    }
    SparsityTerm anyOf(const SparsityTerm &A, const SparsityTerm &B) const {
      return SparsityTerm::unionOf({A, B});
    }
    SparsityTerm allOf(const SparsityTerm &A, const SparsityTerm &B) const {
      return SparsityTerm::intersectionOf({A, B});
    }
  } Rules{*this, Write};
  return nonzeroWhere(Write.Value.Value, Rules);
}

SparsitySystem FlowBuilder::run() {
  for (const ScopWrite &Write : Writes) {
    const isl::set Domain = namedAccess(*Write.Access, Write.Name).domain();
    System.push_back({Write.Name, Domain, {}, false});
  }
  for (size_t I = 0; I < Writes.size(); ++I) {
    SparsityTerm Term = termOf(Writes[I]);
    System[I].Value = std::move(Term);
  }
  return std::move(System);
}

} // namespace

std::string arrayName(const polly::ScopArrayInfo &Array) {
  const Value *Base = Array.getBasePtr();
  const bool IsNamed = Base && Base->hasName() && (Array.isArrayKind() || isa<Argument>(Base));
  return IsNamed ? Base->getName().str() : Array.getName();
}

unsigned positionOf(const polly::MemoryAccess &Access) {
  const auto &Instructions = Access.getStatement()->getInstructions();
  const auto End = static_cast<unsigned>(Instructions.size()) + 1;
  if (Access.isOriginalScalarKind())
    return Access.isWrite() ? End : 0;
  const auto At =
      std::find(Instructions.begin(), Instructions.end(), Access.getAccessInstruction());
  return static_cast<unsigned>(At - Instructions.begin()) + 1;
}

isl::map namedAccess(const polly::MemoryAccess &Access, const std::string &Name) {
  isl::map Relation =
      Access.getLatestAccessRelation().intersect_domain(domainOf(*Access.getStatement()));
  return detached(renamed(renamed(Relation, isl::dim::in, Name), isl::dim::out,
                          arrayName(*Access.getLatestScopArrayInfo())));
}

std::vector<ScopWrite> writesInOrder(polly::Scop &S) {
  std::vector<polly::ScopStmt *> Statements;
  for (polly::ScopStmt &Stmt : S)
    if (!domainOf(Stmt).is_empty())
      Statements.push_back(&Stmt);
  std::vector<ScopWrite> Writes;
  for (polly::ScopStmt *Stmt : Statements) {
    std::vector<polly::MemoryAccess *> Own;
    for (polly::MemoryAccess *Access : *Stmt)
      if (Access->isWrite())
        Own.push_back(Access);
    std::sort(Own.begin(), Own.end(),
              [](const auto *A, const auto *B) { return positionOf(*A) < positionOf(*B); });
    for (polly::MemoryAccess *Access : Own) {
      WrittenValue Value;
      if (Stmt->isRegionStmt())
        Value.Value.unknown();
      else
        Value = writtenValue(*Access);
      Writes.push_back({Access, "S" + std::to_string(Writes.size() + 1), std::move(Value)});
    }
  }
  return Writes;
}

SparsitySystem flowSystem(polly::Scop &S, const isl::union_map &Schedule,
                          const std::vector<ScopWrite> &Writes) {
  return FlowBuilder(S, Schedule, Writes).run();
}

} // namespace specrt
