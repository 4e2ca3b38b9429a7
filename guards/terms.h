//===- guards/terms.h - terms of polynomials in records -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_GUARDS_TERMS_H
#define SPECRT_GUARDS_TERMS_H

#include "specrt/guard.h"

namespace specrt {

/// Returns the term with zero padding and zero unused factors, so that equal terms have equal
/// bytes.
specrt_term normalised(const specrt_term &Term);

} // namespace specrt

#endif
