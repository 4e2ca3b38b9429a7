//===- tests/runtime/one_processor.h - a machine with one processor -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_RUNTIME_ONE_PROCESSOR_H
#define SPECRT_TESTS_RUNTIME_ONE_PROCESSOR_H

#include <sched.h>

namespace specrt {

/// This thread, and those that it starts, have one processor.
class OnOneProcessor {
public:
  OnOneProcessor() {
    sched_getaffinity(0, sizeof(Before), &Before);
    cpu_set_t One;
    CPU_ZERO(&One);
    CPU_SET(static_cast<size_t>(sched_getcpu()), &One);
    sched_setaffinity(0, sizeof(One), &One);
  }
  ~OnOneProcessor() { sched_setaffinity(0, sizeof(Before), &Before); }
  OnOneProcessor(const OnOneProcessor &) = delete;
  OnOneProcessor &operator=(const OnOneProcessor &) = delete;

private:
  cpu_set_t Before;
};

} // namespace specrt

#endif
