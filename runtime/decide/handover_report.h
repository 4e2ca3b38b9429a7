//===- runtime/decide/handover_report.h - what is told of a handover ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_DECIDE_HANDOVER_REPORT_H
#define SPECRT_RUNTIME_DECIDE_HANDOVER_REPORT_H

#include "runtime/decide/region_detail.h"
#include "runtime/decide/registry_lock.h"

namespace specrt {

/// Adds the handovers that are over, and not told yet, to D's timeline, and what the next run
/// should know of them to its decisions.
void tellHandovers(const RegistryLock &Guard, RegionDetail &D);

} // namespace specrt

#endif
