//===- profiler/feedback/nest_tables.cpp - converts the compiler's tables of a nest ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/feedback/nest_tables.h"

#include <algorithm>

namespace specrt {
namespace {

std::optional<int64_t> numberOf(const specrt_nest_number &N) {
  return N.is_known ? std::optional(N.value) : std::nullopt;
}

void addAccesses(const specrt_nest &Told, Nest &To) {
  To.Omitted |= Told.num_accesses > Nest::MaxAccesses;
  for (uint32_t I = 0; I < Told.num_accesses && I < Nest::MaxAccesses; ++I) {
    NestAccess A = nestAccess(Told.accesses[I]);
    const specrt_nest_number *Strides = &Told.strides[size_t{I} * SPECRT_MAX_RECORDED_DEPTH];
    for (size_t D = 0; D < A.Loops.size(); ++D)
      A.Strides.push_back(numberOf(Strides[D]));
    To.Accesses.push_back(std::move(A));
  }
}

void addDependences(const specrt_nest &Told, Nest &To) {
  static constexpr NestDependence::Kind Kinds[] = {NestDependence::Flow, NestDependence::Anti,
                                                   NestDependence::Output};
  for (uint32_t I = 0; I < Told.num_dependences; ++I) {
    if (To.Dependences.size() == Nest::MaxDependences) {
      To.Omitted = true;
      return;
    }
    const specrt_nest_dependence &D = Told.dependences[I];
    std::vector<Distance> Distances;
    Distances.reserve(D.depth);
    for (uint32_t L = 0; L < D.depth; ++L)
      Distances.push_back({numberOf(D.least[L]), numberOf(D.greatest[L])});
    To.Dependences.push_back(nestDependence({Told.accesses, Told.num_accesses}, D.from, D.to,
                                            Kinds[D.kind], D.level, std::move(Distances)));
  }
}

void addDomain(const specrt_nest &Told, Nest &To) {
  const std::optional<uint32_t> Outer =
      Told.num_rows > 0 ? To.parent(Told.inner_loop) : std::nullopt;
  if (!Outer)
    return;
  To.Domain.Outer = *Outer;
  To.Domain.Inner = Told.inner_loop;
  for (uint32_t I = 0; I < Told.num_rows && I < Nest::MaxRows; ++I)
    To.Domain.Rows.push_back({Told.rows[I].outer, Told.rows[I].first, Told.rows[I].last});
}

} // namespace

NestAccess nestAccess(const specrt_recorded_access &From) {
  return {.Line = From.line,
          .Column = From.column,
          .Width = From.width,
          .IsWrite = (From.flags & SPECRT_RECORDED_WRITE) != 0,
          .Array = From.array,
          .Loops = {From.loops, From.loops + From.depth},
          .Strides = {}};
}

NestDependence nestDependence(std::span<const specrt_recorded_access> Accesses, uint32_t From,
                              uint32_t To, NestDependence::Kind What, uint32_t Level,
                              std::vector<Distance> Distances) {
  const specrt_recorded_access &Source = Accesses[From], &Sink = Accesses[To];
  NestDependence D{.What = What,
                   .Name = Source.array,
                   .FromLine = Source.line,
                   .ToLine = Sink.line,
                   .Loops = {Sink.loops, Sink.loops + Distances.size()},
                   .Level = Level,
                   .Distances = std::move(Distances)};
  // The dependence is between the load and the store of one update, or from a store to itself.
  auto Updates = [](const specrt_recorded_access &Store, uint32_t Load) {
    return Store.updates != 0 && Store.updates - 1 == Load;
  };
  if (Updates(Source, To) || Updates(Sink, From) || (From == To && Source.updates != 0)) {
    const specrt_recorded_access &Store = Source.updates ? Source : Sink;
    D.Role = Store.role;
    D.IsFloat = Store.is_float != 0;
  }
  return D;
}

/// Adds carried values. Those of loops that did not begin are valid, too.
void addCarriedValues(std::span<const specrt_carried_value> Carried, Nest &To) {
  for (const specrt_carried_value &V : Carried) {
    const std::vector<uint32_t> Loops = To.chain(V.loop);
    NestDependence D{.What = NestDependence::Value,
                     .Role = V.role,
                     .IsFloat = V.is_float != 0,
                     .Name = V.name,
                     .FromLine = V.line,
                     .ToLine = V.line,
                     .Loops = Loops,
                     .Level = static_cast<uint32_t>(Loops.size() - 1),
                     .Distances = std::vector<Distance>(Loops.size(), {0, 0})};
    D.Distances.back() = {1, 1};
    To.Dependences.push_back(std::move(D));
  }
}

Nest modelNest(const specrt_nest &Told) {
  Nest N;
  N.From = Nest::Model;
  N.Loops.reserve(Told.num_loops);
  for (uint32_t L = 0; L < Told.num_loops; ++L) {
    const specrt_nest_loop &Loop = Told.loops[L];
    N.Loops.push_back(
        {.Line = Loop.in_code.line, .Depth = Loop.in_code.depth, .Trips = Loop.trips});
    if (!Loop.is_known)
      N.Unknown.push_back(L);
  }
  addAccesses(Told, N);
  addCarriedValues({Told.carried, Told.num_carried}, N);
  addDependences(Told, N);
  addDomain(Told, N);
  return N;
}

} // namespace specrt
