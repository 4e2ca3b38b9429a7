//===- tools/explain/zeros_text.h - describes zeros in dense loops in words ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_EXPLAIN_ZEROS_TEXT_H
#define SPECRT_TOOLS_EXPLAIN_ZEROS_TEXT_H

#include "tools/explain/zeros.h"

namespace specrt::tools {

/// Describes which zeros let loops skip iterations, how many elements are listed, how many of the
/// others may be nonzero and are, and the equations. Returns "" when there is nothing to report.
std::string zerosText(const ZerosOfRegion &Of);

} // namespace specrt::tools

#endif
