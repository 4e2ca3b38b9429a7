//===- instrument/rounding.h - results that only this compilation has -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some floating-point results are settled after the plugin has run, by the vectoriser or by code
// generation, in ways that depend on the target, on what is constant and on models of costs. A
// version would settle them otherwise, so such loops are not made regions. Others of the same nest
// may be.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_ROUNDING_H
#define SPECRT_INSTRUMENT_ROUNDING_H

#include "instrument/eligibility.h"

namespace specrt {

/// Whether a version of \p L might round otherwise than the original. \p ForLTO: the original is
/// optimised once more at link time.
Refusal refuseRounding(const llvm::Loop &L, bool ForLTO);

} // namespace specrt

#endif
