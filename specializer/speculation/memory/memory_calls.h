//===- specializer/speculation/memory/memory_calls.h - fills and copies as loops ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPECULATION_MEMORY_MEMORY_CALLS_H
#define SPECRT_SPECIALIZER_SPECULATION_MEMORY_MEMORY_CALLS_H

#include "specializer/speculation/speculation.h"

namespace specrt {

/// Makes loops of calls of memset, memcpy and memmove (memory_loops.h), where that needs no guard.
const Speculation &memoryCalls();

/// Makes loops of calls of memmove from one array to another, which must be separate. std::copy and
/// std::memmove of programs are such calls.
const Speculation &separateMoves();

} // namespace specrt

#endif
