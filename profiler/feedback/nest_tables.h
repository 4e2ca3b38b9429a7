//===- profiler/feedback/nest_tables.h - from the compiler's tables of a nest ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_FEEDBACK_NEST_TABLES_H
#define SPECRT_PROFILER_FEEDBACK_NEST_TABLES_H

#include "profiler/feedback/nest.h"
#include "specrt/nest.h"
#include <span>

namespace specrt {

/// What is known of an access before anybody has looked at its addresses.
NestAccess nestAccess(const specrt_recorded_access &From);

/// What two accesses of \p Accesses mean to each other: an update of one place may be a sum.
NestDependence nestDependence(std::span<const specrt_recorded_access> Accesses, uint32_t From,
                              uint32_t To, NestDependence::Kind What, uint32_t Level,
                              std::vector<Distance> Distances);

/// Adds what the loops of \p To, which has them already, keep in registers.
void addCarriedValues(std::span<const specrt_carried_value> Carried, Nest &To);

/// What the compiler tells, without what is not as the header says.
Nest modelNest(const specrt_nest &Told);

} // namespace specrt

#endif
