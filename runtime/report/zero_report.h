//===- runtime/report/zero_report.h - lists of nonzeros, for reports ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_REPORT_ZERO_REPORT_H
#define SPECRT_RUNTIME_REPORT_ZERO_REPORT_H

#include "profiler/observations/arrays/zero_equations.h"
#include "profiler/observations/arrays/zero_shares.h"
#include <nlohmann/json_fwd.hpp>

namespace specrt {

/// Returns the lists that versions of \p Region have of arrays, and of the elements that it writes
/// the number that may be nonzero for these lists, beside the observed one. \p Told and \p Seen may
/// be null. Predicts for about \p MaxMs. Returns null without a list.
nlohmann::json zeroListsJson(const specrt_region &Region, const ZeroEquations *Told,
                             const ZeroShares *Seen, double MaxMs);

} // namespace specrt

#endif
