//===- specializer/speculation/memory/memory_calls.h - fills and copies as loops ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPECULATION_MEMORY_MEMORY_CALLS_H
#define SPECRT_SPECIALIZER_SPECULATION_MEMORY_MEMORY_CALLS_H

#include "specializer/speculation/speculation.h"

namespace specrt {

/// Replaces calls of memset, memcpy and memmove by loops (memory_loops.h) where that needs no
/// guard.
const Speculation &memoryCalls();

/// Replaces memmoves between two arrays by loops, with the premise that the arrays are separate.
/// std::copy and std::memmove in programs become such calls.
const Speculation &separateMoves();

} // namespace specrt

#endif
