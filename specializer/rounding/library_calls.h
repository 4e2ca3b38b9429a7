//===- specializer/rounding/library_calls.h - binds library calls to the region's symbols -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_ROUNDING_LIBRARY_CALLS_H
#define SPECRT_SPECIALIZER_ROUNDING_LIBRARY_CALLS_H

#include "specrt/abi.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
}

namespace specrt {

/// Removes intrinsics from \p M that LLVM would fold with, or call by the name of, a function of
/// this process where the original called the function of its own image. They become calls of
/// symbols of \p Region; integer powers with a constant exponent become the multiplications of code
/// generation. Returns an error if the region has no address for a function. Must run before any
/// optimisation.
llvm::Error bindLibraryCalls(llvm::Module &M, const specrt_region &Region);

} // namespace specrt

#endif
