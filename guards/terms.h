//===- guards/terms.h - terms of polynomials in records -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_GUARDS_TERMS_H
#define SPECRT_GUARDS_TERMS_H

#include "specrt/guard.h"

namespace specrt {

/// Equal terms get equal bytes: padding and factors that do not count are zero.
specrt_term normalised(const specrt_term &Term);

} // namespace specrt

#endif
