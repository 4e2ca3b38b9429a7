//===- profiler/feedback/nest_tables.h - converts the compiler's tables of a nest ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_FEEDBACK_NEST_TABLES_H
#define SPECRT_PROFILER_FEEDBACK_NEST_TABLES_H

#include "profiler/feedback/nest.h"
#include "specrt/nest.h"
#include <span>

namespace specrt {

/// Returns the properties of an access that are known without its addresses.
NestAccess nestAccess(const specrt_recorded_access &From);

/// Returns the dependence between two of \p Accesses, which may be a sum if they update one place.
NestDependence nestDependence(std::span<const specrt_recorded_access> Accesses, uint32_t From,
                              uint32_t To, NestDependence::Kind What, uint32_t Level,
                              std::vector<Distance> Distances);

/// Adds the values that the loops of \p To, which are complete, keep in registers.
void addCarriedValues(std::span<const specrt_carried_value> Carried, Nest &To);

/// Returns the compiler's model without entries that violate the format of the header.
Nest modelNest(const specrt_nest &Told);

} // namespace specrt

#endif
