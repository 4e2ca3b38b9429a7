//===- jit/object/linker.h - shared objects, by lld in this process -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_JIT_OBJECT_LINKER_H
#define SPECRT_JIT_OBJECT_LINKER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace specrt {

/// Links \p Objects into a shared object that exports what has default visibility and imports
/// nothing, and writes it to the descriptor \p File. One call at a time. lld works in memory: what
/// happens on disks cannot make it fail.
llvm::Error linkShared(llvm::ArrayRef<llvm::MemoryBufferRef> Objects, int File);

} // namespace specrt

#endif
