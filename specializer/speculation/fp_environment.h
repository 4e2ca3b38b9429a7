//===- specializer/speculation/fp_environment.h - the modes that code presumes ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM compiles for the floating-point environment of a program's start: it folds to nearest, takes
// 1.0 * x for x, which is false when denormals are flushed, and computes what the original would
// not have reached, which is visible when exceptions trap. The original did so too, but with other
// operands known. So a version runs only where the calling thread has that environment.
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

/// The guard for versions of \p M, the region's bitcode as it was embedded; none when nothing in it
/// depends on the environment. The treatment of denormals is not guarded if all arithmetic permits
/// larger differences: with -ffast-math, clang links a constructor that flushes denormals.
std::optional<FpEnvironmentGuard> guardOnFpEnvironment(const llvm::Module &M);

/// Applies that guard to the module of a request. If denormals are not guarded, functions get an
/// attribute that keeps LLVM from folding results that depend on the treatment of denormals.
const Speculation &fpEnvironment();

} // namespace specrt

#endif
