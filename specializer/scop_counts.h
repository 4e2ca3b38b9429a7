//===- specializer/scop_counts.h - Scops of a module, for `specrt scops` --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SCOP_COUNTS_H
#define SPECRT_SPECIALIZER_SCOP_COUNTS_H

#include "specializer/polyhedral/scop_survey.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <chrono>

namespace specrt {

/// Counts Scops in bitcode, or in an object with embedded bitcode, made for this machine. Each
/// function is analysed like a region: after the passes that clang -O2 runs before the plugin, in
/// Polly's canonical form. `optnone` is removed, so that code compiled with -O0 counts, too.
/// Returns an error if the file cannot be read or takes more than \p Limit of processor time.
llvm::Expected<ScopCounts> countScops(llvm::MemoryBufferRef Bitcode,
                                      std::chrono::milliseconds Limit);

} // namespace specrt

#endif
