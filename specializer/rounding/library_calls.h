//===- specializer/rounding/library_calls.h - no function by name -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_ROUNDING_LIBRARY_CALLS_H
#define SPECRT_SPECIALIZER_ROUNDING_LIBRARY_CALLS_H

#include "specrt/abi.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
}

namespace specrt {

/// Leaves no intrinsic in \p M that LLVM would fold by a function of this process, or call by name,
/// while the original called the function of its own image. Calls go to symbols of \p Region;
/// integer powers with a constant exponent become the multiplications of code generation. Fails
/// when the region does not tell a function's address. Before any optimisation.
llvm::Error bindLibraryCalls(llvm::Module &M, const specrt_region &Region);

} // namespace specrt

#endif
