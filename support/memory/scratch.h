//===- support/memory/scratch.h - memory for packed operands of versions --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread has a few blocks, which it keeps until it ends: a factorisation calls a kernel
// hundreds of times, and fresh pages would cost more than some of these calls. Taking and giving
// are async-signal-safe, as the replaced loops were: a handler that interrupts a thread gets other
// blocks than those that the thread holds.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SUPPORT_MEMORY_SCRATCH_H
#define SPECRT_SUPPORT_MEMORY_SCRATCH_H

#include <cstdint>

extern "C" {
/// Returns \p Bytes of memory, aligned to a page, or null when there is none. The memory belongs to
/// the calling thread, which gives it back before it returns to the program.
void *specrt_scratch_take(uint64_t Bytes);
/// Ends the use of what take returned; null is ignored.
void specrt_scratch_give(void *Memory);
}

namespace specrt {

/// The names by which generated code calls them.
inline constexpr const char *TakeScratchName = "specrt_scratch_take";
inline constexpr const char *GiveScratchName = "specrt_scratch_give";

} // namespace specrt

#endif
