//===- profiler/observations/kinds.cpp - the table of kinds ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/observations/alias_profile.h"
#include "profiler/observations/arrays/zero_equations.h"
#include "profiler/observations/arrays/zero_shares.h"
#include "profiler/observations/folded_streams.h"
#include "profiler/observations/input_values.h"
#include "profiler/observations/row_profile.h"
#include "profiler/observations/time_profile.h"
#include "profiler/observations/trip_counts.h"
#include "profiler/observations/tuple_profile.h"

namespace specrt {
namespace {

template <typename Kind> constexpr ObservationKind kindOf() {
  return {.Name = Kind::Name, .create = [](const specrt_region &Region) {
            return std::unique_ptr<Observation>(std::make_unique<Kind>(Region));
          }};
}

constexpr ObservationKind Kinds[] = {
    kindOf<TimeProfile>(), kindOf<InputValues>(),   kindOf<TupleProfile>(), kindOf<AliasProfile>(),
    kindOf<TripCounts>(),  kindOf<FoldedStreams>(), kindOf<RowProfile>(),   kindOf<NestProfile>(),
    kindOf<ZeroShares>(),  kindOf<ZeroEquations>()};

} // namespace

std::span<const ObservationKind> observationKinds() { return Kinds; }

} // namespace specrt
