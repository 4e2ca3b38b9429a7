//===- specializer/speculation/facts.h - recurring argument values --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Specialises a function for observed arguments: a recurring value becomes a constant, a range or
// an alignment an attribute. Each needs a guard; see guards/. Pointers never become constants: an
// address is not a property of the program, and the constant would lose the object that it points
// to.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPECULATION_FACTS_H
#define SPECRT_SPECIALIZER_SPECULATION_FACTS_H

#include "specializer/speculation/speculation.h"
#include "specrt/jit_api.h"

namespace specrt {

/// Applies \p Facts ([num_args], may be null) to \p F, whose arguments are the region's.
void applyFacts(llvm::Function &F, const specrt_region &Region, const specrt_fact *Facts,
                Premises &Result);

/// Replaces each pointer argument of \p F that \p Overlaps says had the same address as an earlier
/// one by that one, and adds a guard. \p Overlaps is that of the request (jit_api.h).
void unifySameArguments(llvm::Function &F, const specrt_region &Region, const uint8_t *Overlaps,
                        Premises &Result);

/// Applies the facts of the request, and simplifies the function if there are new constants.
const Speculation &argumentFacts();

} // namespace specrt

#endif
