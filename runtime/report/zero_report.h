//===- runtime/report/zero_report.h - lists of nonzeros, for reports ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_REPORT_ZERO_REPORT_H
#define SPECRT_RUNTIME_REPORT_ZERO_REPORT_H

#include "profiler/observations/arrays/zero_equations.h"
#include "profiler/observations/arrays/zero_shares.h"
#include <nlohmann/json_fwd.hpp>

namespace specrt {

/// The lists that versions of \p Region have of arrays, and the elements that it writes: how many
/// may be nonzero for these lists, beside what was seen. \p Told and \p Seen may be null. Predicts
/// for about \p MaxMs. Null without a list.
nlohmann::json zeroListsJson(const specrt_region &Region, const ZeroEquations *Told,
                             const ZeroShares *Seen, double MaxMs);

} // namespace specrt

#endif
