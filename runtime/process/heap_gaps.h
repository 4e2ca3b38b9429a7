//===- runtime/process/heap_gaps.h - leaves the program's heap as it was ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is loaded before main leaves free memory between what stays. Malloc would fill it with the
// first arrays of the program, so that rows which a loop allocates one by one lie apart in another
// way than in the run before, in which nothing was loaded: versions for rows that lie the same
// distance apart would never fit. So these gaps are taken, for good; they are some ten KB that were
// touched already.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_PROCESS_HEAP_GAPS_H
#define SPECRT_RUNTIME_PROCESS_HEAP_GAPS_H

#include <cstdint>

namespace specrt {

/// At its end takes the gaps that were made during its life at the end of the heap. Free memory
/// from before is the program's and stays free. Does nothing under another malloc than glibc's.
class HeapGaps {
public:
  HeapGaps();
  ~HeapGaps();
  HeapGaps(const HeapGaps &) = delete;
  HeapGaps &operator=(const HeapGaps &) = delete;

private:
  uintptr_t Begin; ///< the end of what was in use
};

} // namespace specrt

#endif
