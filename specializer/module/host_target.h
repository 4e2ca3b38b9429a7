//===- specializer/module/host_target.h - the machine that versions are compiled for -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_MODULE_HOST_TARGET_H
#define SPECRT_SPECIALIZER_MODULE_HOST_TARGET_H

#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>

namespace specrt {

/// Returns a target machine for this CPU with all its features: position-independent code, small
/// code model, aggressive code generation, no emulated TLS.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createHostTarget();

/// Rewrites triple, data layout and function attributes of \p M so that it is compiled for \p TM at
/// full optimisation, even if the original was built for a generic CPU or for size. Attributes that
/// affect results (denormal mode, strictfp, ...) stay. Returns an error if \p M was made for
/// another architecture.
llvm::Error retarget(llvm::Module &M, const llvm::TargetMachine &TM);

} // namespace specrt

#endif
