//===- specializer/speculation/fp_environment.h - guards on floating-point modes -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM compiles for the default floating-point environment: it rounds to nearest when it folds,
// replaces 1.0 * x by x, which is wrong if denormals are flushed, and executes operations
// speculatively, which is visible if exceptions trap. The same holds for the original, but with
// other operands known. Therefore a version runs only if the calling thread has the default
// environment.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPECULATION_FP_ENVIRONMENT_H
#define SPECRT_SPECIALIZER_SPECULATION_FP_ENVIRONMENT_H

#include "guards/fp_environment.h"
#include "specializer/speculation/speculation.h"
#include <optional>

namespace llvm {
class Module;
}

namespace specrt {

/// Returns the guard for versions of \p M, the region's bitcode as embedded; nothing if no code
/// depends on the environment. The treatment of denormals is not guarded if all arithmetic permits
/// larger differences: with -ffast-math, clang links a constructor that flushes denormals.
std::optional<FpEnvironmentGuard> guardOnFpEnvironment(const llvm::Module &M);

/// Adds that guard to the module of a request. If denormals are not guarded, functions get an
/// attribute that keeps LLVM from folding results that depend on their treatment.
const Speculation &fpEnvironment();

} // namespace specrt

#endif
