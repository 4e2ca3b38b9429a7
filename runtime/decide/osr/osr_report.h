//===- runtime/decide/osr/osr_report.h - reports of on-stack replacements -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_DECIDE_OSR_OSR_REPORT_H
#define SPECRT_RUNTIME_DECIDE_OSR_OSR_REPORT_H

#include "runtime/decide/region_detail.h"
#include "runtime/decide/registry_lock.h"

namespace specrt {

/// Adds the on-stack replacements that are over and not reported yet to the timeline of \p D, and
/// results that the next run needs to its decisions.
void tellOsr(const RegistryLock &Guard, RegionDetail &D);

} // namespace specrt

#endif
